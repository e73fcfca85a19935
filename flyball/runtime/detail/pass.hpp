// Pass: one reconcile of one object, without the types: what it reads, writes, owns and says. Context puts the types
// on it. Private to the room, but for its options.
//
// Thread-safety: the thread of the pass. Lifetime: what is in PassParts outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/log.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/cache/cache.hpp"
#include "flyball/client/client.hpp"
#include "flyball/kube/owner.hpp"
#include "flyball/runtime/cause.hpp"
#include "flyball/runtime/controller_spec.hpp"
#include "flyball/runtime/events.hpp"
#include "flyball/runtime/key.hpp"
#include "flyball/runtime/object_name.hpp"
#include "flyball/runtime/read_set.hpp"
#include "flyball/runtime/reconcile_record.hpp"

namespace flyball::runtime {

class Controller;

struct ChildOptions {
  bool owned = true;   // the reconciled object controls it, and takes it along when it goes
  bool adopt = false;  // take over an object that was there before and that nobody controls
  bool force = true;   // take fields over from other managers; without it they are a Conflict whose causes name them
};

namespace detail {

// An object that a pass writes.
struct Child {
  const client::Resource& resource;
  client::MutableObject object;
  kube::meta::v1::ObjectMeta& metadata;  // the object's
};

struct PassParts {
  const client::Client& client;
  cache::ReadView view;
  EventRecorder& events;
  Clock& clock;
  std::vector<kube::GroupVersionKind> owned = {};  // the kinds of children
  Controller* controller = nullptr;                // whose pass it is
};

class Pass {
 public:
  enum class Applied : std::uint8_t { nothing, sent };

  Pass(PassParts parts, ReadSet reads, Causes causes, std::uint32_t failures, Logger log, Stop stop);

  const Key& key() const { return reads_.key(); }
  const Causes& causes() const { return causes_; }
  std::uint32_t failures() const { return failures_; }
  const client::Client& client() const { return client_; }
  const Logger& log() const { return log_; }
  const Stop& stop() const { return stop_; }
  Clock& clock() const { return parts_.clock; }

  // Whom children belong to; their changes wake it, also of those that the pass does not look at. The metadata is
  // copied.
  void set_owner(const kube::ObjectRef& owner);
  const std::string& owner_uid() const;

  kube::ObjectKey complete(const client::Resource& resource, const ObjectName& name) const;
  std::optional<cache::Object> find(const client::Resource& resource, const kube::ObjectKey& key);
  void each(const client::Resource& resource, cache::Query query, const std::function<void(const cache::Object&)>& use);
  [[noreturn]] static void not_found(const client::Resource& resource, const kube::ObjectKey& key);

  // Gives it the namespace and the owner it shall have.
  void adopt(const Child& child, const ChildOptions& options) const;
  using MetadataOf = std::function<const kube::meta::v1::ObjectMeta*(const void*)>;
  // `stored` is filled with the object in the cache, `answer` with what the server says, if it was asked.
  Applied apply(const Child& desired, void* stored, client::MutableObject answer, const MetadataOf& metadata_of,
                const ChildOptions& options);
  bool delete_object(const client::Resource& resource, const kube::ObjectKey& key, client::DeleteOptions options);

  // The server's answer to a write.
  template <class T>
  void wrote(std::string_view verb, const client::Resource& resource, const T& answer) {
    parts_.view.observe_write(answer);
    wrote(verb, resource, answer.metadata, true);
  }
  void wrote(std::string_view verb, const client::Resource& resource, const kube::meta::v1::ObjectMeta& metadata,
             bool changed);

  // The write let it go: the object had nothing left to wait for.
  void gone(const client::Resource& resource, const kube::meta::v1::ObjectMeta& last);

  void tell(EventType type, std::string_view reason, std::string_view note);
  void requeue_after(Duration after);
  void follow(const client::Resource& resource, cache::Scope scope, Map map) const;
  void unfollow(const client::Resource& resource) const;
  std::vector<client::Resource> followed() const;

  const std::optional<Duration>& requeue() const { return requeue_; }
  // There is nothing to reconcile: the object is gone.
  void set_absent() { absent_ = true; }
  bool is_absent() const { return absent_; }
  // The reads go back to those who remember them; once, at the end.
  ReadSet& reads() { return reads_; }
  cache::ReadView& view() { return parts_.view; }
  std::vector<RecordedWrite>& writes() { return writes_; }

 private:
  bool is_so(const Child& desired, const void* stored, const kube::meta::v1::ObjectMeta& metadata) const;
  void check_owner(const Child& desired, const kube::meta::v1::ObjectMeta& stored, const ChildOptions& options) const;

  PassParts parts_;
  const client::Client client_;
  const Stop stop_;
  const Logger log_;
  const Causes causes_;
  const std::uint32_t failures_;
  ReadSet reads_;
  const reflect::KindInfo* owner_kind_ = nullptr;
  kube::meta::v1::ObjectMeta owner_ = {};
  std::vector<RecordedWrite> writes_ = {};
  std::optional<Duration> requeue_ = {};
  bool absent_ = false;
};

}  // namespace detail
}  // namespace flyball::runtime
