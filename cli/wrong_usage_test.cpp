// Wrong usage: each call below is refused with these words and this exit code, and leaves everything as it was.
#include "cli/io_for_test.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Words = std::vector<std::string>;

struct Wrong {
  Words words = {};
  int code = kUsage;
  std::string says = {};  // somewhere in the one line that comes
};

struct WrongUsage : ::testing::Test {
  // A project with a kind in two versions, one that runs an image, and one of Kubernetes.
  void make_project() {
    ASSERT_EQ(io.run({"init", "--domain", "example.com", "--name", "shop-operator"}), kOk);
    for (const char* version : {"v1beta1", "v1"}) {
      ASSERT_EQ(io.run({"create", "api", "--group", "shop", "--version", version, "--kind", "Shop"}), kOk) << io.err();
    }
    ASSERT_EQ(
        io.run({"create", "api", "--group", "apps", "--version", "v1", "--kind", "Deployment", "--resource=false"}),
        kOk);
  }

  void expect_refused(const std::vector<Wrong>& calls) {
    const auto before = io.files();
    for (const Wrong& call : calls) {
      std::string line;
      for (const std::string& word : call.words) line += " " + word;
      EXPECT_EQ(io.run(call.words), call.code) << line << "\n" << io.err();
      EXPECT_THAT(io.err(), HasSubstr(call.says)) << line;
      EXPECT_THAT(io.err(), StartsWith("flyball")) << line;
      EXPECT_THAT(io.err(), EndsWith("\n")) << line;
      EXPECT_EQ(std::ranges::count(io.err(), '\n'), 1) << line << "\n" << io.err();
      EXPECT_EQ(io.out(), "") << line;
      EXPECT_EQ(io.files(), before) << line;
    }
  }

  static Words api(const char* group, const char* version, const char* kind, Words more = {}) {
    Words words{"create", "api", "--group", group, "--version", version, "--kind", kind};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  TestIo io;
};

TEST_F(WrongUsage, OfTheCommandLine) {
  expect_refused({
      {{"inti"}, kUsage, "there is no command \"inti\"; did you mean `flyball init`?"},
      {{"create", "apis"}, kUsage, "there is no command \"create apis\"; did you mean `flyball create api`?"},
      {{"create", "nothing"}, kUsage, "there is no command \"create nothing\"; `flyball help` lists them"},
      {{"frobnicate"}, kUsage, "`flyball help` lists them"},
      {{"--domain", "example.com"}, kUsage, "there is no command \"--domain\""},
      {{"version", "extra"}, kUsage, "it takes flags only, found \"extra\""},
      {{"version", "-o", "xml"}, kUsage, "--output: expected text, json or yaml, found \"xml\""},
      {{"version", "-o"}, kUsage, "--output needs a value: --output FORMAT"},
      {{"completion"}, kUsage, "it needs bash|zsh|fish"},
      {{"completion", "tcsh"}, kUsage, "expected bash, zsh or fish, found \"tcsh\""},
      {{"completion", "bash", "zsh"}, kUsage, "one argument too many: \"zsh\""},
      {{"help", "nothing"}, kUsage, "there is no command \"nothing\""},
      {{"dev", "--port", "http"}, kUsage, "--port: expected a number from 0 to 65535, found \"http\""},
      {{"dev", "--port", "65536"}, kUsage, "--port: expected a number from 0 to 65535, found \"65536\""},
      {{"dev", "--node", "docker"}, kUsage, "--node: expected best, processes, loopback, status or none"},
      {{"dev", "--image", "web"}, kUsage, "--image: expected NAME=PATH"},
      {{"dev", "--bare=perhaps"}, kUsage, "--bare: expected true or false, found \"perhaps\""},
      {{"doctor", "--fix"}, kUsage, "there is no flag \"--fix\""},
  });
}

TEST_F(WrongUsage, OfInit) {
  expect_refused({
      {{"init"}, kUsage, "--domain is missing: --domain DOMAIN"},
      {{"init", "--domain", ""}, kUsage, "--domain is missing"},
      {{"init", "--domain", "Example.com"}, kUsage, "--domain: \"Example.com\" is no domain: a lowercase RFC 1123"},
      {{"init", "--domain", "exa mple.com"}, kUsage, "is no domain"},
      {{"init", "--domain", "-.com"}, kUsage, "is no domain"},
      {{"init", "--domain", "foo.k8s.io"}, kUsage, "belongs to Kubernetes itself"},
      {{"init", "--domian", "example.com"}, kUsage, "there is no flag \"--domian\"; did you mean --domain?"},
      {{"init", "--domain", "example.com", "--name", "Shop"},
       kUsage,
       "--name: \"Shop\" cannot be the name of a Deployment"},
      {{"init", "--domain", "example.com", "--name", "1shop"}, kUsage, "cannot be the name of a Deployment"},
      {{"init", "--domain", "example.com", "--name", "tests"}, kUsage, "is taken by the build; use tests-operator"},
      {{"init", "--domain", "example.com", "--name", std::string(57, 'a')}, kUsage, "is too long: at most 56"},
      {{"init", "--domain", "example.com", "a", "b"}, kUsage, "one argument too many: \"b\"; it takes [DIR]"},
      {{"init", "--domain", "example.com", "12"}, kUsage, "name it with --name shop-operator"},
  });
}

TEST_F(WrongUsage, OfInitWhereSomethingIsInTheWay) {
  io.write("src/main.cpp", "mine");
  io.write("file", "mine");
  expect_refused({
      {{"init", "--domain", "example.com", "--name", "shop"},
       kFailed,
       "there is already src/main.cpp; move it out of the way"},
      {{"init", "--domain", "example.com", "file", "--name", "shop"}, kFailed, "Not a directory"},
      {{"init", "--domain", "example.com", "/proc/shop", "--name", "shop"}, kFailed, "cannot write /proc/shop: "},
  });
}

TEST_F(WrongUsage, WithoutAProject) {
  io.write("empty/x", "");
  io.inside = "empty";
  for (const Words& words : std::vector<Words>{api("a", "v1", "A"),
                                               {"delete", "api", "--kind", "A"},
                                               {"build"},
                                               {"manifests"},
                                               {"install"},
                                               {"uninstall"},
                                               {"run"}}) {
    expect_refused({{words, kFailed, "there is no project here: no flyball.yaml in "}});
  }
}

TEST_F(WrongUsage, OfCreateApi) {
  make_project();
  expect_refused({
      {{"create", "api"}, kUsage, "--group is missing"},
      {{"create", "api", "--group", "a"}, kUsage, "--version is missing"},
      {{"create", "api", "--group", "a", "--version", "v1"}, kUsage, "--kind is missing: the kind in UpperCamel"},
      {{"create", "api", "Shop"}, kUsage, "it takes flags only, found \"Shop\""},
      {api("a", "1", "A"), kUsage, "--version: \"1\" is no version of an API; write it as v1, v1beta1 or v1alpha1"},
      {api("a", "v1-alpha1", "A"), kUsage, "is no version of an API"},
      {api("a", "v0", "A"), kUsage, "is no version of an API"},
      {api("a", "v1", "stall"), kUsage,
       "--kind: \"stall\" is no kind: a word in UpperCamel, letters and digits, at most 63; did you mean Stall?"},
      {api("a", "v1", "My-Stall"), kUsage, "did you mean MyStall?"},
      {api("a", "v1", ""), kUsage, "--kind: \"\" is no kind"},
      {api("a", "v1", "Main"), kUsage, "src/main.cpp is a file of every project"},
      {api("a", "v1", "7Up"), kUsage, "--kind: \"7Up\" is no kind"},
      {api("a", "v1", std::string(64, 'K').c_str()), kUsage, "at most 63"},
      {api("A_b", "v1", "A"), kUsage, "--group: \"A_b.example.com\" is no group"},
      {api("other.org", "v1", "A"), kUsage, "--group: \"other.org\" is not in example.com"},
      {api("a", "v1", "A", {"--plural", "As"}), kUsage, "--plural: \"As\""},
      {api("a", "v1", "A", {"--short-name", "a b"}), kUsage, "--short-name: \"a b\""},
      {api("a", "v1", "A", {"--port", "80"}), kUsage, "--port goes with --image"},
      {api("a", "v1", "A", {"--image", "a b"}), kUsage, "--image: \"a b\" is no name of an image"},
      {api("a", "v1", "A", {"--image", "a\"b"}), kUsage, "is no name of an image"},
      {api("a", "v1", "A", {"--image", "x", "--port", "0"}), kUsage, "--port: expected a number from 1 to 65535"},
      {api("a", "v1", "A", {"--image", "x", "--namespaced=false"}), kUsage, "pods live in a namespace"},
      {api("a", "v1", "A", {"--image", "x", "--controller=false"}), kUsage, "take away --controller=false"},
      {api("a.b", "v1", "A", {"--image", "x", "--resource=false"}), kUsage, "take away --resource=false"},
      {api("a", "v1", "A", {"--resource=false", "--controller=false"}), kUsage, "there is nothing to create"},
      {api("a", "v1", "A", {"--resource=maybe"}), kUsage, "--resource: expected true or false"},
      {api("apps", "v1", "Deploymnt", {"--resource=false"}), kUsage,
       "Kubernetes has no apps/v1 Deploymnt; did you mean Deployment?"},
      {api("core", "v1", "Xyzzy", {"--resource=false"}), kUsage, "Kubernetes has no v1 Xyzzy"},
      {api("batch", "v9", "Job", {"--resource=false"}), kUsage, "Kubernetes has no batch/v9 Job"},
      {api("shop", "v1", "Shop"), kFailed, "there is shop.example.com/v1 Shop already; `flyball delete api"},
      {api("other", "v1", "Shop"), kFailed, "a project has one kind of a name"},
      {api("shop", "v1", "SHOP"), kFailed, "a project has one kind of a name"},
      {api("shop", "v2", "Shop", {"--image", "x"}), kUsage, "a further version takes its fields from the first one"},
  });
}

TEST_F(WrongUsage, OfCreateApiWhereAFileIsInTheWay) {
  make_project();
  io.write("src/stall.cpp", "mine");
  expect_refused({{api("shop", "v1", "Stall"), kFailed,
                   "there is already src/stall.cpp; move it out of the way, or use --force"}});
}

TEST_F(WrongUsage, OfDeleteApi) {
  make_project();
  expect_refused({
      {{"delete", "api"}, kUsage, "--kind is missing: --kind KIND"},
      {{"delete", "api", "--kind", "Stall"},
       kFailed,
       "this project has no Stall; it has shop.example.com/v1beta1 Shop, "},
      {{"delete", "api", "--kind", "Shop"}, kUsage, "say which with --version v1beta1 or --version v1"},
      {{"delete", "api", "--kind", "Shop", "--version", "v3"}, kFailed, "this project has no Shop of version v3"},
      {{"delete", "api", "--kind", "Shop", "--version", "v1beta1"}, kFailed, "delete the other versions first"},
  });
}

TEST_F(WrongUsage, OfDeleteApiWhereSomebodyHasWorked) {
  make_project();
  io.write("src/deployment.cpp", "mine");
  const auto before = io.files();
  EXPECT_EQ(io.run({"delete", "api", "--kind", "Deployment"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("you have changed src/deployment.cpp; --force deletes them all the same"));
  EXPECT_EQ(io.files(), before);
  EXPECT_EQ(io.run({"delete", "api", "--kind", "Deployment", "--force"}), kOk) << io.err();
  EXPECT_FALSE(io.files().contains("src/deployment.cpp"));
}

TEST_F(WrongUsage, OfABrokenProjectFile) {
  io.write("flyball.yaml", "name: shop\ndomain: example.com\napis:\n- group: a\n  verison: v1\n");
  expect_refused({{api("a", "v1", "A"), kFailed, "unknown field"}});
  io.write("flyball.yaml", "name: [");
  expect_refused({{{"build"}, kFailed, "flyball.yaml: "}});
  io.write("flyball.yaml", "name: shop\n");
  expect_refused({{{"build"}, kFailed, "flyball.yaml: "}});
}

TEST_F(WrongUsage, OfAProjectThatCannotBeBuilt) {
  make_project();
  std::filesystem::remove(io.folder() / "CMakeLists.txt");
  expect_refused({{{"build"}, kFailed, "there is no CMakeLists.txt in "}});
}

TEST_F(WrongUsage, OfAKubeconfig) {
  make_project();
  io.write("broken", "clusters: 7");
  expect_refused({
      {{"install", "--kubeconfig", "missing"}, kFailed, "missing"},
      {{"install", "--kubeconfig", "broken"}, kFailed, "broken"},
      {{"uninstall", "--kubeconfig", "missing"}, kFailed, "missing"},
      {{"uninstall", "--timeout", "soon"}, kUsage, "--timeout: expected a number from 0 to 86400, found \"soon\""},
  });
}

}  // namespace
}  // namespace flyball::cli
