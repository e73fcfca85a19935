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

class Comparer {
 public:
  static void value(View before, View after, const MergeType& type, Delta& to) {
    if (before && after && before == after) return;
    const Forms old_forms = forms_of(type, before);
    const Forms new_forms = forms_of(type, after);
    bool leaf = false;
    if (!after) {
      leaf = as(old_forms, before, after, type, to);
    } else {
      // A value that changed its form is gone in the one and new in the other.
      const bool twice = before && old_forms != new_forms;
      if (twice) as(old_forms, before, after, type, to);
      leaf = as(new_forms, before, after, type, to);
      if (twice) settle(to);
    }
    if (leaf) return;
    if (!before) {
      to.added.self = true;
    } else if (!after) {
      to.removed.self = true;
    }
  }

 private:
  // Whether it was compared as a whole.
  static bool as(Forms forms, View before, View after, const MergeType& type, Delta& to) {
    if (forms.map) return map(before, after, type, to);
    if (forms.scalar) return whole(before, after, to);
    return forms.list && list(before, after, type, to);
  }

  static bool whole(View before, View after, Delta& to) {
    if (!before) {
      to.added.self = true;
    } else if (!after) {
      to.removed.self = true;
    } else if (before != after) {
      to.modified.self = true;
    }
    return true;
  }

  static bool map(View before, View after, const MergeType& type, Delta& to) {
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
    return false;
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

  static bool list(View before, View after, const MergeType& type, Delta& to) {
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
    return false;
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
