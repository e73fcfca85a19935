// Requests of a Client over real sockets, through a proxy that breaks their connections in every way it knows. What is
// shown: a read comes back right whatever happens, a write is never done twice behind the caller's back, errors say
// what it was, and nothing takes longer than the caller's deadline. (Watches: watch_faults_test.cpp.)
#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/client/client.hpp"
#include "flyball/client/detail/fault_proxy_for_test.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/net/certificate.hpp"
#include "flyball/net/http_server.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::client {
namespace {

namespace core = kube::core::v1;
using namespace std::chrono_literals;
using testing::HasSubstr;

// A server that has one ConfigMap, lists of it, and counts what it is told to create.
class SmallApi {
 public:
  explicit SmallApi(Clock& clock, std::optional<net::TlsServerOptions> tls = {}, std::uint16_t port = 0)
      : server_(clock, {.port = port, .tls = std::move(tls)},
                [this](const net::Request& request, net::ResponseWriter& writer) { answer(request, writer); }) {}

  std::uint16_t port() const { return server_.port(); }
  int created() const { return created_; }

  static core::ConfigMap object(int number = 0) {
    return {.metadata = {.name = "map-" + std::to_string(number), .namespace_ = "shop", .resourceVersion = "7"},
            .data = {{"text", std::string(400, 'x')}}};
  }

 private:
  void answer(const net::Request& request, net::ResponseWriter& writer) {
    net::Response response{.body = reflect::encode(object())};
    if (request.method == "POST") {
      ++created_;
      response.status = 201;
    } else if (request.target.find("limit=") != std::string::npos) {
      response.body = page(request.target.find("continue=") == std::string::npos);
    }
    response.headers.set("Content-Type", "application/json");
    writer.send(response);
  }
  // Two pages of two.
  static std::string page(bool first) {
    const int number = first ? 0 : 2;
    std::string text = R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7")";
    if (first) text += R"(,"continue":"next")";
    return text + R"(},"items":[)" + reflect::encode(object(number)) + "," + reflect::encode(object(number + 1)) + "]}";
  }

  std::atomic<int> created_ = 0;
  net::HttpServer server_;
};

class ClientFaults : public testing::Test {
 public:
  // Against hangs only: no test waits for it.
  Stop deadline() { return Stop().with_deadline(clock, clock.after(60s)); }

  Client client(Config config, RetryPolicy retry = {.connection_attempts = 10, .first = 1ms, .longest = 5ms}) {
    auto transport =
        std::make_shared<HttpTransport>(clock, std::move(config), HttpTransportOptions{.idle_timeout = 200ms});
    return Client(std::move(transport), clock, random, {.namespace_ = "shop", .retry = retry}).with(deadline());
  }
  static Config to(std::uint16_t port, const std::string& scheme = "http") {
    return {.server = net::Url::parse(scheme + "://127.0.0.1:" + std::to_string(port))};
  }
  template <class Call>
  static std::string error_of(Call&& call) {
    try {
      std::forward<Call>(call)();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  RealClock clock;
  Random random{11};
};

class EveryClientFault : public ClientFaults, public testing::WithParamInterface<Fault::Kind> {
 protected:
  // In the head, at its end, in the body. What hangs costs an idle timeout each.
  static std::deque<Fault> everywhere() {
    const bool slow = GetParam() == Fault::Kind::half_open || GetParam() == Fault::Kind::drip;
    std::deque<Fault> plan;
    for (std::size_t after = 0; after < 600; after += slow ? 200 : 20) plan.push_back({GetParam(), after});
    return plan;
  }
};

TEST_P(EveryClientFault, AGetComesBackRight) {
  SmallApi api(clock);
  FaultProxy proxy(clock, api.port());
  for (const Fault fault : everywhere()) {
    proxy.plan({fault});
    const Client client = this->client(to(proxy.port()));
    if (GetParam() == Fault::Kind::drip) {
      // Bytes that come, however slowly, are progress: only the caller's own deadline ends that.
      const Client hurried = client.with(Stop().with_deadline(clock, clock.after(300ms)));
      EXPECT_THROW(hurried.get<core::ConfigMap>({.name = "map-0"}), Stopped);
      continue;
    }
    std::optional<core::ConfigMap> got;
    const std::string error = error_of([&] { got = client.get<core::ConfigMap>({.name = "map-0"}); });
    if (got) {
      EXPECT_EQ(*got, SmallApi::object()) << "after " << fault.after;
      continue;
    }
    // Garbage of just the right length is an answer to HTTP: then it is for the reader to see that it makes no sense.
    EXPECT_EQ(GetParam(), Fault::Kind::garbage) << error;
    EXPECT_THAT(error, HasSubstr("GET /api/v1/namespaces/shop/configmaps/map-0: the answer is not what was asked for"));
  }
}

TEST_P(EveryClientFault, AListComesBackWholeAndOnce) {
  SmallApi api(clock);
  FaultProxy proxy(clock, api.port());
  proxy.plan({{GetParam(), 30}, {GetParam(), 700}, {GetParam(), 1500}});
  const Client client = this->client(to(proxy.port()));
  if (GetParam() == Fault::Kind::drip) {
    const Client hurried = client.with(Stop().with_deadline(clock, clock.after(300ms)));
    EXPECT_THROW((void)hurried.list<core::ConfigMap>({.namespace_ = "shop", .page_size = 2}).all(), Stopped);
    return;
  }
  std::vector<std::string> names;
  for (const core::ConfigMap& map : client.list<core::ConfigMap>({.namespace_ = "shop", .page_size = 2})) {
    names.push_back(map.metadata.name);
  }
  EXPECT_THAT(names, testing::ElementsAre("map-0", "map-1", "map-2", "map-3"));
}

TEST_P(EveryClientFault, ACreateIsNotDoneTwiceBehindTheCallersBack) {
  for (const Fault fault : everywhere()) {
    SmallApi api(clock);
    FaultProxy proxy(clock, api.port());
    proxy.plan({fault});
    const Client client = this->client(to(proxy.port()));
    const Client hurried = client.with(Stop().with_deadline(clock, clock.after(500ms)));
    const std::string error = error_of([&] { hurried.create(SmallApi::object()); });
    EXPECT_EQ(api.created(), 1) << error;
    EXPECT_NE(error, "no error") << "the answer was broken, and the caller must know";
  }
}

std::string name_of(const testing::TestParamInfo<Fault::Kind>& fault) {
  const std::array<std::string, 6> names = {"None", "Reset", "EndOfStream", "HalfOpen", "SlowLoris", "Garbage"};
  return names.at(static_cast<std::size_t>(fault.param));
}

INSTANTIATE_TEST_SUITE_P(Client, EveryClientFault,
                         testing::Values(Fault::Kind::reset, Fault::Kind::end, Fault::Kind::half_open,
                                         Fault::Kind::drip, Fault::Kind::garbage),
                         name_of);

TEST_F(ClientFaults, AServerThatStaysAwayIsNamedWithWhereItsAddressCameFrom) {
  const std::uint16_t nobody = [&] { return net::Listener(clock, "127.0.0.1", 0).port(); }();
  Config config = to(nobody);
  config.source = "context \"kind\" of ~/.kube/config";
  const std::string error = error_of([&] { client(config).get<core::ConfigMap>({.name = "map-0"}); });
  EXPECT_THAT(error, HasSubstr("127.0.0.1:" + std::to_string(nobody)));
  EXPECT_THAT(error, HasSubstr("context \"kind\" of ~/.kube/config"));
}

TEST_F(ClientFaults, ANameThatHasNoAddressIsNamed) {
  Config config = to(80);
  config.server.host = "no-such-host.invalid";
  EXPECT_THAT(error_of([&] { client(config).get<core::ConfigMap>({.name = "map-0"}); }),
              HasSubstr("no-such-host.invalid"));
}

class ClientTlsFaults : public ClientFaults {
 protected:
  std::string error_with(const net::CertificateAuthority& server_ca, const std::string& trusted, Duration valid_for,
                         const std::string& server_name = "127.0.0.1") {
    const net::KeyPair pair = server_ca.issue(
        {.common_name = "api", .names = {server_name}, .from = clock.wall_now() - 48h, .valid_for = valid_for});
    SmallApi api(clock, net::TlsServerOptions{.certificate = pair.certificate, .key = pair.key});
    Config config = to(api.port(), "https");
    config.tls.ca = trusted;
    return error_of([&] { client(config, {.connection_attempts = 1}).get<core::ConfigMap>({.name = "map-0"}); });
  }
  net::CertificateAuthority authority(const std::string& name) {
    return net::CertificateAuthority::make({.common_name = name, .from = clock.wall_now() - 72h});
  }
};

TEST_F(ClientTlsFaults, AGoodCertificateIsGood) {
  const auto ca = authority("ours");
  EXPECT_EQ(error_with(ca, ca.certificate(), 24h * 30), "no error");
}

TEST_F(ClientTlsFaults, AnExpiredCertificateSaysSo) {
  const auto ca = authority("ours");
  EXPECT_THAT(error_with(ca, ca.certificate(), 24h), HasSubstr("expired"));
}

TEST_F(ClientTlsFaults, AnotherAuthoritySaysSo) {
  EXPECT_THAT(error_with(authority("theirs"), authority("ours").certificate(), 24h * 30), HasSubstr("certificate"));
}

TEST_F(ClientTlsFaults, ACertificateForSomebodyElseSaysForWhom) {
  const auto ca = authority("ours");
  EXPECT_THAT(error_with(ca, ca.certificate(), 24h * 30, "elsewhere.example.com"), HasSubstr("127.0.0.1"));
}

TEST_F(ClientFaults, AServerThatWasStartedAgainIsReachedAgain) {
  auto api = std::make_optional<SmallApi>(clock);
  const std::uint16_t port = api->port();
  const Client client = this->client(to(port));
  EXPECT_EQ(client.get<core::ConfigMap>({.name = "map-0"}), SmallApi::object());
  api.reset();
  EXPECT_NE(error_of([&] { client.get<core::ConfigMap>({.name = "map-0"}); }), "no error");
  api.emplace(clock, std::nullopt, port);
  EXPECT_EQ(client.get<core::ConfigMap>({.name = "map-0"}), SmallApi::object());
}

TEST_F(ClientFaults, AStopEndsAWaitForASilentServerAtOnce) {
  SmallApi api(clock);
  FaultProxy proxy(clock, api.port());
  proxy.plan({{Fault::Kind::half_open, 0}});
  StopSource stop;
  const Client client = Client::connect(to(proxy.port()), clock, random).with(stop.stop());  // patience of a minute
  std::thread stopper([&] {
    while (proxy.planned() > 0) std::this_thread::yield();
    stop.request_stop("enough");
  });
  EXPECT_THROW(client.get<core::ConfigMap>({"shop", "map-0"}), Stopped);
  stopper.join();
}

}  // namespace
}  // namespace flyball::client
