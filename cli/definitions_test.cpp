#include "cli/definitions.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/apiserver/server.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/kube/crd.hpp"

namespace flyball::cli {

struct BoothSpec {
  std::int32_t size = 1;
};
FLYBALL_DESCRIBE(BoothSpec, (size, "How large."))
using Booth = kube::CustomResource<"shop.example.com", "v1", "Booth", BoothSpec>;

namespace {

using ::testing::HasSubstr;

struct Definitions : ::testing::Test {
  void make_booth(const std::string& name, std::vector<std::string> finalizers = {}) const {
    client.create(Booth{.metadata = {.name = name, .namespace_ = "default", .finalizers = std::move(finalizers)},
                        .spec = {.size = 1},
                        .status = {}});
  }

  RealClock clock;
  Random random{1};
  apiserver::Server server{clock};
  client::Client client = client::Client::connect(server.config(), clock, random);
  std::vector<json::Value> definitions{kube::crd<Booth>()};
  std::ostringstream out;
};

TEST_F(Definitions, AreServedWhenTheyAreInstalledAndMayBeInstalledAgain) {
  install_definitions(client, clock, definitions, out);
  EXPECT_EQ(out.str(), "  booths.shop.example.com installed\n");
  make_booth("one");
  install_definitions(client, clock, definitions, out);
  EXPECT_EQ(count_objects(client, definitions), 1U);
}

TEST_F(Definitions, GoWithEveryObjectOfThem) {
  install_definitions(client, clock, definitions, out);
  make_booth("one");
  make_booth("two");
  out.str("");
  uninstall_definitions(client, clock, definitions, {}, out);
  EXPECT_EQ(out.str(),
            "  booths.shop.example.com default/one deleted\n"
            "  booths.shop.example.com default/two deleted\n"
            "  booths.shop.example.com uninstalled\n");
  EXPECT_EQ(count_objects(client, definitions), 0U);
  out.str("");
  uninstall_definitions(client, clock, definitions, {}, out);
  EXPECT_EQ(out.str(), "  booths.shop.example.com is not there\n");
}

TEST_F(Definitions, NameTheFinalizerThatHoldsAnObjectAndStayWithIt) {
  install_definitions(client, clock, definitions, out);
  make_booth("held", {"shop.example.com/operator"});
  try {
    uninstall_definitions(client, clock, definitions, {.patience = Duration::zero()}, out);
    ADD_FAILURE() << "it went";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("default/held waits for the finalizer shop.example.com/operator"));
    EXPECT_THAT(error.what(), HasSubstr("--force"));
  }
  EXPECT_EQ(count_objects(client, definitions), 1U);
}

TEST_F(Definitions, TakeFinalizersAwayByForce) {
  install_definitions(client, clock, definitions, out);
  make_booth("held", {"shop.example.com/operator"});
  uninstall_definitions(client, clock, definitions, {.force = true, .patience = std::chrono::seconds(1)}, out);
  EXPECT_THAT(out.str(), HasSubstr("finalizers of default/held taken away"));
  EXPECT_THAT(out.str(), HasSubstr("booths.shop.example.com uninstalled"));
}

}  // namespace
}  // namespace flyball::cli
