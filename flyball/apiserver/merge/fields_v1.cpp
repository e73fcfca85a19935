#include "flyball/apiserver/merge/fields_v1.hpp"

#include <string>
#include <utility>

#include "flyball/json/text_writer.hpp"

namespace flyball::apiserver::merge {

namespace {

void end(json::Builder& to) { to.end(); }
void end(json::TextWriter& to) { to.end_object(); }

template <class Writer>
void encode_level(const FieldSet& set, bool self, Writer& to) {
  to.begin_object();
  if (self) end(to.key(".").begin_object());
  for (const FieldSet::Entry& entry : set.entries()) {
    to.key(to_text(entry.element));
    if (entry.below == nullptr) {
      end(to.begin_object());
    } else {
      encode_level(*entry.below, entry.member, to);
    }
  }
  end(to);
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

std::string fields_text(const FieldSet& set) {
  std::string text;
  json::TextWriter to(text);
  encode_level(set, false, to);
  to.finish();
  return text;
}

FieldSet decode_fields(json::View fields) {
  if (!fields.exists()) return {};
  return decode_level(fields).set;
}

}  // namespace flyball::apiserver::merge
