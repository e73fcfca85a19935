#include "flyball/kube/raw_json.hpp"

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::kube {

RawJson::RawJson(const json::Value& value)
    : text_(value.exists() && !value.is_null() ? json::write(value, {.escape_html = false}) : "") {}

json::Value RawJson::value() const {
  if (text_.empty()) return {};
  return json::parse(text_, {.duplicates = json::Duplicates::last_wins});
}

void RawJson::check() const {
  if (is_json_) return;
  json::Reader reader(text_);
  reader.skip();
  reader.finish();
}

}  // namespace flyball::kube
