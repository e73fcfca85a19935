#include "cli/printing.hpp"

#include "flyball/json/builder.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::cli {

json::Value without_managed_fields(const json::Value& object) {
  if (!object["metadata"]["managedFields"].exists()) return object;
  json::Draft draft(object);
  draft.erase("/metadata/managedFields");
  return draft.build();
}

json::Value list_of(const std::vector<json::Value>& objects) {
  json::Builder list;
  list.begin_object().key("apiVersion").string("v1").key("kind").string("List").key("items").begin_array();
  for (const json::Value& object : objects) list.value(object);
  list.end().end();
  return list.finish();
}

std::string document_text(const json::Value& object, const std::string& format) {
  return format == "json" ? json::write(object, {.indent = 4, .escape_html = false}) + "\n" : json::write_yaml(object);
}

std::string indented(const std::string& text, std::size_t spaces) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += std::string(spaces, ' ') + text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out;
}

}  // namespace flyball::cli
