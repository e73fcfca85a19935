#include "flyball/apiserver/merge/forms.hpp"
#include "flyball/apiserver/merge/operations.hpp"
#include "flyball/json/builder.hpp"

namespace flyball::apiserver::merge {

using json::View;

namespace {

enum class Mode { remove, extract };

class Sieve {
 public:
  explicit Sieve(Mode mode) : extract_(mode == Mode::extract) {}

  json::Value value(View value, const FieldSet& items, const MergeType& type) const {
    const Forms forms = forms_of(type, value);
    if (forms.map) {
      if (!value.is_object()) return nullptr;
      return value.empty() || type.map_atomic ? whole(value) : map(value, items, type);
    }
    if (forms.scalar) return json::Value(value);
    if (!forms.list || !value.is_array()) return nullptr;
    return value.empty() || type.list_atomic ? whole(value) : list(value, items, type);
  }

 private:
  // What cannot be taken apart stays or goes as a whole.
  json::Value whole(View value) const { return extract_ ? json::Value(value) : json::Value(); }

  json::Value list(View list, const FieldSet& items, const MergeType& type) const {
    json::Builder rest;
    rest.begin_array();
    bool any = false;
    for (const View item : list.items()) {
      const ItemElement step = item_element(type, item);
      const FieldSet::Entry* entry = step.element ? items.find(*step.element) : nullptr;
      const bool exact = entry != nullptr && entry->member;
      const bool below = entry != nullptr && entry->below != nullptr;
      if (extract_ ? !exact && !below : exact) continue;
      any = true;
      if (below) {
        rest.value(value(item, *entry->below, *type.item));
      } else {
        rest.value(item);
      }
    }
    rest.end();
    return any ? rest.finish() : json::Value();
  }

  json::Value map(View map, const FieldSet& items, const MergeType& type) const {
    json::Builder rest;
    rest.begin_object();
    bool any = false;
    for (const auto [name, member] : map.entries()) {
      const FieldSet::Entry* entry = items.find(PathElement::field(name));
      const MergeType* child = member_type(type, name);
      const bool exact = entry != nullptr && entry->member;
      const bool below = entry != nullptr && entry->below != nullptr && child != nullptr;
      if (extract_ ? !exact && !below : exact) continue;
      any = true;
      if (exact && child != nullptr) {
        rest.key(name).value(value(member, items, *child));  // upstream, too, looks below with the set of this level
      } else if (below) {
        rest.key(name).value(value(member, *entry->below, *child));
      } else {
        rest.key(name).value(member);
      }
    }
    rest.end();
    return any ? rest.finish() : json::Value();
  }

  bool extract_;
};

}  // namespace

json::Value remove_items(View value, const FieldSet& items, const MergeType& type) {
  if (items.empty()) return json::Value(value);
  return Sieve(Mode::remove).value(value, items, type);
}

json::Value extract_items(View value, const FieldSet& items, const MergeType& type) {
  return Sieve(Mode::extract).value(value, items, type);
}

}  // namespace flyball::apiserver::merge
