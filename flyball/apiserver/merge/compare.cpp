#include <algorithm>
#include <utility>

#include "flyball/apiserver/merge/forms.hpp"
#include "flyball/apiserver/merge/operations.hpp"

namespace flyball::apiserver::merge {

using json::View;

namespace {

struct Part {
  bool self = false;
  FieldSet below = {};
};

struct Delta {
  Part removed = {};
  Part modified = {};
  Part added = {};
};

bool changed(const Part& part) { return part.self || !part.below.empty(); }

void attach(Delta& to, const PathElement& element, Delta& child) {
  const auto put = [&](Part& part, Part& of_child) {
    if (changed(of_child)) part.below.append(element, of_child.self, std::move(of_child.below));
  };
  put(to.removed, child.removed);
  put(to.modified, child.modified);
  put(to.added, child.added);
}

void settle(Delta& delta) {
  delta.removed.below.settle();
  delta.modified.below.settle();
  delta.added.below.settle();
}

// What a value brings where there was nothing, or takes with it: itself, and all of this.
FieldSet everything_in(View value, const MergeType& type);

FieldSet every_member(View map, const MergeType& type) {
  std::vector<json::Entry> members;
  members.reserve(map.size());
  for (const json::Entry entry : map.entries()) members.push_back(entry);
  std::ranges::sort(members, {}, &json::Entry::key);
  FieldSet set;
  set.reserve(members.size());
  for (const auto& [name, member] : members) {
    const MergeType* child = member_type(type, name);
    if (child != nullptr) set.append(PathElement::field(name), true, everything_in(member, *child));
  }
  return set;
}

FieldSet every_item(View list, const MergeType& type) {
  std::vector<Item> items = sorted_items_of(type, list);
  FieldSet set;
  set.reserve(items.size());
  for (auto at = items.begin(); at != items.end();) {
    const auto next = std::find_if(at, items.end(), [&](const Item& item) { return item.element != at->element; });
    // What stands twice is one path.
    FieldSet below = next - at == 1 ? everything_in(at->value, *type.item) : FieldSet();
    set.append(std::move(at->element), true, std::move(below));
    at = next;
  }
  return set;
}

FieldSet everything_in(View value, const MergeType& type) {
  const Forms forms = forms_of(type, value);
  if (forms.map) return type.map_atomic || !value.is_object() ? FieldSet() : every_member(value, type);
  if (forms.scalar || !forms.list) return {};
  return type.list_atomic || !value.is_array() ? FieldSet() : every_item(value, type);
}

class Comparer {
 public:
  static void value(View before, View after, const MergeType& type, Delta& to) {
    if (before && after && before == after) return;
    if (!before || !after) {
      Part& part = after ? to.added : to.removed;
      part.self = true;
      part.below = everything_in(after ? after : before, type);
      return;
    }
    const Forms old_forms = forms_of(type, before);
    const Forms new_forms = forms_of(type, after);
    // A value that changed its form is gone in the one and new in the other.
    const bool twice = old_forms != new_forms;
    if (twice) as(old_forms, before, after, type, to);
    as(new_forms, before, after, type, to);
    if (twice) settle(to);
  }

 private:
  static void as(Forms forms, View before, View after, const MergeType& type, Delta& to) {
    if (forms.map) return map(before, after, type, to);
    if (forms.scalar) return whole(before, after, to);
    if (forms.list) list(before, after, type, to);
  }

  static void whole(View before, View after, Delta& to) {
    if (before != after) to.modified.self = true;
  }

  static void map(View before, View after, const MergeType& type, Delta& to) {
    const View old_map = before.is_object() ? before : View();
    const View new_map = after.is_object() ? after : View();
    if (type.map_atomic || (old_map.empty() && new_map.empty())) return whole(before, after, to);
    const Members old_members(old_map);
    const Members new_members(new_map);
    std::vector<Member> members;
    members.reserve(old_map.size() + new_map.size());
    for (const auto [name, value] : old_map.entries()) members.push_back({name, value, new_members[name]});
    for (const auto [name, value] : new_map.entries()) {
      if (!old_members[name]) members.push_back({name, View(), value});
    }
    std::erase_if(members, [](const Member& m) { return m.before && m.after && m.before == m.after; });
    std::ranges::sort(members, {}, &Member::name);
    for (const Member& one : members) member(one, type, to);
  }

  struct Member {
    std::string_view name;
    View before;
    View after;
  };

  static void member(const Member& one, const MergeType& type, Delta& to) {
    const MergeType* child_type = member_type(type, one.name);
    if (child_type == nullptr) return;
    Delta child;
    value(one.before, one.after, *child_type, child);
    if (!changed(child.removed) && !changed(child.modified) && !changed(child.added)) return;
    attach(to, PathElement::field(one.name), child);
  }

  static void list(View before, View after, const MergeType& type, Delta& to) {
    const View old_list = before.is_array() ? before : View();
    const View new_list = after.is_array() ? after : View();
    if (type.list_atomic || (old_list.empty() && new_list.empty())) return whole(before, after, to);
    const std::vector<Item> old_items = sorted_items_of(type, old_list);
    const std::vector<Item> new_items = sorted_items_of(type, new_list);
    auto i = old_items.begin();
    auto j = new_items.begin();
    while (i != old_items.end() || j != new_items.end()) {
      const bool from_new = i == old_items.end() || (j != new_items.end() && j->element < i->element);
      const PathElement& element = from_new ? j->element : i->element;
      const Group old_group = group(i, old_items.end(), element);
      const Group new_group = group(j, new_items.end(), element);
      Delta child;
      groups(old_group, new_group, *type.item, child);
      attach(to, element, child);
      i = old_group.second;
      j = new_group.second;
    }
  }

  // The items of one step: more than one when it stands twice.
  using Position = std::vector<Item>::const_iterator;
  using Group = std::pair<Position, Position>;
  static Group group(Position at, Position end, const PathElement& element) {
    return {at, std::find_if(at, end, [&](const Item& item) { return item.element != element; })};
  }
  static View first(const Group& group) { return group.first == group.second ? View() : group.first->value; }

  static void groups(const Group& before, const Group& after, const MergeType& type, Delta& to) {
    const auto old_count = before.second - before.first;
    const auto new_count = after.second - after.first;
    if (old_count <= 1 && new_count <= 1) return value(first(before), first(after), type, to);
    if (old_count >= 2 && new_count >= 2) {
      const auto same = [](const Item& a, const Item& b) { return a.value == b.value; };
      const bool equal = std::equal(before.first, before.second, after.first, after.second, same);
      to.modified.self = to.modified.self || !equal;
      return;
    }
    // An item that stood twice was one path; now it is one item with fields, or the other way round.
    if (old_count >= 2) {
      if (new_count != 0) value(View(), first(after), type, to);
      to.removed.self = true;
    } else {
      if (old_count != 0) value(first(before), View(), type, to);
      to.added.self = true;
    }
  }
};

}  // namespace

Comparison compare(View before, View after, const MergeType& type) {
  Delta delta;
  Comparer::value(before, after, type, delta);
  return {.removed = std::move(delta.removed.below),
          .modified = std::move(delta.modified.below),
          .added = std::move(delta.added.below)};
}

}  // namespace flyball::apiserver::merge
