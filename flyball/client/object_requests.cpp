#include "flyball/client/object_requests.hpp"

#include "flyball/base/condition.hpp"
#include "flyball/client/bodies.hpp"
#include "flyball/client/requests.hpp"
#include "flyball/json/write.hpp"

namespace flyball::client {
namespace {

[[noreturn]] void refuse(const Answer& answer) { throw ApiError(read_refusal(answer.response, answer.about).details); }

bool is_refusal(const Answer& answer) { return answer.response.status >= 400; }

}  // namespace

ObjectRequests::ObjectRequests(std::shared_ptr<Engine> engine, std::shared_ptr<const Resource> resource, Extent extent,
                               Stop stop)
    : engine_(std::move(engine)), resource_(std::move(resource)), extent_(extent), stop_(std::move(stop)) {}

ObjectKey ObjectRequests::complete(ObjectKey key) const {
  if (resource_->namespaced && key.namespace_.empty()) key.namespace_ = engine_->options().namespace_;
  return key;
}

bool ObjectRequests::wants_protobuf() const {
  // The metadata of every kind has a protobuf form, of custom resources too.
  const bool possible = resource_->protobuf || extent_ == Extent::metadata;
  return possible && engine_->speaks_protobuf(resource_->kind.group);
}

std::string ObjectRequests::accept() const { return accept_header(extent_, wants_protobuf()); }

Answer ObjectRequests::read(const ObjectKey& key, std::string_view subresource, const GetOptions& options) const {
  net::Query query;
  if (!options.resource_version.empty()) query.add("resourceVersion", options.resource_version);
  const std::string target = with_query(resource_->path(complete(key), subresource), query);
  const auto ask = [&] {
    return engine_->exchange(
        {.verb = "get", .request = {.target = target, .headers = {{"Accept", accept()}}}, .repeatable = true}, stop_);
  };
  Answer answer = ask();
  if (answer.response.status != 406 || !wants_protobuf()) return answer;
  engine_->no_protobuf(resource_->kind.group);
  return ask();
}

void ObjectRequests::get(const ObjectKey& key, std::string_view subresource, const GetOptions& options,
                         MutableObject to) const {
  const Answer answer = read(key, subresource, options);
  if (is_refusal(answer)) refuse(answer);
  decode_object(answer, to.type, to.object);
}

bool ObjectRequests::find(const ObjectKey& key, const GetOptions& options, MutableObject to) const {
  const Answer answer = read(key, {}, options);
  if (is_refusal(answer)) {
    const Refusal refusal = read_refusal(answer.response, answer.about);
    // Without an object in it, it is the kind that is missing: that is not "there is none".
    if (refusal.details.reason == Reason::NotFound && refusal.about_object()) return false;
    throw ApiError(refusal.details);
  }
  decode_object(answer, to.type, to.object);
  return true;
}

ListReader ObjectRequests::list(ListOptions options) const {
  return {engine_, *resource_, extent_, std::move(options), stop_};
}

// The body as protobuf where the server takes it; what it does not take is not sent to it again.
Answer ObjectRequests::write(Call call, ConstObject object) const {
  const auto with_body = [&](Format format) {
    call.request.headers = {{"Accept", accept()}, {"Content-Type", std::string(content_type(format))}};
    call.request.body = object_body(object, format, *resource_);
    return engine_->exchange(call, stop_);
  };
  const bool protobuf = wants_protobuf() && object.type.proto != nullptr;
  Answer answer = with_body(protobuf ? Format::protobuf : Format::json);
  const bool other_format = answer.response.status == 415 || answer.response.status == 406;
  if (other_format && wants_protobuf()) {
    engine_->no_protobuf(resource_->kind.group);
    answer = with_body(Format::json);
  }
  if (is_refusal(answer)) refuse(answer);
  return answer;
}

void ObjectRequests::create(const ObjectKey& key, ConstObject object, const WriteOptions& options,
                            MutableObject to) const {
  net::Query query;
  add_write_options(options, engine_->options().field_manager, query);
  const ObjectKey where = complete(key);
  const std::string target = with_query(resource_->path(std::string_view(where.namespace_)), query);
  const Answer answer = write({.verb = "create", .request = {.method = "POST", .target = target}}, object);
  decode_object(answer, to.type, to.object);
}

void ObjectRequests::replace(const ObjectKey& key, std::string_view subresource, ConstObject object,
                             const WriteOptions& options, MutableObject to) const {
  net::Query query;
  add_write_options(options, engine_->options().field_manager, query);
  const std::string target = with_query(resource_->path(complete(key), subresource), query);
  const Call call{.verb = "update", .request = {.method = "PUT", .target = target}, .repeatable = true};
  decode_object(write(call, object), to.type, to.object);
}

void ObjectRequests::post(const ObjectKey& key, std::string_view subresource, ConstObject object,
                          const WriteOptions& options, MutableObject to) const {
  net::Query query;
  add_write_options(options, engine_->options().field_manager, query);
  const std::string target = with_query(resource_->path(complete(key), subresource), query);
  const Call call{.verb = "create",
                  .request = {.method = "POST", .target = target},
                  .busy_is_an_answer = subresource == "eviction"};
  decode_object(write(call, object), to.type, to.object);
}

Answer ObjectRequests::send_patch(const ObjectKey& key, std::string_view subresource, const Patch& patch,
                                  bool repeatable, const WriteOptions& options) const {
  net::Query query;
  add_write_options(options, engine_->options().field_manager, query);
  net::Request request{.method = "PATCH",
                       .target = with_query(resource_->path(complete(key), subresource), query),
                       .headers = {{"Accept", accept()}, {"Content-Type", std::string(patch_content_type(patch.type))}},
                       .body = json::write(patch.body)};
  return engine_->exchange({.verb = "patch", .request = std::move(request), .repeatable = repeatable}, stop_);
}

void ObjectRequests::patch(const ObjectKey& key, std::string_view subresource, const Patch& patch,
                           const WriteOptions& options, MutableObject to) const {
  // Operations on a list add up when they are done twice.
  const Answer answer = send_patch(key, subresource, patch, patch.type != PatchType::json, options);
  if (is_refusal(answer)) refuse(answer);
  decode_object(answer, to.type, to.object);
}

void ObjectRequests::apply(const ObjectKey& key, ConstObject object, Part part, const ApplyOptions& options,
                           MutableObject to) const {
  net::Query query;
  add_write_options(
      {.dry_run = options.dry_run, .field_manager = options.field_manager, .validation = options.validation},
      engine_->options().field_manager, query);
  if (options.force) query.add("force", "true");
  const std::string_view subresource = part == Part::status ? "status" : "";
  net::Request request{.method = "PATCH",
                       .target = with_query(resource_->path(complete(key), subresource), query),
                       .headers = {{"Accept", accept()}, {"Content-Type", "application/apply-patch+yaml"}},
                       .body = apply_body(object, *resource_, part)};
  const Answer answer = engine_->send({.verb = "apply", .request = std::move(request), .repeatable = true}, stop_);
  decode_object(answer, to.type, to.object);
}

bool ObjectRequests::update(const ObjectKey& key, ConstObject read, ConstObject changed, Part part,
                            const WriteOptions& options, MutableObject to) const {
  const auto patch = changes_between(as_json(read), as_json(changed), part, resource_->status);
  if (!patch) return false;
  // It carries the version that was read: done twice, it is a conflict and no harm.
  const Answer answer = send_patch(key, part == Part::status ? "status" : "", *patch, true, options);
  if (is_refusal(answer)) explain_refused_patch(key, *patch, answer);
  decode_object(answer, to.type, to.object);
  return true;
}

// A JSON patch to an object that has changed may fail (422) before the server comes to compare the versions.
void ObjectRequests::explain_refused_patch(const ObjectKey& key, const Patch& patch, const Answer& answer) const {
  if (patch.type == PatchType::json && answer.response.status == 422) {
    const std::string_view version = patch.body[0]["value"].as_string();
    kube::meta::v1::PartialObjectMetadata now;
    const ObjectRequests metadata(engine_, resource_, Extent::metadata, stop_);
    metadata.get(key, {}, {}, {reflect::type_of<kube::meta::v1::PartialObjectMetadata>(), &now});
    if (now.metadata.resourceVersion != version) {
      throw ApiError(Reason::Conflict, resource_->describe(complete(key)) +
                                           ": the object has been modified since it was read in version " +
                                           std::string(version) + "; read it again and make the change to that");
    }
  }
  refuse(answer);
}

bool ObjectRequests::delete_object(const ObjectKey& key, const DeleteOptions& options) const {
  net::Request request{.method = "DELETE",
                       .target = resource_->path(complete(key)),
                       .headers = {{"Accept", accept()}, {"Content-Type", std::string(kJsonType)}},
                       .body = delete_body(options)};
  const Answer answer = engine_->exchange({.verb = "delete", .request = std::move(request), .repeatable = true}, stop_);
  if (!is_refusal(answer)) return true;
  const Refusal refusal = read_refusal(answer.response, answer.about);
  if (refusal.details.reason == Reason::NotFound && refusal.about_object()) {
    // It was there for an earlier try whose answer was lost.
    if (answer.sent_before) return true;
    if (options.missing_is_fine) return false;
  }
  throw ApiError(refusal.details);
}

void ObjectRequests::delete_collection(const ListOptions& which, const DeleteOptions& options) const {
  net::Query query;
  add_selectors(which, query);
  if (resource_->namespaced && which.namespace_.empty()) {
    throw InputError(
        {}, "namespace",
        "delete_collection of " + resource_->plural + " needs a namespace: the server deletes in one at a time");
  }
  net::Request request{.method = "DELETE",
                       .target = with_query(resource_->path(std::string_view(which.namespace_)), query),
                       .headers = {{"Accept", accept()}, {"Content-Type", std::string(kJsonType)}},
                       .body = delete_body(options)};
  engine_->send({.verb = "deletecollection", .request = std::move(request), .repeatable = true}, stop_);
}

void ObjectRequests::rest_after_conflict(int tries) const {
  const RetryPolicy quick{.first = std::chrono::milliseconds(10)};
  Clock& clock = engine_->clock();
  if (!pause_until(clock, clock.after(pause_after(quick, tries, {}, engine_->random())), stop_)) {
    stop_.throw_if_stopped();
  }
}

}  // namespace flyball::client
