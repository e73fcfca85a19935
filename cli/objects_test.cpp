// get, apply and delete.
#include "cli/cluster_for_test.hpp"
#include "cli/server_table.hpp"
#include "cli/text_table.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kConfigs = R"(
apiVersion: v1
kind: ConfigMap
metadata: {name: one, labels: {app: web}}
data: {a: "1"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: two}
)";

constexpr const char* kWidgets = R"(
apiVersion: example.com/v1
kind: Widget
metadata: {name: first}
spec: {size: 3}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, description: How many.}}}}}}
)";

struct ObjectCommands : ::testing::Test {
  ClusterForTest cluster;
  TestIo& io = cluster.io;
};

TEST_F(ObjectCommands, ApplySaysWhatItDid) {
  ASSERT_EQ(cluster.apply(kConfigs), kOk) << io.err();
  EXPECT_EQ(io.out(), "configmap/one created\nconfigmap/two created\n");
  io.input = kConfigs;
  ASSERT_EQ(io.run({"apply", "-f", "-"}), kOk);
  EXPECT_EQ(io.out(), "configmap/one unchanged\nconfigmap/two unchanged\n");
  ASSERT_EQ(cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: one}, data: {a: '2'}}"), kOk);
  EXPECT_EQ(io.out(), "configmap/one configured\n");
}

TEST_F(ObjectCommands, ApplyMakesDefinitionsBeforeTheirObjects) {
  ASSERT_EQ(cluster.apply(kWidgets), kOk) << io.err();
  EXPECT_EQ(
      io.out(),
      "customresourcedefinition.apiextensions.k8s.io/widgets.example.com created\nwidget.example.com/first created\n");
  ASSERT_EQ(io.run({"get", "wd"}), kOk) << io.err();
  EXPECT_EQ(io.out(), "NAME    SIZE\nfirst   3\n");
  ASSERT_EQ(io.run({"get", "all"}), kOk) << io.err();
  EXPECT_THAT(io.out(), HasSubstr("widget.example.com/first   3\n"));
}

TEST_F(ObjectCommands, ApplyDryRunChangesNothing) {
  io.write("one.yaml", kConfigs);
  ASSERT_EQ(io.run({"apply", "-f", "one.yaml", "--dry-run"}), kOk) << io.err();
  EXPECT_THAT(io.out(), StartsWith("configmap/one created (dry run)\n"));
  EXPECT_EQ(io.run({"get", "configmap", "one"}), kFailed);
}

TEST_F(ObjectCommands, ApplyNamesTheFileAndTheField) {
  io.write("sub/wrong.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: BAD_NAME}\n");
  EXPECT_EQ(io.run({"apply", "-f", "sub"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("sub/wrong.yaml: ConfigMap BAD_NAME: "));
  io.write("sub/wrong.yaml", "a: [");
  EXPECT_EQ(io.run({"apply", "-f", "sub"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("sub/wrong.yaml: line 1"));
  EXPECT_EQ(io.run({"apply"}), kUsage);
}

TEST_F(ObjectCommands, ApplyTellsOfFieldsOfOthers) {
  ASSERT_EQ(cluster.apply(kConfigs), kOk);
  cluster.client()
      .dynamic({"", "v1", "ConfigMap"})
      .patch({"default", "one"}, client::Patch::merge(json::object({{"data", json::object({{"a", "9"}})}})),
             {.field_manager = "other"});
  EXPECT_EQ(cluster.apply(kConfigs), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("--force-conflicts takes these fields over"));
  io.input = kConfigs;
  EXPECT_EQ(io.run({"apply", "-f", "-", "--force-conflicts"}), kOk) << io.err();
}

TEST_F(ObjectCommands, GetPrintsTheServersColumns) {
  ASSERT_EQ(cluster.apply(kConfigs), kOk);
  ASSERT_EQ(io.run({"get", "cm"}), kOk) << io.err();
  EXPECT_THAT(io.out(), StartsWith("NAME   DATA   AGE\none    1      "));
  ASSERT_EQ(io.run({"get", "cm", "-A", "-l", "app=web", "--show-labels", "--no-headers"}), kOk) << io.err();
  EXPECT_THAT(io.out(), StartsWith("default   one   1 "));
  EXPECT_THAT(io.out(), HasSubstr("app=web\n"));
  EXPECT_THAT(io.out(), Not(HasSubstr("two")));
}

TEST_F(ObjectCommands, GetPrintsWholeObjectsAndNames) {
  ASSERT_EQ(cluster.apply(kConfigs), kOk);
  ASSERT_EQ(io.run({"get", "cm/one", "-o", "yaml"}), kOk) << io.err();
  EXPECT_THAT(io.out(), StartsWith("apiVersion: v1\ndata:\n  a: \"1\"\nkind: ConfigMap\n"));
  EXPECT_THAT(io.out(), Not(HasSubstr("managedFields")));
  ASSERT_EQ(io.run({"get", "cm", "-o", "json"}), kOk);
  EXPECT_THAT(io.out(), HasSubstr("\"kind\": \"List\""));
  ASSERT_EQ(io.run({"get", "cm", "-o", "name"}), kOk);
  EXPECT_EQ(io.out(), "configmap/one\nconfigmap/two\n");
}

TEST_F(ObjectCommands, GetSaysWhatIsNotThere) {
  ASSERT_EQ(io.run({"get", "pods"}), kOk);
  EXPECT_EQ(io.err(), "No resources found in namespace default.\n");
  EXPECT_EQ(io.run({"get", "pod", "web"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("pods \"web\" not found"));
  EXPECT_EQ(io.run({"get", "wonders"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("no resource called \"wonders\""));
  EXPECT_EQ(io.run({"get", "pod/web", "-A"}), kUsage);
}

TEST_F(ObjectCommands, WatchedTablesShowWhatChanges) {
  ASSERT_EQ(cluster.apply(kConfigs), kOk);
  StopSource enough;
  std::vector<std::string> seen;
  const auto resource = cluster.client().mapper().resolve("cm", {});
  watch_table(cluster.client(), {.resource = resource, .namespace_ = "default"}, enough.stop(),
              [&](const ServerTable& table, bool first) {
                for (const auto& row : table.rows) seen.push_back(row.cells.at(0) + " " + row.cells.at(1));
                if (first) {
                  cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: two}, data: {a: '2', b: '3'}}");
                } else {
                  enough.request_stop();
                }
              });
  EXPECT_THAT(seen, ::testing::ElementsAre("one 1", "two 0", "two 2"));
}

TEST_F(ObjectCommands, GetWatchesUntilItsTimeIsOver) {
  ASSERT_EQ(cluster.apply(kConfigs), kOk);
  ASSERT_EQ(io.run({"get", "cm", "-w", "--timeout", "0s"}), kOk) << io.err();
  EXPECT_THAT(io.out(), HasSubstr("two"));
}

TEST_F(ObjectCommands, DeleteTakesNamesLabelsAndFiles) {
  ASSERT_EQ(cluster.apply(kConfigs), kOk);
  ASSERT_EQ(io.run({"delete", "cm", "-l", "app=web"}), kOk) << io.err();
  EXPECT_EQ(io.out(), "configmap \"one\" deleted\n");
  EXPECT_EQ(io.run({"delete", "cm/one"}), kFailed);
  EXPECT_EQ(io.run({"delete", "cm/one", "--ignore-not-found"}), kOk);
  io.write("two.yaml", kConfigs);
  ASSERT_EQ(io.run({"delete", "-f", "two.yaml", "--ignore-not-found"}), kOk) << io.err();
  EXPECT_EQ(io.out(), "configmap \"two\" deleted\n");
  EXPECT_EQ(io.run({"delete", "cm"}), kUsage) << "without a name it would be all of them";
}

TEST_F(ObjectCommands, DeleteSaysWhichFinalizerHoldsIt) {
  ASSERT_EQ(cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [example.com/hold]}}"),
            kOk);
  EXPECT_EQ(io.run({"delete", "cm/held", "--timeout", "1s"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("configmap/held is still there: it waits for its finalizers example.com/hold"));
  EXPECT_EQ(io.run({"delete", "cm/held", "--wait=false"}), kOk) << io.err();
}

TEST(TextTables, AreAsWideAsTheirWordsAndColouredOnATerminalOnly) {
  TextTable table({"NAME", "STATUS"});
  table.add({"wéb", "Running"});
  std::ostringstream plain;
  table.print(plain, false);
  EXPECT_EQ(plain.str(), "NAME   STATUS\nwéb    Running\n");
  std::ostringstream bright;
  table.print(bright, true);
  EXPECT_THAT(bright.str(), HasSubstr("\033[32mRunning\033[0m"));
}

}  // namespace
}  // namespace flyball::cli
