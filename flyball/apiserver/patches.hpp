// The body of a PATCH, in any of its four languages, ready to be laid over an object.
//
//   const PatchBody body = read_patch(context);
//   if (body.is_apply()) ... else json::Value next = body.patched(context, live);
//
// Thread-safety: a value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/decode.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

enum class PatchType : std::uint8_t { json, merge, strategic, apply };

class PatchBody {
 public:
  PatchBody(PatchType type, json::Value value, std::vector<std::string> strict)
      : type_(type), value_(std::move(value)), strict_(std::move(strict)) {}

  bool is_apply() const noexcept { return type_ == PatchType::apply; }
  bool is_strategic() const noexcept { return type_ == PatchType::strategic; }
  const json::Value& value() const noexcept { return value_; }
  // What stands in it twice.
  const std::vector<std::string>& strict() const noexcept { return strict_; }

  // Not of an apply. Throws Refusals for a patch that does not fit.
  json::Value patched(const Context& context, json::View current) const;

 private:
  PatchType type_;
  json::Value value_;
  std::vector<std::string> strict_;
};

// Throws Refusals: 415 for a language that the resource does not take, 400 for a body that cannot be read.
PatchBody read_patch(const Context& context);

// What a patch made, as an object of the context's resource. What stands in it and does not belong there is warned of
// or refused.
Object patched_object(Context& context, const json::Value& value, const PatchBody& body, FieldValidation validation);

// `unknown field "a", unknown field "b"`
std::string listed(const std::vector<std::string>& problems);

}  // namespace flyball::apiserver
