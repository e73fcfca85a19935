// Components: the schemas of an OpenAPI document, each type once, made from the tables of the built-in types.
//
//   Components components;
//   components.ref(reflect::type_of<apps::Deployment>())     //
//   {"$ref":"#/components/schemas/io.k8s.api.apps.v1.Deployment"} components.build() // that one, and all it is made of
//
// Names and extensions are those of kube-apiserver: clients merge patches by them. There are no descriptions: the table
// has none.
//
// Thread-safety: one thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "flyball/json/value.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::apiserver::openapi {

class Components {
 public:
  json::Value ref(const reflect::Type& type);
  // A schema that is not of the tables: a custom resource's.
  json::Value ref(const std::string& name, json::Value schema);
  // By name.
  json::Value build();

 private:
  json::Value of(const reflect::Type& type);
  json::Value of_item(const reflect::Type& type);
  json::Value of_field(const reflect::Field& field);
  json::Value of_structure(const reflect::Type& type);
  void add_properties(const reflect::Type& type, std::map<std::string, json::Value>& properties,
                      std::vector<std::string>& required);

  std::map<std::string, json::Value> schemas_;
  std::vector<std::pair<std::string, const reflect::Type*>> waiting_;  // named, and not made yet
};

// "io.k8s.api.apps.v1.Deployment"
std::string component_name(const reflect::Type& type);
// "com.example.v1.Widget"
std::string component_name(const std::string& group, const std::string& version, const std::string& kind);

}  // namespace flyball::apiserver::openapi
