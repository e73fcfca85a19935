// The least that a header must know to say that a type has a table: a declaration, and no table.
//
//   template <>
//   const Type& type_of<kube::apps::v1::Deployment>();     // the table stands in a .cpp file
//
// The built-in Kubernetes types do so, which keeps their headers cheap. See type.hpp.
#pragma once

namespace flyball::reflect {

struct Type;
template <class T>
const Type& type_of();

}  // namespace flyball::reflect
