// What the table of a built-in Kubernetes type says beyond names and C++ types: its kind, its protobuf form, and what
// strategic merge, server-side apply and defaulting need. A described struct has none of it, except for a kind.
//
//   const reflect::Type& type = reflect::type_of<kube::core::v1::PodSpec>();
//   for (const reflect::Field& field : type.fields)
//     if (field.facts != nullptr && field.facts->list == reflect::ListType::map) use(field.facts->list_keys);
//
// Thread-safety: tables are constant. Lifetime: they live as long as the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace flyball::reflect {

// Words of a constant table, joined by commas: `for (std::string_view verb : kind.verbs)`.
class Words {
 public:
  class iterator {
   public:
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    constexpr iterator() = default;
    constexpr explicit iterator(std::string_view rest) : rest_(rest), done_(rest.empty()) {}
    constexpr std::string_view operator*() const { return rest_.substr(0, rest_.find(',')); }
    constexpr iterator& operator++() {
      const std::size_t comma = rest_.find(',');
      done_ = comma == std::string_view::npos;
      rest_ = done_ ? std::string_view() : rest_.substr(comma + 1);
      return *this;
    }
    constexpr iterator operator++(int) {
      const iterator old = *this;
      ++*this;
      return old;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) {
      return a.done_ == b.done_ && a.rest_.size() == b.rest_.size();
    }

   private:
    std::string_view rest_ = {};
    bool done_ = true;
  };

  constexpr Words() = default;
  constexpr Words(const char* text) : text_(text) {}
  constexpr iterator begin() const { return iterator(text_); }
  constexpr iterator end() const { return {}; }
  constexpr bool empty() const { return text_.empty(); }
  constexpr bool contains(std::string_view word) const {
    for (const std::string_view one : *this) {
      if (one == word) return true;
    }
    return false;
  }
  constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_ = {};
};

enum class ListType : std::uint8_t { none, atomic, set, map };
enum class MapType : std::uint8_t { none, atomic, granular };

struct FieldFacts {
  std::string_view default_json = {};  // the static default of the schema
  Words list_keys = {};                // of ListType::map
  std::string_view merge_key = {};     // strategic merge patch
  std::string_view one_of = {};        // at most one field of that name may be set; "discriminator" says which
  Words gates = {};                    // the feature gates that guard the field
  std::span<const std::string_view> known_values = {};
  bool closed = false;  // no other values than those
  ListType list = ListType::none;
  MapType map = MapType::none;
  bool patch_merge = false;
  bool patch_replace = false;
  bool patch_retain_keys = false;
  bool deprecated = false;
};

struct Subresource {
  std::string_view name;         // "scale"
  std::string_view kind;         // "Scale"
  std::string_view api_version;  // of that kind; empty when it is the resource's own
  Words verbs;
};

// A top-level kind: what its documents say in apiVersion and kind, and the resource it is served as.
struct KindInfo {
  std::string_view group = {};  // empty for the core group
  std::string_view version = {};
  std::string_view kind = {};
  std::string_view api_version = {};  // "apps/v1", "v1"
  bool any_group = false;             // registered in every group version: the options of requests
  std::string_view plural = {};       // empty when it is not served as a resource of its own
  std::string_view singular = {};
  bool namespaced = false;
  Words short_names = {};
  Words categories = {};
  Words verbs = {};
  bool delete_gives_object = false;  // DELETE answers with the object, not with a Status
  std::string_view storage_hash = {};
  std::span<const Subresource> subresources = {};
  std::string_view list_kind = {};   // "DeploymentList"
  std::string_view item_kind = {};   // of a list kind
  std::string_view introduced = {};  // Kubernetes releases: "1.9"
  std::string_view deprecated = {};
  std::string_view removed = {};
  std::string_view replacement = {};  // "apps/v1/Deployment"
};

// Fields of which at most one is set: `members` are "field=Value", Value being what the discriminator then says.
struct Union {
  std::string_view discriminator;
  Words members;
};

enum class ProtoType : std::uint8_t {
  string,
  bytes,
  boolean,
  int32,
  int64,
  float64,
  message,
  inlined,   // a message whose fields are members of the owner itself
  words,     // a list of strings in a message of its own
  quantity,  // the rest have a form of their own: docs/kube-facts.md, "Codecs"
  int_or_string,
  time,
  micro_time,
  duration,
  raw,  // json::Value
};

enum class ProtoCount : std::uint8_t { always, when_set, list, map };

struct ProtoMessage;

struct ProtoField {
  std::uint16_t number = 0;
  std::uint16_t field = 0;  // index into the Type's fields
  ProtoType type = ProtoType::string;
  ProtoCount count = ProtoCount::always;
  bool go_omits = false;                  // Go's omitempty
  std::uint32_t offset = 0;               // of that field
  const ProtoMessage* inlined = nullptr;  // its `field`s are those of the owner
};

struct ProtoMessage {
  std::string_view name;
  std::span<const ProtoField> fields;  // by ascending number
};

}  // namespace flyball::reflect
