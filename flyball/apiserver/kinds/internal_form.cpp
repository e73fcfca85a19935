#include "flyball/apiserver/kinds/internal_form.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/json/builder.hpp"

namespace flyball::apiserver {
namespace {

struct Field {
  std::string_view name = {};
  std::string json = {};
  std::string_view shape = {};
};

using Types = std::map<std::string_view, std::vector<Field>>;

Field parse_field(std::string_view text) {
  Field field;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    field.name = text;  // @metadata
    return field;
  }
  field.shape = text.substr(colon + 1);
  const std::string_view names = text.substr(0, colon);
  const std::size_t equals = names.find('=');
  field.name = names.substr(0, equals);
  if (equals != std::string_view::npos) {
    field.json = names.substr(equals + 1);
  } else {
    field.json = field.name;
    field.json[0] = static_cast<char>(field.json[0] - 'A' + 'a');
  }
  return field;
}

Types parse_types(std::string_view text) {
  Types types;
  std::vector<Field>* fields = nullptr;
  bool at_start = true;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\n' || text[at] == ' ') {
      at_start = text[at] == '\n';
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (at_start) {
      fields = &types[word];
    } else if (fields != nullptr) {
      fields->push_back(parse_field(word));
    }
    at_start = false;
    at = end;
  }
  return types;
}

const std::vector<Field>& fields_of(std::string_view type) {
  static const Types types = parse_types(internal_types());
  return types.at(type);
}

class FormWriter {
 public:
  explicit FormWriter(json::Builder& to) : to_(to) {}

  // `outer` is the object around it: parts of a pod's security context stand in v1's PodSpec.
  void object(std::string_view type, json::View value, json::View outer) {
    to_.begin_object();
    for (const Field& field : fields_of(type)) {
      if (field.name == "@metadata") {
        for (const auto [key, part] : value["metadata"].entries()) {
          to_.key(key);
          to_.value(part);
        }
        continue;
      }
      to_.key(field.name);
      json::View part = value[field.json];
      if (!part.exists() && type == "PodSecurityContext") part = outer[field.json];
      write(field.shape, part, value);
    }
    to_.end();
  }

 private:
  void write(std::string_view shape, json::View value, json::View outer) {
    const bool absent = !value.exists() || value.is_null();
    if (shape.starts_with("[]")) {
      list(shape.substr(2), value);
    } else if (shape.starts_with('*')) {
      pointer(shape.substr(1), value, outer);
    } else if (shape.size() > 1) {
      object(shape, value, outer);
    } else if (absent) {
      zero(shape);
    } else {
      to_.value(value);
    }
  }
  void zero(std::string_view shape) {
    if (shape == "s") {
      to_.string("");
    } else if (shape == "i") {
      to_.integer(0);
    } else if (shape == "b") {
      to_.boolean(false);
    } else if (shape == "0") {
      to_.string("0");
    } else {
      to_.null();
    }
  }
  void pointer(std::string_view type, json::View value, json::View outer) {
    if (!value.exists() || value.is_null()) {
      to_.null();
    } else {
      object(type, value, outer);
    }
  }
  void list(std::string_view type, json::View value) {
    if (value.empty()) {
      to_.null();
      return;
    }
    to_.begin_array();
    for (const json::View item : value.items()) object(type, item, value);
    to_.end();
  }

  json::Builder& to_;
};

}  // namespace

json::Value internal_form(std::string_view type, json::View v1) {
  json::Builder builder;
  FormWriter(builder).object(type, v1, v1);
  return builder.finish();
}

}  // namespace flyball::apiserver
