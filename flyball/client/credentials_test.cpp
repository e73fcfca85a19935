#include "flyball/client/credentials.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/client/detail/api_for_test.hpp"
#include "flyball/client/http_transport.hpp"

namespace flyball::client {
namespace {

using detail::error_of;
using detail::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

std::string header_of(Credentials& credentials) {
  net::Headers headers;
  credentials.authorize(headers, {});
  return std::string(headers.get("Authorization"));
}

TEST(CredentialsTest, ANameAndAPasswordAreBasicAuthorization) {
  EXPECT_EQ(header_of(*basic_auth("admin", Secret("pass:wörd"))), "Basic YWRtaW46cGFzczp3w7ZyZA==");
}

TEST(CredentialsTest, ATokenFileIsReadAgainWhenItChanges) {
  const TempFolder folder;
  const std::string path = folder.write("token", "first\n");
  const auto credentials = token_file(path);
  EXPECT_EQ(header_of(*credentials), "Bearer first");
  folder.write("token", "other");  // as long as the first, and within the same second
  EXPECT_EQ(header_of(*credentials), "Bearer other");
}

TEST(CredentialsTest, TheLastTokenStaysWhileTheFileIsGoneOrEmpty) {
  RealClock clock;
  CapturingSink sink;
  const auto core = std::make_shared<LogCore>(clock, sink);
  const TempFolder folder;
  const std::string path = folder.write("token", "first");
  const auto credentials = token_file(path, {.log = Logger(core, "client")});
  EXPECT_EQ(header_of(*credentials), "Bearer first");
  std::filesystem::remove(path);
  EXPECT_EQ(header_of(*credentials), "Bearer first");
  EXPECT_THAT(sink.take(), HasSubstr("the last token stays in use"));
  folder.write("token", " \n");
  EXPECT_EQ(header_of(*credentials), "Bearer first");
  EXPECT_EQ(sink.take(), "") << "said once, not for every request";
  folder.write("token", "second");
  EXPECT_EQ(header_of(*credentials), "Bearer second");
}

TEST(CredentialsTest, AMissingTokenFileIsAnErrorUnlessThereIsAToken) {
  const auto credentials = token_file("/nowhere/token");
  EXPECT_EQ(error_of<InputError>([&] { return header_of(*credentials); }),
            "/nowhere/token: cannot read the file: No such file or directory");
  EXPECT_EQ(header_of(*token_file("/nowhere/token", {.first = Secret("inline")})), "Bearer inline");
}

TEST(CredentialsTest, ARejectedTokenIsTriedAgainOnlyWhenTheFileHasAnother) {
  RealClock clock;
  const TempFolder folder;
  const std::string path = folder.write("token", "old");
  bool rotate = false;
  const detail::TestApi api(clock, [&](const net::Request& request) {
    if (rotate) folder.write("token", "new");  // the kubelet replaces it while the request is under way
    return net::Response{.status = request.headers.get("Authorization") == "Bearer new" ? 200 : 401};
  });
  Config config = api.config();
  config.credentials = token_file(path);
  HttpTransport transport(clock, config);
  EXPECT_EQ(transport.send({}, {}).status, 401);
  EXPECT_THAT(api.authorizations(), ElementsAre("Bearer old"));
  rotate = true;
  EXPECT_EQ(transport.send({}, {}).status, 200);
  EXPECT_THAT(api.authorizations(), ElementsAre("Bearer old", "Bearer old", "Bearer new"));
}

}  // namespace
}  // namespace flyball::client
