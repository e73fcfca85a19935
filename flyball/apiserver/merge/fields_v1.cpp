#include "flyball/apiserver/merge/fields_v1.hpp"

#include <string>
#include <utility>

namespace flyball::apiserver::merge {

namespace {

void encode_level(const FieldSet& set, bool self, json::Builder& to) {
  to.begin_object();
  if (self) to.key(".").begin_object().end();
  for (const FieldSet::Entry& entry : set.entries()) {
    to.key(to_text(entry.element));
    if (entry.below == nullptr) {
      to.begin_object().end();
    } else {
      encode_level(*entry.below, entry.member, to);
    }
  }
  to.end();
}

struct Level {
  FieldSet set = {};
  bool member = false;
};

Level decode_level(json::View fields) {
  if (!fields.is_object() && !fields.is_null()) {
    throw FieldsError("expected an object of fields, found " + std::string(describe(fields.kind())));
  }
  Level level;
  for (const auto [key, value] : fields.entries()) {
    if (key == ".") {
      level.member = true;
      continue;
    }
    auto element = path_element_from(key);
    if (!element) continue;
    Level below = decode_level(value);
    level.set.append(*std::move(element), below.member, std::move(below.set));
  }
  level.set.settle();
  if (level.set.empty()) level.member = true;
  return level;
}

}  // namespace

void encode_fields(const FieldSet& set, json::Builder& to) { encode_level(set, false, to); }

json::Value encode_fields(const FieldSet& set) {
  json::Builder builder;
  encode_fields(set, builder);
  return builder.finish();
}

FieldSet decode_fields(json::View fields) {
  if (!fields.exists()) return {};
  return decode_level(fields).set;
}

}  // namespace flyball::apiserver::merge
