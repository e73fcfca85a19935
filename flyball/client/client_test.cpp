#include "flyball/client/client.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/client/detail/scripted_transport_for_test.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/crd.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::client {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;
using detail::json_answer;
using detail::protobuf_answer;
using testing::ElementsAre;
using testing::HasSubstr;

struct WidgetSpec {
  std::int32_t size = 1;
};
FLYBALL_DESCRIBE(WidgetSpec, (size, "How big."))
struct WidgetStatus {
  std::int32_t seen = 0;
};
FLYBALL_DESCRIBE(WidgetStatus, (seen, "How often."))
using Widget = CustomResource<"example.com", "v1", "Widget", WidgetSpec, WidgetStatus>;
using Fleet = CustomResource<"example.com", "v1", "Fleet", WidgetSpec>;
FLYBALL_RESOURCE(Fleet, {.plural = "fleeten", .clusterScoped = true})

core::ConfigMap settings() {
  return {.metadata = {.name = "settings", .namespace_ = "shop", .resourceVersion = "7"}, .data = {{"mode", "fast"}}};
}

constexpr const char* kNotFound =
    R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"configmaps \"settings\" not found",)"
    R"("reason":"NotFound","details":{"name":"settings","kind":"configmaps"},"code":404})";

class ClientTest : public testing::Test {
 public:
  ~ClientTest() override { EXPECT_TRUE(transport.finished()) << "an answer was not asked for"; }

  const net::Request& sent(std::size_t index = 0) { return transport.requests.at(index); }
  std::string line(std::size_t index = 0) { return sent(index).method + " " + sent(index).target; }
  std::string header(std::string_view name, std::size_t index = 0) {
    return std::string(sent(index).headers.get(name));
  }
  json::Value body(std::size_t index = 0) { return json::parse(sent(index).body); }

  ManualClock clock;
  Random random{1};
  detail::ScriptedTransport transport;
  Client client{transport, clock, random, {.namespace_ = "shop", .field_manager = "tester"}};
};

template <class Call>
ApiError error_of(Call call) {
  try {
    call();
  } catch (const ApiError& error) {
    return error;
  }
  ADD_FAILURE() << "no ApiError";
  return {Reason::Unknown, ""};
}

TEST_F(ClientTest, GetsABuiltInKindAsProtobuf) {
  transport.answers(protobuf_answer(200, kube::to_protobuf(settings())));
  EXPECT_EQ(client.get<core::ConfigMap>({"shop", "settings"}), settings());
  EXPECT_EQ(line(), "GET /api/v1/namespaces/shop/configmaps/settings");
  EXPECT_EQ(header("Accept"), "application/vnd.kubernetes.protobuf,application/json");
}

TEST_F(ClientTest, TheAnswersContentTypeDecidesHowItIsRead) {
  transport.answers(json_answer(200, reflect::encode(settings())));
  EXPECT_EQ(client.get<core::ConfigMap>({"shop", "settings"}), settings());
}

TEST_F(ClientTest, AKeyWithoutANamespaceLiesInTheClientsNamespace) {
  transport.answers(json_answer(200, reflect::encode(settings())));
  client.get<core::ConfigMap>({.name = "settings"});
  EXPECT_EQ(line(), "GET /api/v1/namespaces/shop/configmaps/settings");
}

TEST_F(ClientTest, AKindWithoutNamespacesHasNoneInItsPath) {
  transport.answers(json_answer(200, reflect::encode(core::Node{.metadata = {.name = "n1"}})));
  client.get<core::Node>({.name = "n1"});
  EXPECT_EQ(line(), "GET /api/v1/nodes/n1");
  EXPECT_THROW(client.get<core::Node>({"shop", "n1"}), InputError);
}

TEST_F(ClientTest, AKeyThatCannotBeOneIsNotSent) {
  EXPECT_THROW(client.get<core::ConfigMap>({"shop", ""}), InputError);
  EXPECT_THROW(client.get<core::ConfigMap>({"shop", "../secrets/a"}), InputError);
  EXPECT_THROW(client.get<core::ConfigMap>({"..", "a"}), InputError);
}

TEST_F(ClientTest, CustomResourcesTravelAsJson) {
  const Widget widget{.metadata = {.name = "w", .namespace_ = "shop"}, .spec = {.size = 4}};
  transport.answers(json_answer(201, reflect::encode(widget)));
  EXPECT_EQ(client.create(widget).spec.size, 4);
  EXPECT_EQ(line(), "POST /apis/example.com/v1/namespaces/shop/widgets?fieldManager=tester");
  EXPECT_EQ(header("Accept"), "application/json");
  EXPECT_EQ(header("Content-Type"), "application/json");
  EXPECT_EQ(body()["apiVersion"].as_string(), "example.com/v1");
}

TEST_F(ClientTest, ACustomResourceMayHaveItsOwnPluralAndNoNamespace) {
  transport.answers(json_answer(200, reflect::encode(Fleet{.metadata = {.name = "f"}})));
  client.get<Fleet>({.name = "f"});
  EXPECT_EQ(line(), "GET /apis/example.com/v1/fleeten/f");
}

TEST_F(ClientTest, CreatesWithAProtobufBody) {
  transport.answers(protobuf_answer(201, kube::to_protobuf(settings())));
  client.create(settings(), {.dry_run = true, .validation = FieldValidation::strict});
  EXPECT_EQ(line(), "POST /api/v1/namespaces/shop/configmaps?fieldManager=tester&dryRun=All&fieldValidation=Strict");
  EXPECT_EQ(header("Content-Type"), "application/vnd.kubernetes.protobuf");
  EXPECT_EQ(kube::from_protobuf<core::ConfigMap>(sent().body), settings());
}

TEST_F(ClientTest, AServerThatTakesNoProtobufGetsJsonFromThenOn) {
  transport.answers(json_answer(415, R"({"kind":"Status","reason":"UnsupportedMediaType","code":415})"));
  transport.answers(json_answer(201, reflect::encode(settings())));
  client.create(settings());
  EXPECT_EQ(header("Content-Type", 1), "application/json");
  transport.answers(json_answer(200, reflect::encode(settings())));
  client.get<core::ConfigMap>({"shop", "settings"});
  EXPECT_EQ(header("Accept", 2), "application/json");
}

TEST_F(ClientTest, AServerThatGivesNoProtobufIsAskedForJson) {
  transport.answers({.status = 406, .body = "no"});
  transport.answers(json_answer(200, reflect::encode(settings())));
  EXPECT_EQ(client.get<core::ConfigMap>({"shop", "settings"}), settings());
  EXPECT_EQ(header("Accept", 1), "application/json");
}

TEST_F(ClientTest, FindGivesNothingForAnObjectThatIsNotThere) {
  transport.answers(json_answer(404, kNotFound));
  EXPECT_FALSE(client.find<core::ConfigMap>({"shop", "settings"}).has_value());
}

TEST_F(ClientTest, FindThrowsWhenItIsTheKindThatIsNotThere) {
  transport.answers({.status = 404, .headers = {{"Content-Type", "text/plain"}}, .body = "404 page not found\n"});
  const ApiError error = error_of([&] { client.find<Widget>({"shop", "w"}); });
  EXPECT_TRUE(error.is_not_found());
  EXPECT_THAT(error.what(), HasSubstr("is the CustomResourceDefinition installed"));
}

TEST_F(ClientTest, FindThrowsForANotFoundThatNamesNoObject) {
  transport.answers(json_answer(404, R"({"kind":"Status","reason":"NotFound","code":404,"details":{},)"
                                     R"("message":"the server could not find the requested resource"})"));
  EXPECT_TRUE(error_of([&] { client.find<Widget>({"shop", "w"}); }).is_not_found());
}

TEST_F(ClientTest, ReplacePutsTheWholeObject) {
  transport.answers(protobuf_answer(200, kube::to_protobuf(settings())));
  client.replace(settings());
  EXPECT_EQ(line(), "PUT /api/v1/namespaces/shop/configmaps/settings?fieldManager=tester");
  EXPECT_EQ(kube::from_protobuf<core::ConfigMap>(sent().body), settings());
}

TEST_F(ClientTest, UpdateSendsOnlyWhatChangedWithTheVersionThatWasRead) {
  core::ConfigMap changed = settings();
  changed.data["mode"] = "slow";
  transport.answers(protobuf_answer(200, kube::to_protobuf(changed)));
  EXPECT_EQ(client.update(settings(), changed), changed);
  EXPECT_EQ(line(), "PATCH /api/v1/namespaces/shop/configmaps/settings?fieldManager=tester");
  EXPECT_EQ(header("Content-Type"), "application/merge-patch+json");
  EXPECT_EQ(body(), json::parse(R"({"data":{"mode":"slow"},"metadata":{"resourceVersion":"7"}})"));
}

TEST_F(ClientTest, UpdateSendsNothingWhenNothingChanged) {
  EXPECT_EQ(client.update(settings(), settings()), settings());
  EXPECT_TRUE(transport.requests.empty());
}

TEST_F(ClientTest, UpdateOfAStaleListElementIsAConflictAndNotInvalid) {
  apps::Deployment read{.metadata = {.name = "web", .namespace_ = "shop", .resourceVersion = "7"}};
  read.spec.template_.spec.containers = {{.name = "a", .image = "a:1"}, {.name = "b", .image = "b:1"}};
  apps::Deployment changed = read;
  changed.spec.template_.spec.containers[1].image = "b:2";
  transport.answers(json_answer(422, R"({"kind":"Status","reason":"Invalid","code":422,)"
                                     R"("message":"the server rejected our request due to an error in our request"})"));
  PartialObjectMetadata now{.metadata = {.name = "web", .namespace_ = "shop", .resourceVersion = "8"}};
  transport.answers(protobuf_answer(200, kube::to_protobuf(now)));
  EXPECT_TRUE(error_of([&] { client.update(read, changed); }).is_conflict());
  EXPECT_EQ(header("Content-Type"), "application/json-patch+json");
}

TEST_F(ClientTest, EditReadsAgainAndChangesAgainOnAConflict) {
  core::ConfigMap newer = settings();
  newer.metadata.resourceVersion = "8";
  newer.data["other"] = "x";
  transport.answers(protobuf_answer(200, kube::to_protobuf(settings())));
  transport.answers(json_answer(409, R"({"kind":"Status","reason":"Conflict","code":409,"message":"modified"})"));
  transport.answers(protobuf_answer(200, kube::to_protobuf(newer)));
  transport.answers(protobuf_answer(200, kube::to_protobuf(newer)));
  ManualClock running({.auto_advance = true});
  Client quick(transport, running, random);
  quick.edit<core::ConfigMap>({"shop", "settings"}, [](core::ConfigMap& map) { map.data["mode"] = "slow"; });
  EXPECT_EQ(body(3), json::parse(R"({"data":{"mode":"slow"},"metadata":{"resourceVersion":"8"}})"));
}

TEST_F(ClientTest, UpdateStatusSendsTheStatusAlone) {
  const Widget read{.metadata = {.name = "w", .namespace_ = "shop", .resourceVersion = "3"}, .spec = {.size = 2}};
  Widget changed = read;
  changed.status.seen = 5;
  changed.spec.size = 9;
  transport.answers(json_answer(200, reflect::encode(changed)));
  client.update_status(read, changed);
  EXPECT_EQ(line(), "PATCH /apis/example.com/v1/namespaces/shop/widgets/w/status?fieldManager=tester");
  EXPECT_EQ(body(), json::parse(R"({"status":{"seen":5},"metadata":{"resourceVersion":"3"}})"));
}

TEST_F(ClientTest, PatchesCarryTheirType) {
  for (int i = 0; i < 3; ++i) transport.answers(protobuf_answer(200, kube::to_protobuf(settings())));
  client.patch<core::ConfigMap>({"shop", "settings"}, Patch::merge(json::parse(R"({"data":{"a":"b"}})")));
  client.patch<core::ConfigMap>({"shop", "settings"}, Patch::strategic(json::parse(R"({"data":{"a":"b"}})")));
  client.patch<core::ConfigMap>({"shop", "settings"}, Patch::json(json::parse(R"([{"op":"remove","path":"/data"}])")));
  EXPECT_EQ(header("Content-Type", 0), "application/merge-patch+json");
  EXPECT_EQ(header("Content-Type", 1), "application/strategic-merge-patch+json");
  EXPECT_EQ(header("Content-Type", 2), "application/json-patch+json");
  EXPECT_EQ(sent(2).body, R"([{"op":"remove","path":"/data"}])");
}

TEST_F(ClientTest, ApplySendsWhatIsSetWithoutTheServersOwnFields) {
  Widget widget{.metadata = {.name = "w", .namespace_ = "shop"}, .spec = {.size = 2}, .status = {.seen = 1}};
  widget.metadata.managedFields = {{.manager = "other"}};
  transport.answers(json_answer(200, reflect::encode(widget)));
  client.apply(widget, {.force = true});
  EXPECT_EQ(line(), "PATCH /apis/example.com/v1/namespaces/shop/widgets/w?fieldManager=tester&force=true");
  EXPECT_EQ(header("Content-Type"), "application/apply-patch+yaml");
  EXPECT_EQ(body(), json::parse(R"({"apiVersion":"example.com/v1","kind":"Widget",
      "metadata":{"name":"w","namespace":"shop"},"spec":{"size":2}})"));
}

TEST_F(ClientTest, ApplyStatusSendsTheNameAndTheStatus) {
  const Widget widget{.metadata = {.name = "w", .namespace_ = "shop"}, .spec = {.size = 2}, .status = {.seen = 1}};
  transport.answers(json_answer(200, reflect::encode(widget)));
  client.apply_status(widget);
  EXPECT_EQ(line(), "PATCH /apis/example.com/v1/namespaces/shop/widgets/w/status?fieldManager=tester");
  EXPECT_EQ(body(), json::parse(R"({"apiVersion":"example.com/v1","kind":"Widget",
      "metadata":{"name":"w","namespace":"shop"},"status":{"seen":1}})"));
}

TEST_F(ClientTest, DeletesWithPreconditionsAndPropagation) {
  transport.answers(json_answer(200, R"({"kind":"Status","status":"Success"})"));
  EXPECT_TRUE(client.delete_<core::ConfigMap>(
      {"shop", "settings"},
      {.propagation = Propagation::foreground, .grace = std::chrono::seconds(0), .uid = "u", .resource_version = "7"}));
  EXPECT_EQ(line(), "DELETE /api/v1/namespaces/shop/configmaps/settings");
  EXPECT_EQ(body(), json::parse(R"({"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":0,
      "propagationPolicy":"Foreground","preconditions":{"uid":"u","resourceVersion":"7"}})"));
}

TEST_F(ClientTest, DeletingWhatIsNotThereMayBeFine) {
  transport.answers(json_answer(404, kNotFound));
  EXPECT_TRUE(error_of([&] { client.delete_<core::ConfigMap>({"shop", "settings"}); }).is_not_found());
  transport.answers(json_answer(404, kNotFound));
  EXPECT_FALSE(client.delete_<core::ConfigMap>({"shop", "settings"}, {.missing_is_fine = true}));
}

TEST_F(ClientTest, ADeleteWhoseFirstAnswerWasLostHasDeleted) {
  ManualClock running({.auto_advance = true});
  Client quick(transport, running, random);
  transport.breaks(net::NetError::Kind::kReset);
  transport.answers(json_answer(404, kNotFound));
  EXPECT_TRUE(quick.delete_<core::ConfigMap>({"shop", "settings"}));
  transport.breaks(net::NetError::Kind::kConnect);  // never arrived: then it was not us
  transport.answers(json_answer(404, kNotFound));
  EXPECT_TRUE(error_of([&] { quick.delete_<core::ConfigMap>({"shop", "settings"}); }).is_not_found());
}

TEST_F(ClientTest, DeleteCollectionNeedsANamespaceAndSendsItsSelectors) {
  EXPECT_THROW(client.delete_collection<core::Pod>({.labels = {{"app", "web"}}}), InputError);
  transport.answers(json_answer(200, "{}"));
  client.delete_collection<core::Pod>({.namespace_ = "shop", .labels = {{"app", "web"}}});
  EXPECT_EQ(line(), "DELETE /api/v1/namespaces/shop/pods?labelSelector=app%3Dweb");
}

TEST_F(ClientTest, TheMetadataViewAsksForTheMetadataAlone) {
  PartialObjectMetadata partial{.metadata = {.name = "w", .namespace_ = "shop"}};
  transport.answers(protobuf_answer(200, kube::to_protobuf(partial)));
  EXPECT_EQ(client.metadata<Widget>().get({"shop", "w"}), partial);
  EXPECT_EQ(header("Accept"),
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
}

TEST_F(ClientTest, TheDynamicViewSpeaksJson) {
  transport.answers(json_answer(201, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"}})"));
  const auto maps = client.dynamic_at(resource_of<core::ConfigMap>());
  const json::Value made = maps.create(json::parse(R"({"metadata":{"name":"settings"},"new":{"field":1}})"));
  EXPECT_EQ(header("Accept"), "application/json");
  EXPECT_EQ(body(), json::parse(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"},
      "new":{"field":1}})"));
  EXPECT_EQ(made["kind"].as_string(), "ConfigMap");
}

TEST_F(ClientTest, RequestsEndAtTheStopTheClientIsGiven) {
  StopSource source;
  source.request_stop();
  EXPECT_THROW(client.with(source.stop()).get<core::ConfigMap>({"shop", "settings"}), Stopped);
}

TEST_F(ClientTest, AnAnswerThatIsNotKubernetesSaysWhatItIs) {
  transport.answers({.status = 200, .headers = {{"Content-Type", "text/html"}}, .body = "<h1>Welcome</h1>"});
  try {
    client.get<core::ConfigMap>({"shop", "settings"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("GET /api/v1/namespaces/shop/configmaps/settings"));
    EXPECT_THAT(error.what(), HasSubstr("<h1>Welcome</h1>"));
  }
}

TEST_F(ClientTest, RawRequestsGetTheSameCare) {
  transport.answers(json_answer(200, R"({"major":"1"})"));
  EXPECT_EQ(client.raw({.target = "/version"}).body, R"({"major":"1"})");
  transport.answers(json_answer(403, R"({"kind":"Status","reason":"Forbidden","code":403,"message":"no"})"));
  EXPECT_TRUE(error_of([&] { client.raw({.target = "/logs"}); }).is_forbidden());
}

}  // namespace
}  // namespace flyball::client
