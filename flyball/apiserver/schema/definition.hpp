// CustomResourceDefinitions (apiextensions.k8s.io/v1): defaults, and what is wrong with one, in kube-apiserver's words.
//
//   json::Value crd = default_definition(sent);
//   Problems problems;
//   validate_definition(crd, problems);          // its metadata, beyond the name, is checked as that of any object
//
// Fields are named as upstream names them: it checks an older form of the definition, in which what all versions share
// stands in spec.validation, spec.subresources and spec.additionalPrinterColumns. Of CEL rules only the form is
// checked.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "flyball/apiserver/problems.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

// The singular, the listKind, the conversion, and the storage version among those stored.
json::Value default_definition(json::View definition);

// `definition` is defaulted, and its status is as the write leaves it: prepare_definition_status.
void validate_definition(json::View definition, Problems& problems);
void validate_definition_update(json::View next, json::View old, Problems& problems);
// Of the status subresource.
void validate_definition_status(json::View definition, Problems& problems);

// `unrecognized format "x"` for each that the old one did not have. `old` is absent on create.
std::vector<std::string> definition_warnings(json::View definition, json::View old);

}  // namespace flyball::apiserver
