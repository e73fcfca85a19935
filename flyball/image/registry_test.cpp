#include "flyball/image/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/image/build.hpp"
#include "flyball/image/digest.hpp"
#include "flyball/image/folder_for_test.hpp"
#include "flyball/image/program_for_test.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::image {
namespace {

using ::testing::HasSubstr;

// The little of a registry that a client meets. tests/image asks a real one.
class SmallRegistry {
 public:
  explicit SmallRegistry(Clock& clock)
      : server_(clock, {},
                [this](const net::Request& request, net::ResponseWriter& writer) { writer.send(answer(request)); }) {}

  std::string host() const { return "127.0.0.1:" + std::to_string(server_.port()); }

  // Constant while it serves.
  std::string wants = {};  // the Authorization it asks for; empty: none
  std::string challenge = {};
  std::string token_wants = {};

  Mutex mutex;
  std::map<std::string, std::string> blobs FLYBALL_GUARDED_BY(mutex);
  std::map<std::string, std::string> manifests FLYBALL_GUARDED_BY(mutex);
  std::string upload FLYBALL_GUARDED_BY(mutex);
  std::vector<std::string> asked FLYBALL_GUARDED_BY(mutex);

 private:
  net::Response answer(const net::Request& request) {
    const MutexLock lock(mutex);
    const net::Url url = net::Url::parse("http://x" + request.target);
    asked.push_back(request.method + " " + url.path);
    if (url.path == "/token") return token(request, url);
    if (!wants.empty() && request.headers.get("Authorization") != wants) {
      return {.status = 401,
              .headers = {{"WWW-Authenticate", challenge}},
              .body = R"({"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]})"};
    }
    const std::string last = url.path.substr(url.path.rfind('/') + 1);
    if (url.path.find("/manifests/") != std::string::npos) return manifest(request, last);
    if (request.method == "GET" || request.method == "HEAD") {
      if (!blobs.contains(last)) return {.status = 404};
      if (request.method == "GET" && url.query.empty())
        return {.status = 307, .headers = {{"Location", url.path + "?moved"}}};
      return {.body = request.method == "HEAD" ? "" : blobs[last]};
    }
    if (request.method == "POST") upload.clear();
    upload += request.body;
    if (request.method != "PUT") return {.status = 202, .headers = {{"Location", "/v2/u/blobs/uploads/1?state=2"}}};
    blobs[*net::percent_decode(url.query.substr(url.query.find("digest=") + 7))] = upload;
    return {.status = 201};
  }

  net::Response manifest(const net::Request& request, const std::string& tag) FLYBALL_REQUIRES(mutex) {
    if (request.method == "PUT") {
      manifests[tag] = request.body;
      return {.status = 201};
    }
    if (!manifests.contains(tag)) return {.status = 404};
    return {.headers = {{"Content-Type", kManifestType}}, .body = manifests[tag]};
  }

  net::Response token(const net::Request& request, const net::Url& url) const {
    if (request.headers.get("Authorization") != token_wants) return {.status = 401};
    if (url.query != "service=shop&scope=repository%3Ashop%2Fweb%3Apull%2Cpush")
      return {.status = 400, .body = url.query};
    return {.body = R"({"token":"t0"})"};
  }

  net::HttpServer server_;
};

struct RegistryTest : ::testing::Test {
  RealClock clock;
  SmallRegistry server{clock};
  const Image image = build_image(program_for_test("code", ""), {.name = "web"});
  const Reference name = Reference::parse(server.host() + "/shop/web:1");
  const FolderForTest folder;

  Logins logins_of(const std::string& user_and_password) {
    write_file(folder / "config.json",
               R"({"auths":{")" + server.host() + R"(":{"auth":")" + kube::to_base64(user_and_password) + R"("}}})");
    return {clock,
            [this](const char* variable) { return std::string(variable) == "DOCKER_CONFIG" ? folder.path() : ""; }};
  }
  std::size_t uploads() {
    const MutexLock lock(server.mutex);
    return static_cast<std::size_t>(
        std::ranges::count_if(server.asked, [](const std::string& one) { return one.starts_with("POST /v2"); }));
  }
};

TEST_F(RegistryTest, WhatIsPushedIsPulled) {
  Registry registry(clock, {});
  EXPECT_EQ(registry.push(image, name, {}), image.digest());
  const Image pulled = registry.pull(name, {});
  EXPECT_EQ(pulled.digest(), image.digest());
  EXPECT_EQ(pulled.layers, image.layers);
}

TEST_F(RegistryTest, BlobsThatAreThereAreNotSentAgain) {
  Registry registry(clock, {});
  registry.push(image, name, {});
  EXPECT_EQ(uploads(), 3U);
  registry.push(image, Reference::parse(server.host() + "/shop/web:2"), {});
  EXPECT_EQ(uploads(), 3U);
}

TEST_F(RegistryTest, LargeBlobsGoInPieces) {
  Registry registry(clock, {.piece = 100});
  registry.push(image, name, {});
  const MutexLock lock(server.mutex);
  for (const auto& [digest, bytes] : server.blobs) EXPECT_EQ(digest_of(bytes), digest);
  EXPECT_THAT(server.asked, ::testing::Contains("PATCH /v2/u/blobs/uploads/1"));
}

TEST_F(RegistryTest, ABasicLoginIsSentWhenAsked) {
  server.wants = "Basic " + kube::to_base64("me:secret");
  server.challenge = R"(Basic realm="shop")";
  const Logins logins = logins_of("me:secret");
  Registry registry(clock, {.logins = &logins});
  EXPECT_EQ(registry.push(image, name, {}), image.digest());
}

TEST_F(RegistryTest, ATokenIsFetchedWhereTheRegistrySays) {
  server.wants = "Bearer t0";
  server.challenge = R"(Bearer realm="http://)" + server.host() + R"(/token",service="shop")";
  server.token_wants = "Basic " + kube::to_base64("me:secret");
  const Logins logins = logins_of("me:secret");
  Registry registry(clock, {.logins = &logins});
  EXPECT_EQ(registry.push(image, name, {}), image.digest());
}

TEST_F(RegistryTest, ARefusalSaysHowToLogIn) {
  server.wants = "Basic x";
  server.challenge = R"(Basic realm="shop")";
  Registry registry(clock, {});
  try {
    registry.push(image, name, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("refused an upload to shop/web: status 401, UNAUTHORIZED: authentication "
                                        "required; log in with `docker login 127.0.0.1"));
  }
}

TEST_F(RegistryTest, ADamagedBlobAndAMissingImageAreNoticed) {
  Registry registry(clock, {});
  EXPECT_THROW(registry.pull(name, {}), Error);
  registry.push(image, name, {});
  {
    const MutexLock lock(server.mutex);
    server.blobs[image.manifest.layers[1].digest] += "x";
  }
  EXPECT_THROW(registry.pull(name, {}), Error);
}

}  // namespace
}  // namespace flyball::image
