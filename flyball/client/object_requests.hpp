// ObjectRequests: the verbs for objects of one kind, on objects whose type is a table. Objects<T> (objects.hpp) puts
// the types on it; use that.
//
// Thread-safety: all members may be called from any thread. Lifetime: shares its engine.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "flyball/base/stop.hpp"
#include "flyball/client/engine.hpp"
#include "flyball/client/list.hpp"
#include "flyball/client/options.hpp"
#include "flyball/client/resource.hpp"
#include "flyball/client/update.hpp"
#include "flyball/client/wire.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::client {

// An object and the table of its type.
struct ConstObject {
  const reflect::Type& type;
  const void* object;
};
struct MutableObject {
  const reflect::Type& type;
  void* object;  // as its initialisers leave it
};

class ObjectRequests {
 public:
  ObjectRequests(std::shared_ptr<Engine> engine, std::shared_ptr<const Resource> resource, Extent extent, Stop stop);

  const Resource& resource() const { return *resource_; }
  const std::shared_ptr<Engine>& engine() const { return engine_; }
  const Stop& stop() const { return stop_; }
  // With the client's namespace where the kind has one and the key has none.
  ObjectKey complete(ObjectKey key) const;

  void get(const ObjectKey& key, std::string_view subresource, const GetOptions& options, MutableObject to) const;
  // False when there is no such object. A server that does not know the kind is an error.
  bool find(const ObjectKey& key, const GetOptions& options, MutableObject to) const;
  ListReader list(ListOptions options) const;

  // `key` names the object; its name is empty when the server shall make one.
  void create(const ObjectKey& key, ConstObject object, const WriteOptions& options, MutableObject to) const;
  void replace(const ObjectKey& key, std::string_view subresource, ConstObject object, const WriteOptions& options,
               MutableObject to) const;
  // To a subresource that is an action: eviction, binding, token.
  void post(const ObjectKey& key, std::string_view subresource, ConstObject object, const WriteOptions& options,
            MutableObject to) const;
  void patch(const ObjectKey& key, std::string_view subresource, const Patch& patch, const WriteOptions& options,
             MutableObject to) const;
  void apply(const ObjectKey& key, ConstObject object, Part part, const ApplyOptions& options, MutableObject to) const;
  // False, and nothing was sent, when nothing changed.
  bool update(const ObjectKey& key, ConstObject read, ConstObject changed, Part part, const WriteOptions& options,
              MutableObject to) const;
  bool delete_object(const ObjectKey& key, const DeleteOptions& options) const;
  void delete_collection(const ListOptions& which, const DeleteOptions& options) const;

  // A short rest, growing with the number of tries, before something is read and changed again.
  void rest_after_conflict(int tries) const;

 private:
  Answer read(const ObjectKey& key, std::string_view subresource, const GetOptions& options) const;
  Answer write(Call call, ConstObject object) const;
  bool wants_protobuf() const;
  std::string accept() const;
  void explain_refused_patch(const ObjectKey& key, const Patch& patch, const Answer& answer) const;
  Answer send_patch(const ObjectKey& key, std::string_view subresource, const Patch& patch, bool repeatable,
                    const WriteOptions& options) const;

  std::shared_ptr<Engine> engine_;
  std::shared_ptr<const Resource> resource_;
  Extent extent_;
  Stop stop_;
};

}  // namespace flyball::client
