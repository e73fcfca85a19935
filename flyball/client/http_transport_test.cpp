#include "flyball/client/http_transport.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/client/credentials.hpp"
#include "flyball/client/detail/api_for_test.hpp"

namespace flyball::client {
namespace {

using namespace std::chrono_literals;
using detail::error_of;
using detail::TestApi;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

// Tokens "t1", "t2", ... ; a new one after each rejection, at most `limit`.
class CountedTokens : public Credentials {
 public:
  explicit CountedTokens(int limit) : limit_(limit) {}
  void authorize(net::Headers& headers, const Stop& /*stop*/) override {
    headers.set("Authorization", "Bearer t" + std::to_string(current_));
  }
  bool rejected(const net::Headers& sent) override {
    rejected_with = sent.get("Authorization");
    return current_++ < limit_;
  }

  std::string rejected_with;

 private:
  const int limit_;
  int current_ = 1;
};

class CertificateOnly : public Credentials {
 public:
  void authorize(net::Headers& /*headers*/, const Stop& /*stop*/) override {}
  std::optional<ClientCertificate> certificate(const Stop& /*stop*/) override { return now; }
  std::optional<ClientCertificate> now;
};

class HttpTransportTest : public testing::Test {
 public:
  std::vector<std::string> values(const TestApi& api, std::string_view name) {
    std::vector<std::string> found;
    const auto seen = api.seen();
    for (const auto& field : seen.back().request.headers) {
      if (net::same_name(field.name, name)) found.push_back(field.value);
    }
    return found;
  }

  RealClock clock;
};

TEST_F(HttpTransportTest, SendsToTheServerAsTheBearerOfTheToken) {
  const TestApi api(clock, [](const net::Request&) { return net::Response{.body = "{}"}; });
  // [snippet: explicit]
  Config config{.server = net::Url::parse(api.url()), .tls = {.ca = api.ca()}};
  config.credentials = bearer_token(Secret("s3cret"));
  HttpTransport transport(clock, config);
  const net::Response answer = transport.send({.target = "/version"}, {});
  EXPECT_EQ(answer.body, "{}");
  // [end]
  EXPECT_THAT(api.authorizations(), ElementsAre("Bearer s3cret"));
  EXPECT_EQ(api.seen()[0].request.target, "/version");
}

TEST_F(HttpTransportTest, TargetsLieBelowThePathOfTheServer) {
  const TestApi api(clock);
  Config config = api.config();
  config.server = net::Url::parse(api.url() + "/k8s/clusters/c-1/");
  HttpTransport transport(clock, config);
  (void)transport.send({.target = "/api/v1/pods?limit=5&continue=a%2Fb"}, {});
  EXPECT_EQ(api.seen().back().request.target, "/k8s/clusters/c-1/api/v1/pods?limit=5&continue=a%2Fb");
  (void)transport.open({.target = "/api"}, {});
  EXPECT_EQ(api.seen().back().request.target, "/k8s/clusters/c-1/api");
}

TEST_F(HttpTransportTest, SaysWhichProgramItIs) {
  const TestApi api(clock);
  HttpTransport transport(clock, api.config());
  (void)transport.send({}, {});
  EXPECT_THAT(values(api, "User-Agent"), ElementsAre(default_user_agent()));
  EXPECT_THAT(default_user_agent(), testing::StartsWith("flyball_client_tests/unknown (linux/"));
  EXPECT_THAT(default_user_agent(), EndsWith(") flyball/" + std::string(kVersion)));

  Config config = api.config();
  config.user_agent = "mine/1.0";
  HttpTransport named(clock, config);
  (void)named.send({}, {});
  EXPECT_THAT(values(api, "User-Agent"), ElementsAre("mine/1.0"));
  (void)named.send({.headers = {{"User-Agent", "of the request"}}}, {});
  EXPECT_THAT(values(api, "User-Agent"), ElementsAre("of the request"));
}

TEST_F(HttpTransportTest, TheVersionIsTheProjects) {
  std::ifstream file(std::string(FLYBALL_SOURCE_DIR) + "/CMakeLists.txt");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("project(flyball VERSION " + std::string(kVersion) + " "));
}

TEST_F(HttpTransportTest, ImpersonatesWithEscapedKeys) {
  const TestApi api(clock);
  Config config = api.config();
  config.impersonate = {.user = "jane",
                        .uid = "42",
                        .groups = {"devs", "ops"},
                        .extra = {{"example.com/scope%", {"view", "edit"}}, {"plain-1.2_3~", {"x"}}}};
  HttpTransport transport(clock, config);
  (void)transport.send({}, {});
  EXPECT_THAT(values(api, "Impersonate-User"), ElementsAre("jane"));
  EXPECT_THAT(values(api, "Impersonate-Uid"), ElementsAre("42"));
  EXPECT_THAT(values(api, "Impersonate-Group"), ElementsAre("devs", "ops"));
  EXPECT_THAT(values(api, "Impersonate-Extra-example.com%2Fscope%25"), ElementsAre("view", "edit"));
  EXPECT_THAT(values(api, "Impersonate-Extra-plain-1.2_3~"), ElementsAre("x"));
}

TEST_F(HttpTransportTest, GroupsWithoutAUserAreAMistake) {
  Config config{.server = net::Url::parse("https://127.0.0.1:1"), .source = "a test"};
  config.impersonate.groups = {"devs"};
  EXPECT_EQ(error_of<InputError>([&] { HttpTransport(clock, config); }),
            "impersonate: a uid, groups or extra values without a user; the API server wants the user's name with them "
            "(from a test)");
}

TEST_F(HttpTransportTest, AsksForGzipUnlessToldNotTo) {
  const TestApi api(clock);
  Config config = api.config();
  HttpTransport packed(clock, config);
  (void)packed.send({}, {});
  EXPECT_THAT(values(api, "Accept-Encoding"), ElementsAre("gzip"));
  config.compression = false;
  HttpTransport plain(clock, config);
  (void)plain.send({}, {});
  EXPECT_THAT(values(api, "Accept-Encoding"), ElementsAre("identity"));
}

TEST_F(HttpTransportTest, ARejectedTokenIsReplacedAndTheRequestSentOnceMore) {
  const TestApi api(clock, [](const net::Request& request) {
    return net::Response{.status = request.headers.get("Authorization") == "Bearer t2" ? 200 : 401};
  });
  Config config = api.config();
  const auto tokens = std::make_shared<CountedTokens>(9);
  config.credentials = tokens;
  HttpTransport transport(clock, config);
  EXPECT_EQ(transport.send({.method = "POST", .body = "pod"}, {}).status, 200);
  ASSERT_THAT(api.authorizations(), ElementsAre("Bearer t1", "Bearer t2"));
  EXPECT_EQ(api.seen()[1].request.body, "pod") << "the whole request again";
  EXPECT_EQ(tokens->rejected_with, "Bearer t1");
}

TEST_F(HttpTransportTest, ASecond401IsTheAnswer) {
  const TestApi api(clock, [](const net::Request&) { return net::Response{.status = 401, .body = "who?"}; });
  Config config = api.config();
  config.credentials = std::make_shared<CountedTokens>(9);
  HttpTransport transport(clock, config);
  EXPECT_EQ(transport.send({}, {}).body, "who?");
  EXPECT_EQ(api.seen().size(), 2U);
}

TEST_F(HttpTransportTest, CredentialsThatCannotDoBetterAreNotTriedAgain) {
  const TestApi api(clock, [](const net::Request&) { return net::Response{.status = 401}; });
  Config config = api.config();
  config.credentials = bearer_token(Secret("old"));
  HttpTransport transport(clock, config);
  EXPECT_EQ(transport.send({}, {}).status, 401);
  EXPECT_EQ(api.seen().size(), 1U);
}

TEST_F(HttpTransportTest, AStreamIsOpenedAgainAfter401) {
  const TestApi api(clock, [](const net::Request& request) {
    const bool known = request.headers.get("Authorization") == "Bearer t2";
    return net::Response{.status = known ? 200 : 401, .body = known ? "event" : "who?"};
  });
  Config config = api.config();
  config.credentials = std::make_shared<CountedTokens>(9);
  HttpTransport transport(clock, config);
  const auto stream = transport.open({.target = "/api/v1/pods?watch=1"}, {});
  EXPECT_EQ(stream->head().status, 200);
  EXPECT_EQ(stream->read({}), "event");
  EXPECT_EQ(stream->read({}), "");
}

TEST_F(HttpTransportTest, OpenStreamsAndRequestsDoNotShareAConnection) {
  const TestApi api(clock);
  HttpTransport transport(clock, api.config());
  (void)transport.send({}, {});
  const auto first = transport.open({}, {});
  const auto second = transport.open({}, {});
  (void)transport.send({}, {});
  const auto seen = api.seen();
  EXPECT_NE(seen[1].peer, seen[2].peer);
  EXPECT_NE(seen[1].peer, seen[3].peer);
  EXPECT_NE(seen[2].peer, seen[3].peer);
}

TEST_F(HttpTransportTest, ACertificateFromTheCredentialsIsUsedAndReplaced) {
  const TestApi api(clock);
  Config config = api.config();
  const auto credentials = std::make_shared<CertificateOnly>();
  config.credentials = credentials;
  HttpTransport transport(clock, config);
  (void)transport.send({}, {});
  EXPECT_EQ(api.seen().back().identity.common_name, "");
  std::unique_ptr<BodyStream> stream;
  for (const char* name : {"first", "second"}) {
    const net::KeyPair pair = api.issue(name);
    credentials->now = ClientCertificate{pair.certificate, pair.key};
    (void)transport.send({}, {});
    EXPECT_EQ(api.seen().back().identity.common_name, name);
    (void)transport.send({}, {});
    EXPECT_EQ(api.seen().back().peer, api.seen()[api.seen().size() - 2].peer) << "the connection is kept";
    if (!stream) stream = transport.open({}, {});
  }
  EXPECT_EQ(stream->read({}), "") << "a stream goes on over the connection it has";
}

TEST_F(HttpTransportTest, ErrorsSayWhereTheConfigurationCameFrom) {
  Config config{.server = net::Url::parse("https://127.0.0.1:1"), .source = "context \"kind\" of /home/me/config"};
  HttpTransport transport(clock, config);
  const std::string error = error_of<net::NetError>([&] { return transport.send({}, {}); });
  EXPECT_THAT(error, HasSubstr("127.0.0.1:1"));
  EXPECT_THAT(error, EndsWith(" (from context \"kind\" of /home/me/config)"));

  const TestApi api(clock);
  Config wrong = api.config();
  wrong.tls.ca = net::CertificateAuthority::make({.common_name = "other", .from = clock.wall_now()}).certificate();
  HttpTransport distrustful(clock, wrong);
  EXPECT_THAT(error_of<net::NetError>([&] { return distrustful.send({}, {}); }),
              testing::AllOf(HasSubstr("not among the CAs we trust"), EndsWith(" (from a test)")));
}

TEST_F(HttpTransportTest, FilesThatCannotBeReadAreNoticedAtOnce) {
  Config config{.server = net::Url::parse("https://127.0.0.1:1"), .tls = {.ca_file = "/nowhere/ca.crt"}, .source = "x"};
  EXPECT_EQ(error_of<InputError>([&] { HttpTransport(clock, config); }),
            "/nowhere/ca.crt: cannot read the file: No such file or directory (from x)");
}

TEST_F(HttpTransportTest, ADeadlineEndsTheCall) {
  const TestApi api(clock);
  HttpTransport transport(clock, api.config());
  EXPECT_THROW((void)transport.send({}, Stop().with_deadline(clock, clock.now())), Stopped);
}

}  // namespace
}  // namespace flyball::client
