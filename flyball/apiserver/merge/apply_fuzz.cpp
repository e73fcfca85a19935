// Objects, configurations and managedFields from the network. Input: a live object, a zero byte, an applied one; each
// is also taken for FieldsV1.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/apiserver/merge/field_manager.hpp"
#include "flyball/apiserver/merge/fields_v1.hpp"
#include "flyball/apiserver/merge/operations.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/kinds.hpp"

namespace {

using namespace flyball;
using namespace flyball::apiserver::merge;
using json::Value;
using json::View;

void require(bool law) {
  if (!law) std::abort();
}

std::optional<Value> read(std::string_view text) {
  try {
    return json::parse(text, {.limits = {.depth = 64}, .duplicates = json::Duplicates::last_wins});
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void check_fields(View fields) {
  try {
    const FieldSet set = decode_fields(fields);
    const Value encoded = encode_fields(set);
    require(decode_fields(encoded) == set);
    require(json::write(encode_fields(decode_fields(encoded))) == json::write(encoded));
    require(set.difference(set).empty());
    require((set | set) == set);
  } catch (const FieldsError&) {
    return;
  }
}

Value of_kind(const Value& object) {
  json::Draft draft(object.is_object() ? object : json::object());
  draft.root().set("apiVersion", "v1");
  draft.root().set("kind", "Pod");
  return draft.build();
}

void check_apply(const Value& live, const Value& applied, const ManagedKind& kind) {
  const Writer bob{.manager = "bob", .now = kube::Time::from_unix(60)};
  const Value made = track_update({}, live, kind, bob);
  const Value updated = track_update(made, applied, kind, bob);
  require(updated.is_object());
  try {
    const Writer eve{.manager = "kubectl", .now = kube::Time::from_unix(120)};
    const Value once = apply(made, applied, kind, eve, Force::yes);
    require(fields_of(once, kind.schema.root()) == fields_of(json::parse(json::write(once)), kind.schema.root()));
    // What defaults and storage would mend may not be of the schema yet; what is applies twice as once.
    if (!validate(once, kind.schema.root()).empty()) return;
    require(apply(once, applied, kind, eve, Force::yes)["spec"] == once["spec"]);
  } catch (const Error& error) {
    require(error.what()[0] != '\0');
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const MergeSchema pods = MergeSchema::of(*kube::find_kind("v1", "Pod"));
  static const MergeSchema any = MergeSchema::deduced();
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\0');
  const auto first = read(input.substr(0, end));
  if (!first) return 0;
  check_fields(*first);
  if (end == std::string_view::npos) return 0;
  const auto second = read(input.substr(end + 1));
  if (!second) return 0;
  check_fields(*second);
  for (const MergeSchema* schema : {&pods, &any}) {
    check_apply(of_kind(*first), of_kind(*second), {.schema = *schema, .api_version = "v1", .kind = "Pod"});
  }
  return 0;
}
