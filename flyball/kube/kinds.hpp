// Every built-in kind: find one by name or by resource, or walk over all of them.
//
//   const reflect::Type* type = kube::find_kind("apps", "v1", "Deployment");      // null when there is none
//   const reflect::Type* same = kube::find_resource("apps", "v1", "deployments");
//   for (reflect::TypeRef type : kube::served_kinds()) print(type().kind->plural);
//
// `type->kind` says everything about it (reflect/facts.hpp): scope, verbs, short names, subresources, its list kind.
// A program that uses this carries the tables of all kinds, about four megabytes; typed code only those of its kinds.
//
// Thread-safety: tables are constant. Lifetime: they live as long as the program.
#pragma once

#include <span>
#include <string_view>

#include "flyball/reflect/type.hpp"

namespace flyball::kube {

// Sorted by group, version and kind. Kinds that every group version has (DeleteOptions, …) stand under "", "v1".
std::span<const reflect::TypeRef> all_kinds();
// What the API server serves as a resource, in the order of discovery: groups and versions by preference.
std::span<const reflect::TypeRef> served_kinds();

// `group` is empty for the core group.
const reflect::Type* find_kind(std::string_view group, std::string_view version, std::string_view kind);
// By what manifests say: "apps/v1", "Deployment".
const reflect::Type* find_kind(std::string_view api_version, std::string_view kind);
const reflect::Type* find_resource(std::string_view group, std::string_view version, std::string_view plural);

}  // namespace flyball::kube
