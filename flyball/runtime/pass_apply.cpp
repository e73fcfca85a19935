// How a pass applies a child: when there is nothing to send, and whose an object is.
#include <memory>
#include <utility>

#include "flyball/json/parse.hpp"
#include "flyball/kube/equality.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/encode.hpp"
#include "flyball/runtime/detail/pass.hpp"
#include "flyball/runtime/owned_fields.hpp"

namespace flyball::runtime::detail {
namespace {

using kube::meta::v1::ObjectMeta;

std::string name_of(const kube::meta::v1::OwnerReference& owner) {
  return owner.kind + " " + owner.name + " (uid " + owner.uid + ")";
}

std::string document(const reflect::Type& type, const void* object) {
  std::string text;
  json::TextWriter writer(text);
  reflect::encode_document(type, object, writer);
  writer.finish();
  return text;
}

}  // namespace

void Pass::adopt(const Child& child, const ChildOptions& options) const {
  if (child.resource.namespaced && child.metadata.namespace_.empty()) child.metadata.namespace_ = key().namespace_;
  if (!options.owned || owner_kind_ == nullptr) return;
  kube::set_owner(*child.object.type.kind, child.metadata, {*owner_kind_, owner_});
}

void Pass::check_owner(const Child& desired, const ObjectMeta& stored, const ChildOptions& options) const {
  if (!options.owned || owner_kind_ == nullptr) return;
  const std::string what = desired.resource.describe({stored.namespace_, stored.name});
  const auto* controller = kube::controller_of(stored);
  if (controller != nullptr && controller->uid == owner_.uid) return;
  if (controller != nullptr && controller->kind == owner_kind_->kind && controller->name == owner_.name) {
    throw Error(what + " still belongs to an earlier " + name_of(*controller) +
                "; it is taken over when the garbage collector has removed it");
  }
  if (controller != nullptr) throw kube::OwnerError(what + " is controlled by " + name_of(*controller));
  if (options.adopt) return;
  throw kube::OwnerError(what +
                         " was there before and is controlled by nobody; delete it, or apply it with .adopt = true");
}

bool Pass::is_so(const Child& desired, const void* stored, const ObjectMeta& metadata) const {
  const reflect::Type& type = desired.object.type;
  if (auto difference = kube::missing(type, stored, desired.object.object)) {
    log_.debug("applying", "object", desired.resource.describe({metadata.namespace_, metadata.name}), "because",
               difference->to_string());
    return false;
  }
  return owns_exactly(metadata, client_.options().field_manager, type.kind->api_version,
                      json::parse(document(type, desired.object.object)));
}

Pass::Applied Pass::apply(const Child& desired, void* stored, client::MutableObject answer,
                          const MetadataOf& metadata_of, const ChildOptions& options) {
  adopt(desired, options);
  const kube::ObjectKey key{desired.metadata.namespace_, desired.metadata.name};
  const auto found = find(desired.resource, key);
  std::string before;
  if (found) {
    found->decode(desired.object.type, stored);
    const ObjectMeta& metadata = *metadata_of(stored);
    check_owner(desired, metadata, options);
    // One that is going comes back when it is gone: that wakes this object again.
    if (metadata.deletionTimestamp || is_so(desired, stored, metadata)) return Applied::nothing;
    before = metadata.resourceVersion;
  }
  const client::ObjectRequests requests(client_.engine(), std::make_shared<client::Resource>(desired.resource),
                                        client::Extent::whole, client_.stop());
  requests.apply(key, {desired.object.type, desired.object.object}, client::Part::object, {.force = options.force},
                 answer);
  const ObjectMeta& now = *metadata_of(answer.object);
  if (answer.type.proto != nullptr) {
    parts_.view.observe_write(desired.resource, client::Format::protobuf,
                              kube::encode_message(answer.type, answer.object));
  } else {
    parts_.view.observe_write(desired.resource, client::Format::json, document(answer.type, answer.object));
  }
  wrote("apply", desired.resource, now, now.resourceVersion != before);
  return Applied::sent;
}

}  // namespace flyball::runtime::detail
