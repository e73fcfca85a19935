#include "flyball/apiserver/managed_fields.hpp"

#include <algorithm>
#include <utility>

#include "flyball/apiserver/conversion.hpp"
#include "flyball/apiserver/kind_steps.hpp"
#include "flyball/apiserver/merge/field_manager.hpp"
#include "flyball/apiserver/merge/reset_fields.hpp"
#include "flyball/apiserver/schema/custom_kind.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/write.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::apiserver {
namespace {

merge::ManagedKind managed_kind(Context& context, std::string_view subresource) {
  const Resource& resource = *context.resource;
  merge::ManagedKind kind{.schema = context.world.schemas.of(resource),
                          .api_version = resource.api_version(),
                          .kind = resource.kind,
                          .reset = resource.is_custom()
                                       ? merge::reset_fields_of_custom(resource.custom->has_status(), subresource)
                                       : merge::reset_fields(*resource.type, subresource)};
  kind.convert = [&context](json::View object, std::string_view api_version) -> std::optional<merge::Converted> {
    const Resource& from = *context.resource;
    const std::size_t slash = api_version.find('/');
    const std::string_view group = slash == std::string_view::npos ? "" : api_version.substr(0, slash);
    const std::string_view version = slash == std::string_view::npos ? api_version : api_version.substr(slash + 1);
    const ResourcePointer to = context.world.registry.find_kind(group, version, from.kind);
    if (to == nullptr) return std::nullopt;
    return merge::Converted{.object = convert(object, *to), .schema = &context.world.schemas.of(*to)};
  };
  return kind;
}

merge::Writer writer_of(Context& context, const WriteOptions& options, std::string_view subresource) {
  return {.manager = options.manager, .subresource = std::string(subresource), .now = context.now()};
}

void take_managed_fields(Object& object, json::View from) {
  auto& fields = object.metadata().managedFields;
  fields.clear();
  if (!from.is_array()) return;
  reflect::decode(json::write(from), reflect::type_of<std::remove_reference_t<decltype(fields)>>(), &fields);
}

bool same_but_time(kube::meta::v1::ManagedFieldsEntry a, const kube::meta::v1::ManagedFieldsEntry& b) {
  a.time = b.time;
  return a == b;
}

}  // namespace

void track_write(Context& context, Object& next, const Object* live, const WriteOptions& options,
                 std::string_view subresource) {
  const json::Value before = live == nullptr ? json::Value() : live->value();
  json::Value sent = next.value();
  if (next.empties_managed_fields()) {
    json::Draft draft(std::move(sent));
    draft.set("/metadata/managedFields", json::array());
    sent = draft.build();
  }
  next.metadata().managedFields =
      merge::track_managers(before, sent, managed_kind(context, subresource), writer_of(context, options, subresource))
          .entries();
}

Object apply_fields(Context& context, json::View applied, const Object* live, const WriteOptions& options,
                    std::string_view subresource) {
  const json::Value before = live == nullptr ? json::Value() : live->value();
  const json::Value merged =
      merge::apply(before, applied, managed_kind(context, subresource), writer_of(context, options, subresource),
                   options.force ? merge::Force::yes : merge::Force::no);
  Object object = Object::from(context.resource, merged);
  set_defaults(object);
  return object;
}

void keep_times_if_same(Object& next, const Object& live) {
  const auto& before = live.metadata().managedFields;
  const auto& after = std::as_const(next).metadata().managedFields;
  if (after == before || !std::ranges::equal(after, before, same_but_time)) return;
  const json::Value kept = merge::keep_times_of_noop(live.value(), next.value());
  take_managed_fields(next, kept["metadata"]["managedFields"]);
}

}  // namespace flyball::apiserver
