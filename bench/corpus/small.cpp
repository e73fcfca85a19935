// Everything but Pods: custom resources, ConfigMaps, Secrets.
#include "corpus/small.hpp"

#include "corpus/text.hpp"

#include "flyball/base/error.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/decode.hpp"

namespace bench {
namespace {

using flyball::Random;
namespace core = flyball::kube::core::v1;

constexpr std::uint64_t kHuge = 1'000'000;

std::string in_namespace(const ObjectState& state) { return text("team-", state.slot / 100 % 997); }
std::string name(std::string_view kind, const ObjectState& state) {
  std::string made = text(kind, "-", state.slot);
  if (state.incarnation != 0) add(made, "-", state.incarnation);
  return made;
}

// Up to the end of the metadata.
std::string head(std::string_view kind, const ObjectState& state, Random& own) {
  std::string made = text(R"({"metadata":{"name":")", name(kind, state), R"(","namespace":")", in_namespace(state),
                          R"(","uid":")", own.uuid(), R"(","resourceVersion":")", state.version);
  add(made, R"(","generation":)", 1 + state.generation, R"(,"creationTimestamp":")", moment(own.below(20'000'000)),
      R"(","labels":{"app.kubernetes.io/name":")", word(own), R"(","app.kubernetes.io/managed-by":"shop-operator",)",
      R"("shard":")", state.slot / 10, R"("},"annotations":{)", stamp_annotation(), R"("note":"made by a seed"})");
  add(made, R"(,"managedFields":[{"manager":"shop-operator","operation":"Apply","apiVersion":"v1","time":")",
      moment(own.below(20'000'000)), R"(","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":)",
      R"({"f:app.kubernetes.io/managed-by":{},"f:app.kubernetes.io/name":{},"f:shard":{}}}}}]})");
  return made;
}

std::string widget(const ObjectState& state, Random& own) {
  return text(R"({"apiVersion":"shop.example.com/v1","kind":"Widget",)", head("widget", state, own).substr(1),
              R"(,"spec":{"size":)", own.below(1000), R"(,"colour":")", word(own), R"(","owner":")", word(own), "-",
              own.name_suffix(8), R"(","replicas":)", own.below(10), R"(},"status":{"observedGeneration":)",
              1 + state.generation, R"(,"conditions":[{"type":"Ready","status":"True","reason":"Made","message":"",)",
              R"("lastTransitionTime":")", moment(own.below(20'000'000) + state.generation), R"("}]}})");
}

std::string config_map(const ObjectState& state, Random& own, std::uint64_t bytes) {
  std::string made = head("config", state, own) + R"(,"data":{)";
  add(made, R"("generation":")", state.generation, R"(","settings.conf":")");
  const std::size_t end = made.size() + bytes;
  while (made.size() < end) add(made, word(own), ".", word(own), " = ", own.name_suffix(7), ";");
  return made + "\"}}";
}

std::string secret(const ObjectState& state, Random& own) {
  std::string made = head("secret", state, own) + R"(,"type":"Opaque","data":{)";
  return made + text(R"("a":")", base64(own, 1500), R"(","b":")", base64(own, 1500), "\"}}");
}

template <class T>
std::string as_protobuf(const std::string& json) {
  const auto object = flyball::reflect::decode<T>(json);
  return flyball::kube::encode_message(flyball::reflect::type_of<T>(), &object);
}

}  // namespace

SmallCorpus::SmallCorpus(Kind kind, flyball::client::Resource resource, std::size_t count, std::uint64_t seed)
    : Corpus(std::move(resource), count, seed), kind_(kind) {}

std::string SmallCorpus::key(const ObjectState& state) const {
  const char* prefix = kind_ == Kind::widget ? "widget" : kind_ == Kind::secret ? "secret" : "config";
  return in_namespace(state) + "/" + name(prefix, state);
}

std::string SmallCorpus::json(const ObjectState& state) const {
  Random own = random_of(seed(), 's', state.slot, state.incarnation);
  switch (kind_) {
    case Kind::widget: return widget(state, own);
    case Kind::config_map: return config_map(state, own, 100);
    case Kind::huge: return config_map(state, own, kHuge);
    case Kind::secret: return secret(state, own);
  }
  return {};
}

std::string SmallCorpus::protobuf(const ObjectState& state) const {
  if (kind_ == Kind::widget) throw flyball::Error("custom resources have no protobuf");
  return kind_ == Kind::secret ? as_protobuf<core::Secret>(json(state)) : as_protobuf<core::ConfigMap>(json(state));
}

}  // namespace bench
