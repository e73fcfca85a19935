// Logs, exec, attach and port-forward through the real kube-apiserver to a kubelet of ours.
#include <memory>
#include <string>
#include <vector>

#include "fake_kubelet.hpp"
#include "kube_test.hpp"

#include "flyball/client/exec.hpp"
#include "flyball/client/logs.hpp"
#include "flyball/client/port_forward.hpp"
#include "flyball/net/http_client.hpp"
#include "flyball/net/socket.hpp"

namespace flyball::kubetest {
namespace {

using client::pod_attach;
using client::pod_exec;
using client::pod_log_text;
using client::pod_logs;
using client::pod_run;
using client::PodRun;

struct Pods : KubeTest {
  Pods() {
    client.create(kubelet.node(ns));
    core::Pod pod{.metadata = {.name = "web"}, .spec = {.containers = {{.name = "main", .image = "none"}}}};
    pod.spec.nodeName = ns;
    client.create(pod);
  }
  ~Pods() override { client.delete_<core::Node>({"", ns}); }

  FakeKubelet kubelet{real_clock()};
  const Client in_time = client.with(soon());
};

TEST_F(Pods, LogsComeFromTheNode) {
  EXPECT_EQ(pod_log_text(in_time, {ns, "web"}), "line 1\nline 2\nline 3\n");
  EXPECT_EQ(pod_log_text(in_time, {ns, "web"}, {.container = "main", .tail_lines = 1}), "line 3\n");
}

TEST_F(Pods, AFollowedLogGivesItsLinesWhileItGoesOn) {
  StopSource reading(soon());
  auto logs = pod_logs(client.with(reading.stop()), {ns, "web"}, {.follow = true, .tail_lines = 2});
  EXPECT_EQ(logs.next_line(), "line 2");
  EXPECT_EQ(logs.next_line(), "line 3");
  EXPECT_EQ(logs.next_line(), "and then silence");
  reading.request_stop("seen enough");
  EXPECT_THROW((void)logs.next_line(), Stopped);
}

TEST_F(Pods, RefusalsOfLogsSayWhatIsWrong) {
  EXPECT_TRUE(refusal([&] { (void)pod_logs(in_time, {ns, "nobody"}); }).is_not_found());
  const ApiError container = refusal([&] { (void)pod_logs(in_time, {ns, "web"}, {.container = "side"}); });
  EXPECT_TRUE(container.is_bad_request());
  EXPECT_THAT(container.what(), HasSubstr("side"));
}

TEST_F(Pods, ACommandGivesBothOutputsAndItsExitCode) {
  const PodRun run = pod_run(in_time, {ns, "web"}, {.command = {"echo", "a b", "ü&c"}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.stdout_, "echo a b ü&c ");
  EXPECT_EQ(run.stderr_, "not echo not a b not ü&c ");
  EXPECT_EQ(pod_run(in_time, {ns, "web"}, {.command = {"exit", "42"}}).exit_code, 42);
}

TEST_F(Pods, TheInputOfACommandEnds) {
  const std::string input(1U << 20U, 'x');
  EXPECT_EQ(pod_run(in_time, {ns, "web"}, {.command = {"cat"}}, input).stdout_, input);
}

TEST_F(Pods, ATerminalIsResized) {
  const auto session = pod_exec(in_time, {ns, "web"}, {.command = {"size"}, .stdin_ = true, .tty = true});
  EXPECT_EQ(session->protocol(), "v5.channel.k8s.io");
  session->resize(120, 40);
  EXPECT_EQ(session->read()->data, "{\"Width\":120,\"Height\":40}");
  EXPECT_EQ(session->read(), std::nullopt);
  EXPECT_EQ(session->exit_code(), 0);
}

TEST_F(Pods, AttachesToTheContainer) {
  const auto session = pod_attach(in_time, {ns, "web"});
  EXPECT_EQ(session->read()->data, "attached to /attach/" + ns + "/web/main");
  EXPECT_EQ(session->read(), std::nullopt);
}

TEST_F(Pods, RefusalsOfExecSayWhatIsWrong) {
  EXPECT_TRUE(refusal([&] { (void)pod_exec(in_time, {ns, "nobody"}, {.command = {"ls"}}); }).is_not_found());
  const Client jane = connect(server_.config_for("jane"));
  const ApiError error = refusal([&] { (void)pod_exec(jane, {ns, "web"}, {.command = {"ls"}}); });
  EXPECT_TRUE(error.is_forbidden());
  EXPECT_THAT(error.what(), HasSubstr("pods/exec"));
}

// Here kube-apiserver itself is the other end of the WebSocket: it translates for the node, and fails at that.
TEST_F(Pods, WhatTheServerCannotDoWithTheNodeComesAsAnError) {
  const core::Node without = client.get<core::Node>({"", ns});
  core::Node changed = without;
  changed.status.declaredFeatures.clear();
  client.update_status(without, changed);
  const ApiError error = refusal([&] { (void)pod_run(in_time, {ns, "web"}, {.command = {"ls"}}); });
  EXPECT_THAT(error.what(), HasSubstr("the command could not be run"));
  EXPECT_THAT(error.what(), HasSubstr("upgrade"));
}

TEST_F(Pods, APortIsForwarded) {
  const auto connection = client::open_pod_port(in_time, {ns, "web"}, 5432);
  connection->write("hello");
  EXPECT_EQ(connection->read(), "hello");
  connection->write("quit");
  EXPECT_EQ(connection->read(), "");
}

TEST_F(Pods, ALocalPortLeadsIntoThePod) {
  const client::PortForward forward(in_time, {ns, "web"}, 5432);
  net::Resolver resolver(real_clock());
  const auto stream = net::connect_tcp(real_clock(), resolver, "127.0.0.1", forward.port(), soon());
  stream->write("ping", soon());
  std::string got(4, '\0');
  ASSERT_EQ(stream->read(got, soon()), 4U);
  EXPECT_EQ(got, "ping");
  stream->close();
  EXPECT_EQ(stream->read(got, soon()), 0U);
}

}  // namespace
}  // namespace flyball::kubetest
