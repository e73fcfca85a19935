#include "flyball/cluster/node/container_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::cluster::node {
namespace {

namespace core = kube::core::v1;
using ::testing::ElementsAre;

struct ContainerRequestTest : ::testing::Test {
  core::Pod pod{.metadata = {.name = "web-0", .namespace_ = "shop"}};
  core::Container container{.name = "web"};
  const Image image{.entrypoint = {"/bin/web"}, .cmd = {"--port=$(PORT)"}, .env = {{"PORT", "1"}, {"MODE", "image"}}};
  const PodSources sources{.config_map = {}, .secret = {}, .services = [] { return std::vector<core::Service>(); }};
  const Volumes volumes{"pod", "claims"};
  ContainerRequest request() { return request_for(pod, container, image, sources, volumes); }
};

TEST_F(ContainerRequestTest, TheImageSpeaksWhereTheContainerDoesNot) {
  EXPECT_THAT(request().command, ElementsAre("/bin/web", "--port=$(PORT)"));
  container.args = {"--quiet"};
  EXPECT_THAT(request().command, ElementsAre("/bin/web", "--quiet"));
  container.command = {"sh"};
  EXPECT_THAT(request().command, ElementsAre("sh", "--quiet"));
  container.args.clear();
  EXPECT_THAT(request().command, ElementsAre("sh"));
}

TEST_F(ContainerRequestTest, VariablesAreExpandedInItsOwnWords) {
  container.env = {{.name = "PORT", .value = "9"}};
  container.command = {"sh", "-c", "echo $(PORT) $(NONE)"};
  const ContainerRequest made = request();
  EXPECT_THAT(made.command, ElementsAre("sh", "-c", "echo 9 $(NONE)"));
  EXPECT_EQ(made.env.at("PORT"), "9");
  EXPECT_EQ(made.env.at("MODE"), "image");
  EXPECT_EQ(made.env.at("HOSTNAME"), "web-0");
}

TEST_F(ContainerRequestTest, WithoutAnyCommandItSaysSo) {
  EXPECT_THROW(request_for(pod, container, {}, sources, volumes), ConfigError);
}

TEST_F(ContainerRequestTest, WhereAllShareANetworkItsProgramIsToldItsAddress) {
  const Image web{.entrypoint = {"/bin/web"}, .bind = {"--listen", "$(POD_IP)"}};
  const auto bound = [&] {
    ContainerRequest made = request_for(pod, container, web, sources, volumes);
    bind_to(made, web, "127.77.0.3");
    EXPECT_EQ(made.env.at("POD_IP"), "127.77.0.3");
    return made.command;
  };
  container.args = {"--quiet"};
  EXPECT_THAT(bound(), ElementsAre("/bin/web", "--quiet", "--listen", "127.77.0.3"));
  container.command = {"web"};
  EXPECT_THAT(bound(), ElementsAre("web", "--quiet", "--listen", "127.77.0.3"));
  container.command = {"sh"};
  EXPECT_THAT(bound(), ElementsAre("sh", "--quiet"));
}

TEST_F(ContainerRequestTest, RunsAsTheUserThatIsAskedFor) {
  EXPECT_EQ(request().user, "");
  pod.spec.securityContext = core::PodSecurityContext{.runAsNonRoot = true};
  EXPECT_EQ(request().user, "nobody");
  pod.spec.securityContext->runAsUser = 1000;
  EXPECT_EQ(request().user, "1000");
  container.securityContext = core::SecurityContext{.runAsUser = 7, .runAsGroup = 8};
  EXPECT_EQ(request().user, "7");
  EXPECT_EQ(request().group, 8);
}

}  // namespace
}  // namespace flyball::cluster::node
