#include "flyball/apiserver/merge/fields_v1.hpp"

#include <string>
#include <utility>

#include "flyball/json/text_writer.hpp"

namespace flyball::apiserver::merge {

namespace {

void end(json::Builder& to) { to.end(); }
void end(json::TextWriter& to) { to.end_object(); }

// `word` is room for the text of a step.
template <class Writer>
void encode_level(const FieldSet& set, bool self, std::string& word, Writer& to) {
  to.begin_object();
  if (self) end(to.key(".").begin_object());
  for (const FieldSet::Entry& entry : set.entries()) {
    word.clear();
    append_text(entry.element, word);
    to.key(word);
    if (entry.below == nullptr) {
      end(to.begin_object());
    } else {
      encode_level(*entry.below, entry.member, word, to);
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

void encode_fields(const FieldSet& set, json::Builder& to) {
  std::string word;
  encode_level(set, false, word, to);
}

json::Value encode_fields(const FieldSet& set) {
  json::Builder builder;
  encode_fields(set, builder);
  return builder.finish();
}

std::string fields_text(const FieldSet& set) {
  std::string text;
  json::TextWriter to(text);
  std::string word;
  encode_level(set, false, word, to);
  to.finish();
  return text;
}

FieldSet decode_fields(json::View fields) {
  if (!fields.exists()) return {};
  return decode_level(fields).set;
}

}  // namespace flyball::apiserver::merge
