#include "flyball/json/merge_patch.hpp"

#include "flyball/json/builder.hpp"
#include "flyball/json/detail/key_index.hpp"

namespace flyball::json {

namespace {

// True when some object within has a null member, not looking into arrays unless told to.
bool has_null_member(View value, bool in_arrays) {
  for (auto [key, member] : value.entries()) {
    if (member.is_null() || has_null_member(member, in_arrays)) return true;
  }
  if (!in_arrays) return false;
  for (View element : value.items()) {
    if (has_null_member(element, true)) return true;
  }
  return false;
}

class Merger {
 public:
  explicit Merger(const MergeOptions& options) : options_(options) {}

  Value merge(View target, View patch) {
    Builder builder(target.encoded_size() + patch.encoded_size());
    merge(target, patch, builder);
    return builder.finish();
  }

 private:
  void merge(View target, View patch, Builder& to) {
    if (!patch.is_object()) {
      if (options_.drop_nulls_in_arrays && !target.is_object()) return without_nulls(patch, to);
      to.value(patch);
      return;
    }
    to.begin_object();
    const KeyIndex patched(patch);
    for (auto [key, value] : target.entries()) {
      const View change = patched.find(key);
      if (!change.exists()) {
        to.key(key).value(value);
      } else if (!change.is_null()) {
        merge(value, change, to.key(key));
      }
    }
    const KeyIndex present(target);
    for (auto [key, change] : patch.entries()) {
      if (change.is_null() || present.find(key).exists()) continue;
      merge(View(), change, to.key(key));
    }
    to.end();
  }

  static void without_nulls(View value, Builder& to) {
    if (value.is_array()) {
      to.begin_array();
      for (View element : value.items()) without_nulls(element, to);
      to.end();
    } else if (value.is_object()) {
      to.begin_object();
      for (auto [key, member] : value.entries()) {
        if (!member.is_null()) without_nulls(member, to.key(key));
      }
      to.end();
    } else {
      to.value(value);
    }
  }

  const MergeOptions& options_;
};

class Differ {
 public:
  explicit Differ(const MergeOptions& options) : options_(options) {}

  // Writes the patch; false when there is none.
  bool patch(View from, View to, Builder& out) {
    if (!from.is_object() || !to.is_object()) return replacement(from, to, out);
    out.begin_object();
    const KeyIndex before(from);
    const KeyIndex after(to);
    for (auto [key, value] : from.entries()) {
      if (!after.find(key).exists()) out.key(key).null();
    }
    for (auto [key, value] : to.entries()) {
      const View old = before.find(key);
      if (old == value) continue;
      if (value.is_null() || !patch(old, value, out.key(key))) return false;
    }
    out.end();
    return true;
  }

 private:
  bool replacement(View from, View to, Builder& out) const {
    // An array that takes an object's place is the one that keeps its nulls.
    const bool in_arrays = options_.drop_nulls_in_arrays && !(to.is_array() && from.is_object());
    if (has_null_member(to, in_arrays)) return false;
    out.value(to);
    return true;
  }

  const MergeOptions& options_;
};

}  // namespace

Value merge_patch(View target, View patch, const MergeOptions& options) { return Merger(options).merge(target, patch); }

std::optional<Value> create_merge_patch(View from, View to, const MergeOptions& options) {
  Builder patch(256);
  if (!Differ(options).patch(from, to, patch)) return std::nullopt;
  return patch.finish();
}

}  // namespace flyball::json
