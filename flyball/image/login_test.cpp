#include "flyball/image/login.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/image/folder_for_test.hpp"
#include "flyball/image/image.hpp"

namespace flyball::image {
namespace {

struct ImageLogin : ::testing::Test {
  const FolderForTest folder;
  RealClock clock;

  std::optional<Login> find(const std::string& config, const std::string& host) {
    write_file(folder / "config.json", config);
    const Logins logins(
        clock, [&](const char* name) { return std::string(name) == "DOCKER_CONFIG" ? folder.path() : std::string(); });
    return logins.find(host, {});
  }
};

TEST_F(ImageLogin, StandsInDockersFile) {
  const std::string config =
      R"({"auths":{"localhost:5000":{"auth":"bWU6c2VjcmV0OnRvbw=="},"https://index.docker.io/v1/":{"identitytoken":"t"}}})";
  const auto login = find(config, "localhost:5000");
  EXPECT_EQ(login->user, "me");
  EXPECT_EQ(login->password.reveal(), "secret:too");
  EXPECT_EQ(find(config, "docker.io")->identity_token.reveal(), "t");
  EXPECT_FALSE(find(config, "ghcr.io"));
}

TEST_F(ImageLogin, AWrongFileIsNamedAndItsSecretsAreNot) {
  try {
    find(R"({"auths":{"a.b":{"auth":"c2VjcmV0"}}})", "a.b");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), (folder / "config.json") + ": an `auth` is not the base64 of USER:PASSWORD");
  }
  EXPECT_THROW(find("{", "a.b"), Error);
}

TEST_F(ImageLogin, AHelperThatIsMissingIsNamed) {
  try {
    find(R"({"credHelpers":{"a.b":"of-nobody"}})", "a.b");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("no such program: docker-credential-of-nobody"));
  }
}

}  // namespace
}  // namespace flyball::image
