// Writes that change nothing, and writers that do not say who they are.
#include <algorithm>
#include <utility>

#include "flyball/apiserver/merge/field_manager.hpp"
#include "flyball/json/builder.hpp"

namespace flyball::apiserver::merge {

using json::View;

namespace {

bool equal_but(View a, View b, std::string_view name, bool (*equal)(View, View)) {
  if (a.size() != b.size()) return false;
  return std::ranges::all_of(a.entries(), [&](const json::Entry& member) {
    const View other = b[member.key];
    if (member.key == name) return other.exists() && equal(member.value, other);
    return member.value == other;
  });
}

bool equal_but_time(View a, View b) {
  const auto timeless = [](View entry) { return entry.size() - (entry.contains("time") ? 1U : 0U); };
  if (timeless(a) != timeless(b)) return false;
  return std::ranges::all_of(
      a.entries(), [&](const json::Entry& member) { return member.key == "time" || member.value == b[member.key]; });
}

bool same_owners(View a, View b) {
  const json::Items left = a.items();
  const json::Items right = b.items();
  return std::ranges::equal(left, right, equal_but_time);
}

bool same_metadata(View a, View b) {
  return equal_but(a, b, "managedFields", [](View, View) { return true; });
}

bool same_object(View a, View b) { return equal_but(a, b, "metadata", same_metadata); }

}  // namespace

json::Value keep_times_of_noop(View live, json::Value next) {
  const View old_owners = live["metadata"]["managedFields"];
  const View new_owners = next["metadata"]["managedFields"];
  if (new_owners.empty() || old_owners.size() != new_owners.size() || old_owners == new_owners) return next;
  if (!same_owners(old_owners, new_owners) || !same_object(live, next)) return next;
  json::Builder kept(next.encoded_size());
  kept.begin_object();
  for (const auto [name, value] : next.entries()) {
    if (name != "metadata") {
      kept.key(name).value(value);
      continue;
    }
    kept.key(name).begin_object();
    for (const auto [key, member] : value.entries()) {
      kept.key(key).value(key == "managedFields" ? old_owners : member);
    }
    kept.end();
  }
  kept.end();
  return kept.finish();
}

std::string manager_from_user_agent(std::string_view user_agent) {
  constexpr std::size_t kLongest = 128;
  std::string name;
  std::string_view rest = user_agent.substr(0, user_agent.find('/'));
  while (!rest.empty()) {
    const auto first = static_cast<unsigned char>(rest.front());
    const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    const std::string_view character = rest.substr(0, length);
    rest.remove_prefix(character.size());
    if (first < 0x20 || first == 0x7f) continue;
    if (name.size() + character.size() > kLongest) break;
    name += character;
  }
  return name;
}

}  // namespace flyball::apiserver::merge
