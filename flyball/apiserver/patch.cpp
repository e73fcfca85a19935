// PATCH of an object, or of its status.
#include <utility>

#include "flyball/apiserver/decode.hpp"
#include "flyball/apiserver/managed_fields.hpp"
#include "flyball/apiserver/options.hpp"
#include "flyball/apiserver/patches.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/apiserver/write_chain.hpp"
#include "flyball/apiserver/writes.hpp"

namespace flyball::apiserver {
namespace {

void check_same_place(Context& context, Object& object) {
  check_namespace(context, object.metadata());
  check_name(object, context.call.name);
}

Object applied(Context& context, const PatchBody& body, const Object* live, const WriteOptions& options) {
  Object object = apply_fields(context, body.value(), live, options, context.call.subresource);
  if (!body.strict().empty() && options.validation == FieldValidation::strict) {
    throw refuse::bad_request("error strict decoding YAML: error converting YAML to JSON: " + listed(body.strict()));
  }
  if (live == nullptr && !object.metadata().uid.empty()) {
    throw refuse::conflict(context.resource->group_resource(), context.call.name,
                           "uid mismatch: the provided object specified uid " + object.metadata().uid +
                               ", and no existing object was found");
  }
  check_same_place(context, object);
  return object;
}

Object patched(Context& context, const PatchBody& body, const Object* live, const WriteOptions& options) {
  if (live == nullptr) throw refuse::not_found(context.resource->group_resource(), context.call.name);
  Object next = patched_object(context, body.patched(context, live->value()), body, options.validation);
  check_same_place(context, next);
  track_write(context, next, live, options, context.call.subresource);
  return next;
}

}  // namespace

net::Response patch(Context& context) {
  const PatchBody body = read_patch(context);
  const WriteOptions options = write_options(context.call, body.is_apply() ? WriteKind::apply : WriteKind::patch);
  const UpdateRequest request{.name = context.call.name,
                              .part = context.call.subresource == "status" ? Part::status : Part::whole,
                              .create = body.is_apply() && context.call.subresource.empty()};
  const Written updated = update_object(context, request, options, [&](const Object* live) {
    return body.is_apply() ? applied(context, body, live, options) : patched(context, body, live, options);
  });
  return render_written(context, updated.created ? 201 : 200, updated);
}

}  // namespace flyball::apiserver
