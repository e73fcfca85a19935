// Env and Program: compile an expression once, evaluate it as often as you like.
//
//   const cel::Env env({.variables = {{"self", cel::dyn_type()}}});
//   const cel::Program rule = env.compile("self.replicas <= self.maxReplicas");     // throws CompileError
//   const cel::Result result = rule.evaluate({{"self", cel::from_json(object)}});
//   if (result.value.is_error()) …                                                  // "no such key: replicas"
//   if (!result.value.is_true()) …
//
// The language is CEL as Kubernetes v1.36 uses it: its functions and types, its checks at compile time, its costs.
//
// Thread-safety: immutable; any number of threads may compile with one Env and evaluate one Program.
// Lifetime: a Program needs neither its Env nor the text; it shares the TypeProvider.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/cel/source.hpp"
#include "flyball/cel/type.hpp"
#include "flyball/cel/value.hpp"

namespace flyball::cel {

struct EnvOptions {
  // What expressions may name, and of what type it is.
  std::map<std::string, TypeRef, std::less<>> variables = {};
  // The fields of object types; null when there are none.
  std::shared_ptr<const TypeProvider> types = nullptr;
  // An evaluation that costs more is broken off.
  std::uint64_t cost_limit = 1'000'000;
};

struct Result {
  Value value = {};  // an error when it failed
  std::uint64_t cost = 0;
};

class Program {
 public:
  using Variables = std::vector<std::pair<std::string_view, Value>>;

  // Variables that the expression does not use may be given; one that it needs and is not given is an error value.
  Result evaluate(const Variables& variables) const;
  const TypeRef& type() const;

 private:
  friend class Env;
  struct Compiled;
  explicit Program(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
  std::shared_ptr<const Compiled> compiled_;
};

class Env {
 public:
  explicit Env(EnvOptions options) : options_(std::move(options)) {}
  Program compile(std::string_view expression) const;

 private:
  EnvOptions options_;
};

}  // namespace flyball::cel
