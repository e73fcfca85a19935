// Rules: what a built-in kind does beyond being stored: its defaults, what a write may change, what it must look like.
//
//   class ConfigMapRules final : public RulesFor<core::ConfigMap> {
//     void validate(const core::ConfigMap& map, Problems& problems) const override;
//     void validate_update(const core::ConfigMap& map, const core::ConfigMap& old, Problems& problems) const override;
//   };
//   const Rules& rules = find_rules(type);      // of any built-in kind; one without rules of its own has the usual
//   ones
//
// The engine calls them in the order of the chain: set_defaults after decoding, prepare_… before admission's last word,
// validate after it. What holds for every kind (metadata, resource versions, generations, managed fields) is the
// engine's and does not appear here.
//
// Thread-safety: rules are constant. Lifetime: they live as long as the program.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/problems.hpp"
#include "flyball/json/value.hpp"
#include "flyball/kube/names.hpp"
#include "flyball/kube/time.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::apiserver {

// What a kind may say of itself without looking at an object.
struct Traits {
  // What is wrong with a name; the words of names.hpp.
  kube::names::Messages (*name)(std::string_view) = kube::names::dns1123_subdomain;
  bool generation = false;                // metadata.generation counts the changes of what is not metadata or status
  std::string_view generation_also = {};  // and those of this part of the metadata: "annotations" (Deployment)
  bool generation_stays = false;          // it is 1 for ever (PriorityClass)
  std::int64_t first_generation = 1;      // CSIDriver begins with none
  bool unconditional_update = true;       // an update without a resourceVersion overwrites
  bool create_on_update = false;          // PUT makes what is not there
  bool orphans_by_default = false;        // DELETE without a policy leaves the dependents (Job, ReplicationController)
  // Paths of fields that field selectors know beside metadata.name and metadata.namespace: "status.phase".
  std::vector<std::string_view> fields = {};
};

// Who writes, and when: for the kinds that note it.
struct Writer {
  kube::Time now = {};
  std::string user = {};
  std::string uid = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::vector<std::string>> extra = {};
};

// Objects come as pointers to the kind's C++ type; RulesFor gives them back their type.
class Rules {
 public:
  Rules() = default;
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;
  virtual ~Rules() = default;

  virtual Traits traits() const { return {}; }
  // Fills in what the client left out; also of objects read from older stores. Must not change a second time.
  virtual void default_object(void* object) const = 0;
  // Takes out what this write may not set (the status on create), keeps what it may not change.
  virtual void prepare_create_object(void* object) const = 0;
  virtual void prepare_update_object(void* object, const void* old) const = 0;
  virtual void prepare_status_object(void* object, const void* old) const = 0;
  // After one of the above: what only the server can know. `old` is null on create; `status`: a write to the status.
  virtual void stamp_object(void* object, const void* old, bool status, const Writer& writer) const = 0;
  virtual void validate_object(const void* object, Problems& problems) const = 0;
  virtual void validate_update_object(const void* object, const void* old, Problems& problems) const = 0;
  virtual void validate_status_object(const void* object, const void* old, Problems& problems) const = 0;
  // What a client is warned of: deprecated fields and values.
  virtual std::vector<std::string> warnings_of(const void* object, const void* old) const = 0;
  // How long the object lives on after DELETE; nothing: it goes at once, whatever was asked for.
  virtual std::optional<std::int64_t> grace_of(const void* object, std::optional<std::int64_t> asked) const = 0;
};

template <class T>
class RulesFor : public Rules {
 public:
  virtual void set_defaults(T& /*object*/) const {}
  // As Kubernetes has it for most kinds: a status can be written only by its subresource.
  virtual void prepare_create(T& object) const {
    if constexpr (requires { object.status; }) object.status = {};
  }
  virtual void prepare_update(T& object, const T& old) const {
    if constexpr (requires { object.status; }) object.status = old.status;
  }
  virtual void prepare_status(T& object, const T& old) const {
    if constexpr (requires { object.spec; }) object.spec = old.spec;
  }
  virtual void stamp(T& /*object*/, const T* /*old*/, bool /*status*/, const Writer& /*writer*/) const {}
  virtual void validate(const T& /*object*/, Problems& /*problems*/) const {}
  virtual void validate_update(const T& object, const T& /*old*/, Problems& problems) const {
    validate(object, problems);
  }
  virtual void validate_status(const T& /*object*/, const T& /*old*/, Problems& /*problems*/) const {}
  // `old` is null on create.
  virtual std::vector<std::string> warnings(const T& /*object*/, const T* /*old*/) const { return {}; }
  virtual std::optional<std::int64_t> grace(const T& /*object*/, std::optional<std::int64_t> /*asked*/) const {
    return std::nullopt;
  }

 private:
  static T& mine(void* object) { return *static_cast<T*>(object); }
  static const T& mine(const void* object) { return *static_cast<const T*>(object); }

  void default_object(void* object) const final { set_defaults(mine(object)); }
  void prepare_create_object(void* object) const final { prepare_create(mine(object)); }
  void prepare_update_object(void* object, const void* old) const final { prepare_update(mine(object), mine(old)); }
  void prepare_status_object(void* object, const void* old) const final { prepare_status(mine(object), mine(old)); }
  void stamp_object(void* object, const void* old, bool status, const Writer& writer) const final {
    stamp(mine(object), static_cast<const T*>(old), status, writer);
  }
  void validate_object(const void* object, Problems& problems) const final { validate(mine(object), problems); }
  void validate_update_object(const void* object, const void* old, Problems& problems) const final {
    validate_update(mine(object), mine(old), problems);
  }
  void validate_status_object(const void* object, const void* old, Problems& problems) const final {
    validate_status(mine(object), mine(old), problems);
  }
  std::vector<std::string> warnings_of(const void* object, const void* old) const final {
    return warnings(mine(object), static_cast<const T*>(old));
  }
  std::optional<std::int64_t> grace_of(const void* object, std::optional<std::int64_t> asked) const final {
    return grace(mine(object), asked);
  }
};

// The rules of a built-in kind; null for one that has none of its own.
const Rules* find_rules(const reflect::Type& type);

}  // namespace flyball::apiserver
