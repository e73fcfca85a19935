#include "flyball/apiserver/merge/managed_fields.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "flyball/apiserver/merge/fields_v1.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver::merge {

using json::View;

namespace {

void append_member(std::string_view key, std::string_view value, std::string& to) {
  if (value.empty()) return;
  to += to.size() > 1 ? ",\"" : "\"";
  to.append(key).append("\":");
  json::write_string(value, to);
}

std::optional<kube::Time> time_of(View time) {
  if (!time.is_string()) return std::nullopt;
  return kube::Time::parse(time.as_string());
}

Manager decode_entry(View entry, std::size_t index) {
  const std::string_view operation = entry["operation"].string_or("");
  if (operation != "Apply" && operation != "Update") throw FieldsError("operation must be `Apply` or `Update`");
  const std::string_view api_version = entry["apiVersion"].string_or("");
  if (api_version.empty()) throw FieldsError("apiVersion must not be empty");
  const std::string_view type = entry["fieldsType"].string_or("");
  const std::string place = " in managed fields entry " + std::to_string(index);
  if (type.empty()) throw FieldsError("missing fieldsType" + place);
  if (type != "FieldsV1") throw FieldsError("invalid fieldsType " + kube::go::quote(type) + place);
  const bool applied = operation == "Apply";
  return {.id = {.name = std::string(entry["manager"].string_or("")),
                 .applied = applied,
                 .api_version = applied ? "" : std::string(api_version),
                 .subresource = std::string(entry["subresource"].string_or(""))},
          .api_version = std::string(api_version),
          .time = time_of(entry["time"]),
          .fields = decode_fields(entry["fieldsV1"])};
}

void encode_entry(const Manager& manager, json::Builder& to) {
  to.begin_object();
  if (!manager.id.name.empty()) to.key("manager").string(manager.id.name);
  to.key("operation").string(manager.id.applied ? "Apply" : "Update");
  to.key("apiVersion").string(manager.api_version);
  if (manager.time) to.key("time").string(manager.time->to_string());
  to.key("fieldsType").string("FieldsV1");
  encode_fields(manager.fields, to.key("fieldsV1"));
  if (!manager.id.subresource.empty()) to.key("subresource").string(manager.id.subresource);
  to.end();
}

std::int64_t seconds(const Manager& manager) { return manager.time ? manager.time->unix_seconds() : 0; }

bool encoded_before(const Manager* a, const Manager* b) {
  if (a->id.applied != b->id.applied) return a->id.applied;  // "Apply" before "Update"
  return std::tuple(seconds(*a), std::string_view(a->id.name), std::string_view(a->api_version),
                    std::string_view(a->id.subresource)) < std::tuple(seconds(*b), std::string_view(b->id.name),
                                                                      std::string_view(b->api_version),
                                                                      std::string_view(b->id.subresource));
}

// Everything of `object` but its managedFields, and then those of `managed`, if any.
json::Value replace_managed_fields(View object, const Managed* managed) {
  const bool some = managed != nullptr && !managed->empty();
  json::Builder to(object.encoded_size() + (some ? object.encoded_size() / 2 : 0));
  const auto put_metadata = [&](View metadata) {
    to.key("metadata").begin_object();
    for (const auto [name, value] : metadata.entries()) {
      if (name != "managedFields") to.key(name).value(value);
    }
    if (some) managed->encode(to.key("managedFields"));
    to.end();
  };
  to.begin_object();
  for (const auto [name, value] : object.entries()) {
    if (name == "metadata" && (value.is_object() || some)) {
      put_metadata(value);
    } else {
      to.key(name).value(value);
    }
  }
  if (some && !object.contains("metadata")) put_metadata(View());
  to.end();
  return to.finish();
}

}  // namespace

std::string ManagerId::text() const {
  std::string json = "{";
  append_member("manager", name, json);
  append_member("operation", applied ? "Apply" : "Update", json);
  append_member("apiVersion", api_version, json);
  append_member("subresource", subresource, json);
  return json += '}';
}

Managed Managed::decode(View managed_fields) {
  Managed managed;
  managed.managers_.reserve(managed_fields.size());
  std::map<ManagerId, std::size_t> known;  // clients may send thousands
  std::size_t index = 0;
  for (const View entry : managed_fields.items()) {
    Manager decoded = decode_entry(entry, index++);
    const auto [place, is_new] = known.emplace(decoded.id, managed.managers_.size());
    if (is_new) {
      managed.managers_.push_back(std::move(decoded));
    } else {
      managed.managers_[place->second] = std::move(decoded);
    }
  }
  return managed;
}

std::vector<const Manager*> Managed::sorted() const {
  std::vector<const Manager*> sorted;
  sorted.reserve(managers_.size());
  for (const Manager& manager : managers_) sorted.push_back(&manager);
  std::ranges::sort(sorted, encoded_before);
  return sorted;
}

void Managed::encode(json::Builder& to) const {
  to.begin_array();
  for (const Manager* manager : sorted()) encode_entry(*manager, to);
  to.end();
}

std::vector<kube::meta::v1::ManagedFieldsEntry> Managed::entries() const {
  std::vector<kube::meta::v1::ManagedFieldsEntry> entries;
  entries.reserve(managers_.size());
  for (const Manager* manager : sorted()) {
    entries.push_back({.manager = manager->id.name,
                       .operation = manager->id.applied ? "Apply" : "Update",
                       .apiVersion = manager->api_version,
                       .time = manager->time,
                       .fieldsType = "FieldsV1",
                       .fieldsV1 = kube::RawJson::checked(fields_text(manager->fields)),
                       .subresource = manager->id.subresource});
  }
  return entries;
}

Manager* Managed::find(const ManagerId& id) {
  const auto at = std::ranges::find(managers_, id, &Manager::id);
  return at == managers_.end() ? nullptr : &*at;
}

const Manager* Managed::find(const ManagerId& id) const {
  const auto at = std::ranges::find(managers_, id, &Manager::id);
  return at == managers_.end() ? nullptr : &*at;
}

Manager& Managed::at(const ManagerId& id) {
  if (Manager* known = find(id)) return *known;
  return managers_.emplace_back(Manager{.id = id});
}

void Managed::erase(const ManagerId& id) {
  std::erase_if(managers_, [&](const Manager& manager) { return manager.id == id; });
}

void Managed::erase_empty() {
  std::erase_if(managers_, [](const Manager& manager) { return manager.fields.empty(); });
}

bool is_reset(View managed_fields) {
  if (!managed_fields.is_array()) return false;
  if (managed_fields.empty()) return true;
  if (managed_fields.size() > 1 || !managed_fields[0].is_object()) return false;
  const View entry = managed_fields[0];
  return std::ranges::all_of(entry.entries(), [](const json::Entry& member) {
    return member.value.is_null() || (member.value.is_string() && member.value.as_string().empty());
  });
}

json::Value with_managed_fields(View object, const Managed& managed) {
  return replace_managed_fields(object, &managed);
}

json::Value without_managed_fields(View object) { return replace_managed_fields(object, nullptr); }

}  // namespace flyball::apiserver::merge
