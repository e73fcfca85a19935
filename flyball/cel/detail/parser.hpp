// The parser's parts: what macros need of it.
//
// Thread-safety: none; one parse, one thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/cel/ast.hpp"
#include "flyball/cel/source.hpp"

namespace flyball::cel::detail {

// Makes nodes; those made while a macro is expanded stand where the macro stands.
class Nodes {
 public:
  explicit Nodes(const Source& source, Issues& issues) : source_(source), issues_(issues), offsets_{-1} {}

  std::int64_t id(std::int64_t offset) {
    offsets_.push_back(offset);
    return static_cast<std::int64_t>(offsets_.size()) - 1;
  }
  std::int64_t offset(std::int64_t id) const { return offsets_[static_cast<std::size_t>(id)]; }
  void fail(std::int64_t id, std::string message);
  std::vector<std::int64_t> take_offsets() { return std::move(offsets_); }

  static ExprRef literal(std::int64_t id, Value value);
  static ExprRef ident(std::int64_t id, std::string name);
  static ExprRef select(std::int64_t id, ExprRef operand, std::string field, bool test_only = false);
  static ExprRef call(std::int64_t id, std::string function, std::vector<ExprRef> args, ExprRef target = nullptr);
  static ExprRef list(std::int64_t id, std::vector<ExprRef> elements);

 private:
  const Source& source_;
  Issues& issues_;
  std::vector<std::int64_t> offsets_;
};

// The call as its macro expands it; `target` and `args` are then used up. Null when there is no such macro.
ExprRef expand_macro(Nodes& nodes, std::int64_t id, const std::string& function, ExprRef& target,
                     std::vector<ExprRef>& args);

}  // namespace flyball::cel::detail
