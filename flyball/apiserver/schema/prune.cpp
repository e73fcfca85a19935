#include "flyball/apiserver/schema/prune.hpp"

#include <algorithm>

#include "flyball/json/builder.hpp"

namespace flyball::apiserver {
namespace {

bool is_meta(std::string_view name) { return name == "apiVersion" || name == "kind" || name == "metadata"; }

class Pruner {
 public:
  // Without a schema nothing is known.
  void prune(json::View value, const SchemaNode* schema, bool resource, bool keep_unknown, json::Builder& to) {
    if (value.is_object()) {
      object(value, schema, resource, keep_unknown, to);
    } else if (value.is_array()) {
      list(value, schema, keep_unknown, to);
    } else {
      to.value(value);
    }
  }

  std::vector<std::string> take_unknown() {
    std::ranges::sort(unknown_);
    return std::move(unknown_);
  }

 private:
  void object(json::View value, const SchemaNode* schema, bool resource, bool keep_unknown, json::Builder& to) {
    to.begin_object();
    for (const auto& [key, member] : value.entries()) {
      if (resource && is_meta(key)) {
        to.key(key).value(member);
        continue;
      }
      const SchemaNode* property = schema == nullptr ? nullptr : schema->property(key);
      const bool additional = schema != nullptr && schema->additional != SchemaNode::Additional::none;
      if (property == nullptr && !additional) {
        if (keep_unknown) {
          to.key(key).value(member);
        } else if (!is_meta(key) || !path_.empty()) {
          unknown_.push_back(path_ + (path_.empty() ? "" : ".") + std::string(key));
        }
        continue;
      }
      const std::size_t length = path_.size();
      path_.append(path_.empty() ? "" : ".").append(key);
      child(member, property != nullptr ? property : schema->additional_schema.get(), to.key(key));
      path_.resize(length);
    }
    to.end();
  }

  void list(json::View value, const SchemaNode* schema, bool keep_unknown, json::Builder& to) {
    const SchemaNode* items = schema == nullptr ? nullptr : schema->items.get();
    to.begin_array();
    std::size_t index = 0;
    for (const json::View item : value.items()) {
      const std::size_t length = path_.size();
      path_.append("[").append(std::to_string(index++)).append("]");
      if (keep_unknown && items == nullptr) {
        to.value(item);
      } else if (keep_unknown) {
        prune(item, items, items->embedded_resource, true, to);
      } else {
        child(item, items, to);
      }
      path_.resize(length);
    }
    to.end();
  }

  void child(json::View value, const SchemaNode* schema, json::Builder& to) {
    prune(value, schema, schema != nullptr && schema->embedded_resource,
          schema != nullptr && schema->preserve_unknown_fields, to);
  }

  std::string path_;
  std::vector<std::string> unknown_;
};

}  // namespace

Pruned prune(const Schema& schema, json::View object) { return prune(schema.root(), object, true); }

Pruned prune(const SchemaNode& schema, json::View value, bool resource) {
  Pruner pruner;
  json::Builder builder(value.encoded_size());
  pruner.prune(value, &schema, resource || schema.embedded_resource, schema.preserve_unknown_fields, builder);
  return {.object = builder.finish(), .unknown = pruner.take_unknown()};
}

}  // namespace flyball::apiserver
