#include "flyball/net/tls.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/net/certificate.hpp"
#include "flyball/net/socket.hpp"

namespace flyball::net {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

class Tls : public testing::Test {
 public:
  // What each side got: what the other said, or its error.
  struct Outcome {
    std::string client;
    std::string server;
    PeerIdentity identity;
  };

  Outcome talk(TlsClient& client, TlsServer& server, const std::string& host = "localhost") {
    Outcome outcome;
    Thread serving(clock, "server", [&] {
      try {
        const auto stream = server.accept(listener.accept({}), {});
        outcome.identity = stream->identity();
        std::array<char, 100> buffer{};
        outcome.server.assign(buffer.data(), stream->read(buffer, {}));
        stream->write("welcome", {});
        stream->close();
        (void)stream->read(buffer, {});
      } catch (const Error& error) {
        outcome.server = error.what();
      }
    });
    try {
      const auto stream = client.connect(connect_tcp(clock, resolver, "127.0.0.1", listener.port(), {}), host, {});
      stream->write("hello", {});
      std::array<char, 100> buffer{};
      outcome.client.assign(buffer.data(), stream->read(buffer, {}));
      EXPECT_EQ(stream->read(buffer, {}), 0U) << "the server said goodbye";
      stream->close();
    } catch (const Error& error) {
      outcome.client = error.what();
    }
    serving.join();
    return outcome;
  }

  Outcome talk(TlsClientOptions client_options, TlsServerOptions server_options,
               const std::string& host = "localhost") {
    TlsClient client(clock, std::move(client_options));
    TlsServer server(clock, std::move(server_options));
    return talk(client, server, host);
  }

  TlsServerOptions serve(const KeyPair& pair) const { return {.certificate = pair.certificate, .key = pair.key}; }

  RealClock clock;
  Resolver resolver{clock};
  Listener listener{clock, "127.0.0.1", 0};
  const WallTime now = clock.wall_now();
  const CertificateAuthority ca = CertificateAuthority::make({.common_name = "test ca", .from = now});
  const CertificateAuthority other_ca = CertificateAuthority::make({.common_name = "other ca", .from = now});
  const KeyPair server_pair = ca.issue({.common_name = "api", .names = {"localhost", "127.0.0.1"}, .from = now});
};

TEST_F(Tls, CarriesBytesBothWaysAndEndsInOrder) {
  const Outcome outcome = talk({.ca = ca.certificate()}, serve(server_pair));
  EXPECT_EQ(outcome.server, "hello");
  EXPECT_EQ(outcome.client, "welcome");
  EXPECT_EQ(outcome.identity.common_name, "");
}

TEST_F(Tls, VerifiesAnIpAddressAgainstTheNames) {
  EXPECT_EQ(talk({.ca = ca.certificate()}, serve(server_pair), "127.0.0.1").client, "welcome");
  EXPECT_THAT(talk({.ca = ca.certificate()}, serve(server_pair), "127.0.0.2").client,
              HasSubstr("is not for 127.0.0.2; it is for: localhost, 127.0.0.1"));
}

TEST_F(Tls, AWrongNameSaysWhichNamesTheCertificateHas) {
  EXPECT_THAT(talk({.ca = ca.certificate()}, serve(server_pair), "kube.example.com").client,
              HasSubstr("\"api\" is not for kube.example.com; it is for: localhost, 127.0.0.1"));
}

TEST_F(Tls, TheCommonNameIsNoName) {
  const KeyPair old_style = ca.issue({.common_name = "localhost", .from = now});
  EXPECT_THAT(talk({.ca = ca.certificate()}, serve(old_style)).client, HasSubstr("no name at all"));
}

TEST_F(Tls, AServerNameStandsInForTheHost) {
  EXPECT_EQ(talk({.ca = ca.certificate(), .server_name = "localhost"}, serve(server_pair), "10.0.0.1").client,
            "welcome");
}

TEST_F(Tls, AnUnknownAuthorityIsNamed) {
  EXPECT_THAT(talk({.ca = other_ca.certificate()}, serve(server_pair)).client,
              HasSubstr("was issued by \"test ca\", which is not among the CAs we trust"));
  EXPECT_THAT(talk({}, serve(server_pair)).client, HasSubstr("not among the CAs we trust")) << "the system's roots";
}

TEST_F(Tls, AnExpiredCertificateSaysWhen) {
  const KeyPair old = ca.issue({.common_name = "api", .names = {"localhost"}, .from = now - 48h, .valid_for = 24h});
  EXPECT_THAT(talk({.ca = ca.certificate()}, serve(old)).client, HasSubstr("\"api\" expired at "));
  const KeyPair early = ca.issue({.common_name = "api", .names = {"localhost"}, .from = now + 48h});
  EXPECT_THAT(talk({.ca = ca.certificate()}, serve(early)).client, HasSubstr("is valid only from "));
}

TEST_F(Tls, DatesAreJudgedByTheClockThatIsPassedIn) {
  ManualClock later;
  later.jump(24h * 365 * 20);
  const auto late_ca = CertificateAuthority::make({.common_name = "late", .from = later.wall_now()});
  const KeyPair pair = late_ca.issue({.common_name = "api", .names = {"localhost"}, .from = later.wall_now()});
  TlsServer server(clock, serve(pair));
  TlsClient there(later, {.ca = late_ca.certificate()});
  EXPECT_EQ(talk(there, server).client, "welcome");
  TlsClient here(clock, {.ca = late_ca.certificate()});
  EXPECT_THAT(talk(here, server).client, HasSubstr("is valid only from "));
}

TEST_F(Tls, InsecureTrustsAnybody) {
  EXPECT_EQ(talk({.insecure = true}, serve(server_pair), "whoever").client, "welcome");
}

TEST_F(Tls, AClientCertificateTellsUserAndGroups) {
  const KeyPair admin =
      ca.issue({.common_name = "admin", .organizations = {"system:masters", "dev"}, .from = now, .server = false});
  TlsServerOptions options = serve(server_pair);
  options.client_ca = ca.certificate();
  const Outcome outcome = talk({.ca = ca.certificate(), .certificate = admin.certificate, .key = admin.key}, options);
  EXPECT_EQ(outcome.client, "welcome");
  EXPECT_EQ(outcome.identity.common_name, "admin");
  EXPECT_THAT(outcome.identity.organizations, ElementsAre("system:masters", "dev"));
  EXPECT_TRUE(outcome.identity.verified);
}

TEST_F(Tls, AClientCertificateOfAnotherAuthorityIsRefused) {
  const KeyPair forged = other_ca.issue({.common_name = "admin", .organizations = {"system:masters"}, .from = now});
  TlsServerOptions options = serve(server_pair);
  options.client_ca = ca.certificate();
  const Outcome outcome = talk({.ca = ca.certificate(), .certificate = forged.certificate, .key = forged.key}, options);
  EXPECT_THAT(outcome.server, HasSubstr("was issued by \"other ca\""));
  EXPECT_NE(outcome.client, "welcome");
}

TEST_F(Tls, ARequiredClientCertificateThatIsMissingIsRefused) {
  TlsServerOptions options = serve(server_pair);
  options.client_ca = ca.certificate();
  options.require_client_certificate = true;
  const Outcome outcome = talk({.ca = ca.certificate()}, options);
  EXPECT_THAT(outcome.server, HasSubstr("peer did not return a certificate"));
  EXPECT_NE(outcome.client, "welcome");
}

TEST_F(Tls, APlainPeerIsRecognised) {
  TlsClient client(clock, {.ca = ca.certificate()});
  Thread serving(clock, "server", [&] {
    const auto stream = listener.accept({});
    std::array<char, 2000> buffer{};
    (void)stream->read(buffer, {});
    stream->write("HTTP/1.1 400 Bad Request\r\n\r\n", {});
  });
  try {
    (void)client.connect(connect_tcp(clock, resolver, "127.0.0.1", listener.port(), {}), "localhost", {});
    FAIL() << "that was no TLS";
  } catch (const NetError& error) {
    EXPECT_THAT(error.what(), HasSubstr("does not speak TLS on this port"));
  }
}

TEST_F(Tls, ASilentPeerEndsTheHandshakeAtTheDeadline) {
  TlsClient client(clock, {.ca = ca.certificate()});
  EXPECT_THROW((void)client.connect(connect_tcp(clock, resolver, "127.0.0.1", listener.port(), {}), "localhost",
                                    Stop().with_deadline(clock, clock.after(20ms))),
               Stopped);
}

TEST_F(Tls, AConnectionCutOffIsNotAnEnd) {
  TlsClient client(clock, {.ca = ca.certificate()});
  TlsServer server(clock, serve(server_pair));
  Thread serving(clock, "server", [&] {
    const auto stream = server.accept(listener.accept({}), {});
    stream->write("half", {});
    stream->shutdown();
  });
  const auto stream = client.connect(connect_tcp(clock, resolver, "127.0.0.1", listener.port(), {}), "localhost", {});
  std::array<char, 100> buffer{};
  EXPECT_EQ(stream->read(buffer, {}), 4U);
  EXPECT_THROW((void)stream->read(buffer, {}), NetError);
}

TEST_F(Tls, WrongTextsAreRefusedWithTheirReason) {
  const auto problem = [&](TlsClientOptions options) -> std::string {
    try {
      TlsClient client(clock, std::move(options));
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(problem({.ca = "nonsense"}), HasSubstr("expected PEM text"));
  EXPECT_THAT(problem({.ca_file = "/nowhere/ca.crt"}), HasSubstr("/nowhere/ca.crt: cannot read the file"));
  EXPECT_THAT(problem({.ca = ca.certificate(), .certificate = server_pair.certificate, .key = Secret("x")}),
              HasSubstr("no private key"));
  EXPECT_THAT(problem({.ca = ca.certificate(), .certificate = server_pair.certificate, .key = ca.pair().key}),
              HasSubstr("does not belong to the certificate"));
  EXPECT_THROW(CertificateAuthority({ca.certificate(), other_ca.pair().key}), InputError);
}

TEST_F(Tls, ChangedFilesAreTakenOverAndBrokenOnesAreNot) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("flyball_tls_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto put = [&](const std::string& name, const std::string& text) {
    // As the kubelet does it: a new file takes the place of the old one.
    std::ofstream(folder / "new") << text;
    std::filesystem::rename(folder / "new", folder / name);
  };
  put("ca.crt", other_ca.certificate());
  TlsClient client(clock, {.ca_file = folder / "ca.crt"});
  TlsServer server(clock, serve(server_pair));
  EXPECT_THAT(talk(client, server).client, HasSubstr("not among the CAs we trust"));
  put("ca.crt", "half a certific");
  EXPECT_EQ(client.generation(), 0U) << "what cannot be used is not taken over";
  put("ca.crt", ca.certificate());
  EXPECT_EQ(client.generation(), 1U);
  EXPECT_EQ(talk(client, server).client, "welcome");
  std::filesystem::remove_all(folder);
}

TEST_F(Tls, FactsOfACertificateReadBack) {
  const CertificateFacts facts = read_certificate(
      ca.issue({.common_name = "me", .organizations = {"a", "b"}, .names = {"x.example.com", "::1"}, .from = now})
          .certificate);
  EXPECT_EQ(facts.common_name, "me");
  EXPECT_THAT(facts.organizations, ElementsAre("a", "b"));
  EXPECT_THAT(facts.names, ElementsAre("x.example.com", "::1"));
  EXPECT_EQ(facts.issuer, "test ca");
  EXPECT_LT(facts.not_before, now);
  EXPECT_GT(facts.not_after, now + 24h);
}

}  // namespace
}  // namespace flyball::net
