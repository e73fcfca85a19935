// A server of its own and a command line that finds it, for tests of commands that talk to a cluster.
//
//   ClusterForTest cluster;
//   EXPECT_EQ(cluster.io.run({"get", "configmaps"}), kOk) << cluster.io.err();
#pragma once

#include "cli/io_for_test.hpp"

#include "flyball/apiserver/server.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/base/random.hpp"
#include "flyball/client/client.hpp"

namespace flyball::cli {

class ClusterForTest {
 public:
  ClusterForTest() { io.write(".flyball/kubeconfig", server_.kubeconfig()); }

  // As `flyball apply`, from a text.
  int apply(const std::string& yaml) {
    io.input = yaml;
    return io.run({"apply", "-f", "-"});
  }
  client::Client& client() { return client_; }

 private:
  RealClock clock_;
  Random random_{1};
  apiserver::Server server_{clock_, {.seed = 1, .engine = {.namespace_defaults = false}}};
  client::Client client_ = client::Client::connect(server_.config(), clock_, random_);

 public:
  TestIo io;
};

}  // namespace flyball::cli
