#include "flyball/client/exec_credentials.hpp"

#include <atomic>
#include <list>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/detail/api_for_test.hpp"
#include "flyball/client/detail/files.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::client {
namespace {

using namespace std::chrono_literals;
using detail::error_of;
using detail::read_file;
using detail::TestApi;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* kV1 = "client.authentication.k8s.io/v1";
constexpr const char* kV1Beta1 = "client.authentication.k8s.io/v1beta1";

std::string header_of(Credentials& credentials, const Stop& stop = {}) {
  net::Headers headers;
  credentials.authorize(headers, stop);
  return std::string(headers.get("Authorization"));
}

std::string credential(const std::string& status, const std::string& version = kV1) {
  return R"({"kind": "ExecCredential", "apiVersion": ")" + version + R"(", "status": )" + status + "}";
}

class Exec : public testing::Test {
 public:
  // A plugin that counts its runs and prints this, with $n for the number of the run.
  ExecPlugin printing(const std::string& json) {
    const std::string runs = folder.path("runs");
    return {.command = folder.write_script(
                "plugin", "echo run >> '" + runs + "'\nn=$(wc -l < '" + runs + "')\ncat <<END\n" + json + "\nEND\n")};
  }
  std::string problem_with(const std::string& script, ExecPlugin plugin = {}) {
    plugin.command = folder.write_script("plugin", script);
    const auto credentials = exec_credentials(clock, plugin);
    std::string text = error_of([&] { return header_of(*credentials); });
    const std::string prefix = "the credential plugin \"" + plugin.command + "\" gave no credentials: ";
    EXPECT_THAT(text, testing::StartsWith(prefix));
    return text.substr(std::min(prefix.size(), text.size()));
  }
  std::ptrdiff_t runs() const {
    const std::string text = read_file(folder.path("runs"));
    return std::count(text.begin(), text.end(), '\n');
  }

  ManualClock clock;
  const detail::TempFolder folder;
};

TEST_F(Exec, TheTokenIsKeptUntilItExpires) {
  const auto credentials = exec_credentials(
      clock, printing(credential(R"({"token": "t$n", "expirationTimestamp": "2026-01-01T0$n:00:00Z"})")));
  EXPECT_EQ(header_of(*credentials), "Bearer t1");  // good until one o'clock; the clock starts at midnight
  clock.advance(59min);
  EXPECT_EQ(header_of(*credentials), "Bearer t1");
  EXPECT_EQ(runs(), 1);
  clock.advance(1min);
  EXPECT_EQ(header_of(*credentials), "Bearer t2");
  EXPECT_EQ(runs(), 2);
}

TEST_F(Exec, ATokenWithoutAnEndIsKeptUntilTheServerRejectsIt) {
  const auto credentials = exec_credentials(clock, printing(credential(R"({"token": "t$n"})")));
  EXPECT_EQ(header_of(*credentials), "Bearer t1");
  clock.advance(10000h);
  EXPECT_EQ(header_of(*credentials), "Bearer t1");
  EXPECT_TRUE(credentials->rejected({{"Authorization", "Bearer t1"}}));
  EXPECT_EQ(header_of(*credentials), "Bearer t2");
  EXPECT_TRUE(credentials->rejected({{"Authorization", "Bearer t1"}})) << "a late one: another token is at hand";
  EXPECT_EQ(header_of(*credentials), "Bearer t2");
  EXPECT_EQ(runs(), 2);
}

TEST_F(Exec, ARequestThatWasRejectedIsSentAgainWithAnotherToken) {
  RealClock real;
  const TestApi api(real, [](const net::Request& request) {
    return net::Response{.status = request.headers.get("Authorization") == "Bearer t2" ? 200 : 401};
  });
  Config config = api.config();
  config.credentials = exec_credentials(real, printing(credential(R"({"token": "t$n"})")));
  HttpTransport transport(real, config);
  EXPECT_EQ(transport.send({}, {}).status, 200);
  EXPECT_THAT(api.authorizations(), ElementsAre("Bearer t1", "Bearer t2"));
}

TEST_F(Exec, AClientCertificateIsUsedInTheHandshake) {
  RealClock real;
  const TestApi api(real);
  const net::KeyPair pair = api.issue("from the plugin");
  const json::Value status =
      json::object({{"clientCertificateData", pair.certificate}, {"clientKeyData", json::Value(pair.key.reveal())}});
  Config config = api.config();
  config.credentials = exec_credentials(real, printing(credential(json::write(status))));
  HttpTransport transport(real, config);
  EXPECT_EQ(transport.send({}, {}).status, 200);
  EXPECT_EQ(api.seen()[0].identity.common_name, "from the plugin");
  EXPECT_EQ(api.authorizations()[0], "");
}

TEST_F(Exec, ACertificateIsReplacedWhenItExpires) {
  const auto ca = net::CertificateAuthority::make({.common_name = "ca", .from = clock.wall_now()});
  const net::KeyPair pair = ca.issue({.common_name = "a", .from = clock.wall_now(), .valid_for = 2h});
  const json::Value status =
      json::object({{"clientCertificateData", pair.certificate}, {"clientKeyData", json::Value(pair.key.reveal())}});
  const auto credentials = exec_credentials(clock, printing(credential(json::write(status))));
  EXPECT_TRUE(credentials->certificate({}));
  clock.advance(59min);
  EXPECT_TRUE(credentials->certificate({}));
  EXPECT_EQ(runs(), 1);
  clock.advance(2h);
  EXPECT_TRUE(credentials->certificate({}));
  EXPECT_EQ(runs(), 2);
}

TEST_F(Exec, ThePluginIsToldWhatToDo) {
  ExecPlugin plugin{.command = folder.write_script("plugin", "printf '%s\\n' \"$@\" > '" + folder.path("args") +
                                                                 "'\necho \"$COLOUR $KUBERNETES_EXEC_INFO\" > '" +
                                                                 folder.path("info") + "'\necho '" +
                                                                 credential(R"({"token": "t"})", kV1Beta1) + "'\n"),
                    .args = {"get token", "--x=$y"},
                    .environment = {{"COLOUR", "blue"}},
                    .api_version = kV1Beta1,
                    .cluster = json::object({{"server", "https://a/?b&c"}})};
  EXPECT_EQ(header_of(*exec_credentials(clock, plugin)), "Bearer t");
  EXPECT_EQ(read_file(folder.path("args")), "get token\n--x=$y\n");
  EXPECT_EQ(read_file(folder.path("info")),
            R"(blue {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1",)"
            R"("spec":{"cluster":{"server":"https://a/?b&c"},"interactive":false}})"
            "\n");
}

TEST_F(Exec, ManyThreadsMakeOneRun) {
  const auto credentials = exec_credentials(clock, printing(credential(R"({"token": "t$n"})")));
  std::atomic<int> good = 0;
  {
    std::list<Thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back(clock, "asking", [&] { good += header_of(*credentials) == "Bearer t1" ? 1 : 0; });
    }
  }
  EXPECT_EQ(good, 8);
  EXPECT_EQ(runs(), 1);
}

TEST_F(Exec, AFailureSaysWhatThePluginSaid) {
  EXPECT_EQ(
      problem_with("echo '{\"token\": \"s3cret\"}'\necho 'the session has expired, run: cloud login' >&2\nexit 3"),
      "it ended with status 3: the session has expired, run: cloud login");
  EXPECT_EQ(problem_with("exit 1"), "it ended with status 1 and said nothing");
  EXPECT_THAT(problem_with("head -c 5000 /dev/zero | tr '\\0' x >&2; echo end >&2; exit 1"),
              testing::AllOf(HasSubstr("status 1: ...xxx"), EndsWith("xend")));
}

TEST_F(Exec, AFailureIsNotRemembered) {
  const std::string flag = folder.path("flag");
  const auto credentials =
      exec_credentials(clock, {.command = folder.write_script("plugin", "test -e '" + flag + "' || exit 1\necho '" +
                                                                            credential(R"({"token": "t"})") + "'")});
  EXPECT_THROW((void)header_of(*credentials), Error);
  folder.write("flag", "");
  EXPECT_EQ(header_of(*credentials), "Bearer t");
}

TEST_F(Exec, AMissingProgramGivesTheInstallHint) {
  const auto credentials =
      exec_credentials(clock, {.command = "no-such-plugin", .install_hint = "\n  Install it: get no-such-plugin\n"});
  const std::string text = error_of([&] { return header_of(*credentials); });
  EXPECT_THAT(text,
              testing::StartsWith("the credential plugin \"no-such-plugin\" gave no credentials: it cannot be run: "
                                  "no such program: no-such-plugin"));
  EXPECT_THAT(text, EndsWith("\nInstall it: get no-such-plugin"));
}

TEST_F(Exec, WhatItPrintsMustBeAnExecCredential) {
  const auto printed = [&](const std::string& text) { return problem_with("cat <<'END'\n" + text + "\nEND"); };
  EXPECT_THAT(printed("Please log in"), HasSubstr("what it printed is not JSON: line 1, column 1: "));
  EXPECT_EQ(printed("{}"), "what it printed is no ExecCredential: its kind is nothing");
  EXPECT_EQ(printed(credential(R"({"token": "t"})", kV1Beta1)),
            "it speaks \"client.authentication.k8s.io/v1beta1\" and the kubeconfig says "
            "\"client.authentication.k8s.io/v1\"; set apiVersion of its entry to the first, or update the plugin");
  EXPECT_EQ(printed(credential("{}")), "what it printed has neither status.token nor status.clientCertificateData");
  EXPECT_EQ(printed(credential(R"({"token": 47110815})")), "status.token is an integer; expected a string")
      << "the value is not repeated";
  EXPECT_EQ(printed(credential(R"({"clientKeyData": "k"})")), "it printed clientKeyData without clientCertificateData");
  EXPECT_EQ(printed(credential(R"({"clientCertificateData": "c", "token": "t"})")),
            "it printed clientCertificateData without clientKeyData");
  EXPECT_THAT(printed(credential(R"({"clientCertificateData": "c", "clientKeyData": "k"})")),
              testing::StartsWith("status.clientCertificateData: no certificate in it"));
  EXPECT_THAT(printed(credential(R"({"token": "t", "expirationTimestamp": "tomorrow"})")),
              testing::StartsWith("status.expirationTimestamp: "));
}

TEST_F(Exec, AnotherProtocolIsRefusedAtOnce) {
  EXPECT_THAT(error_of<InputError>([&] {
                return exec_credentials(clock,
                                        {.command = "x", .api_version = "client.authentication.k8s.io/v1alpha1"});
              }),
              HasSubstr("v1alpha1 was removed in Kubernetes 1.24"));
  EXPECT_EQ(error_of<InputError>([&] { return exec_credentials(clock, {.command = "x", .api_version = "v1"}); }),
            "apiVersion: \"v1\" is not spoken here; expected \"client.authentication.k8s.io/v1\" or "
            "\"client.authentication.k8s.io/v1beta1\"");
}

TEST_F(Exec, APluginThatMustAskNeedsATerminal) {
  ExecPlugin plugin = printing(credential(R"({"token": "t"})"));
  plugin.interactive = Interactive::always;
  EXPECT_THAT(error_of([&] { return header_of(*exec_credentials(clock, plugin, {.terminal = false})); }),
              HasSubstr("there is no terminal"));
}

TEST_F(Exec, APluginThatMayAskIsToldWhetherItCan) {
  const std::string script = "echo \"$KUBERNETES_EXEC_INFO\" > '" + folder.path("info") + "'\necho '" +
                             credential(R"({"token": "t"})") + "'\n";
  ExecPlugin plugin{.command = folder.write_script("plugin", script), .interactive = Interactive::if_available};
  EXPECT_EQ(header_of(*exec_credentials(clock, plugin, {.terminal = false})), "Bearer t");
  EXPECT_THAT(read_file(folder.path("info")), HasSubstr("\"interactive\":false"));
  EXPECT_EQ(header_of(*exec_credentials(clock, plugin, {.terminal = true})), "Bearer t");
  EXPECT_THAT(read_file(folder.path("info")), HasSubstr("\"interactive\":true"));
  plugin.interactive = Interactive::never;
  EXPECT_EQ(header_of(*exec_credentials(clock, plugin, {.terminal = true})), "Bearer t");
  EXPECT_THAT(read_file(folder.path("info")), HasSubstr("\"interactive\":false"));
}

TEST_F(Exec, APluginThatHangsIsEnded) {
  RealClock real;
  const ExecPlugin plugin{.command = folder.write_script("plugin", "sleep 600")};
  EXPECT_THAT(error_of([&] { return header_of(*exec_credentials(real, plugin, {.timeout = 10ms})); }),
              EndsWith("it has not ended within its time"));
  const auto credentials = exec_credentials(real, plugin);
  EXPECT_THROW((void)header_of(*credentials, Stop().with_deadline(real, real.after(10ms))), Stopped);
}

TEST_F(Exec, ErrorsOfATransportSayWhoseTheCredentialsAre) {
  RealClock real;
  Config config{.server = net::Url::parse("https://127.0.0.1:1"), .source = "context \"prod\" of /home/me/config"};
  config.credentials = exec_credentials(real, {.command = folder.write_script("plugin", "exit 1")});
  HttpTransport transport(real, config);
  EXPECT_THAT(error_of([&] { return transport.send({}, {}); }),
              EndsWith("it ended with status 1 and said nothing (from context \"prod\" of /home/me/config)"));
}

}  // namespace
}  // namespace flyball::client
