#include "flyball/apiserver/writes.hpp"

#include <utility>

#include "flyball/apiserver/decode.hpp"
#include "flyball/apiserver/managed_fields.hpp"
#include "flyball/apiserver/options.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/apiserver/write_chain.hpp"

namespace flyball::apiserver {
namespace {

Object decoded(Context& context, FieldValidation validation) {
  Decoded body = decode_body(context.call, context.resource, validation);
  for (std::string& problem : prune(body.object)) body.strict.push_back(std::move(problem));
  report_strict(body.strict, validation, *context.resource, context.warnings);
  set_defaults(body.object);
  return std::move(body.object);
}

}  // namespace

void check_name(const Object& object, std::string_view name) {
  const std::string& found = object.metadata().name;
  if (found.empty()) {
    throw refuse::bad_request("the name of the object (" + std::string(name) +
                              " based on URL) was undeterminable: name must be provided");
  }
  if (found != name) {
    throw refuse::bad_request("the name of the object (" + found + ") does not match the name on the URL (" +
                              std::string(name) + ")");
  }
}

net::Response create(Context& context) {
  const WriteOptions options = write_options(context.call, WriteKind::create);
  Object object = decoded(context, options.validation);
  begin_new(context, object, options);
  return render_written(context, 201, create_object(context, std::move(object), options));
}

net::Response update(Context& context) {
  const WriteOptions options = write_options(context.call, WriteKind::update);
  const std::string& name = context.call.name;
  const bool status = context.call.subresource == "status";
  Object object = decoded(context, options.validation);
  check_namespace(context, object.metadata());
  check_name(object, name);
  drop_repeated_owners(context, object.metadata());
  const UpdateRequest request{.name = name, .part = status ? Part::status : Part::whole, .uid_is_condition = true};
  const Written updated = update_object(context, request, options, [&](const Object* live) {
    Object next = object.copy();
    next.set_empties_managed_fields(object.empties_managed_fields());
    track_write(context, next, live, options, context.call.subresource);
    return next;
  });
  return render_written(context, updated.created ? 201 : 200, updated);
}

}  // namespace flyball::apiserver
