// Expr: an expression as a tree, macros expanded, every node with an id and a place in the text.
//
// Thread-safety: a value; the checker changes it, afterwards it is only read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "flyball/cel/value.hpp"

namespace flyball::cel {

struct Expr;
using ExprRef = std::unique_ptr<Expr>;

struct Expr {
  enum class Kind : std::uint8_t { none, literal, ident, select, call, list, map, object, fold };

  struct Entry {
    std::int64_t id = 0;
    ExprRef key = nullptr;   // of a map
    std::string field = {};  // of an object
    ExprRef value = nullptr;
    bool optional = false;
  };

  Kind kind = Kind::none;
  std::int64_t id = 0;
  Value literal = {};
  std::string name = {};            // the identifier, field, function, or type of an object
  bool test_only = false;           // has(a.b)
  ExprRef target = nullptr;         // what is selected from, or the receiver of a call
  std::vector<ExprRef> args = {};   // of a call, or the elements of a list
  std::vector<bool> optional = {};  // of a list: which elements are [?x]
  std::vector<Entry> entries = {};

  // A comprehension: for every element of `range`, while `condition` holds, `accumulator` becomes `step`.
  struct Fold {
    std::string variable = {};
    std::string variable2 = {};  // empty: one variable
    std::string accumulator = {};
    ExprRef range = nullptr;
    ExprRef init = nullptr;
    ExprRef condition = nullptr;
    ExprRef step = nullptr;
    ExprRef result = nullptr;
  };
  std::unique_ptr<Fold> fold = nullptr;

  bool is_call(std::string_view function) const { return kind == Kind::call && name == function; }
};

// An expression and where its nodes stand: offsets[id] in the source, -1 for nowhere.
struct Ast {
  ExprRef root = nullptr;
  std::vector<std::int64_t> offsets = {};
};

// The names of operators as functions.
namespace operators {
inline constexpr const char* kConditional = "_?_:_";
inline constexpr const char* kAnd = "_&&_";
inline constexpr const char* kOr = "_||_";
inline constexpr const char* kNot = "!_";
inline constexpr const char* kEquals = "_==_";
inline constexpr const char* kNotEquals = "_!=_";
inline constexpr const char* kAdd = "_+_";
inline constexpr const char* kSubtract = "_-_";
inline constexpr const char* kNegate = "-_";
inline constexpr const char* kIndex = "_[_]";
inline constexpr const char* kOptIndex = "_[?_]";
inline constexpr const char* kOptSelect = "_?._";
inline constexpr const char* kIn = "@in";
inline constexpr const char* kNotStrictlyFalse = "@not_strictly_false";
inline constexpr const char* kMapInsert = "cel.@mapInsert";
}  // namespace operators

struct ParseOptions {
  // a.`b-c`, which Kubernetes does not turn on.
  bool escaped_fields = false;
};

class Source;
class Issues;

// What is wrong goes to `issues`; the tree is then of no use.
Ast parse(const Source& source, Issues& issues, const ParseOptions& options = {});

// a.b.c when it is made of names only, empty otherwise.
std::string qualified_name(const Expr& expr);

}  // namespace flyball::cel
