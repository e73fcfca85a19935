#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "flyball/base/detail/regex_parse.hpp"

namespace flyball::detail {
namespace {

using Op = Regex::Op;
using Node = RegexNode;

constexpr std::size_t kMostCode = 1'000'000;

class Compiler {
 public:
  Regex::Program compile(const Node& node) {
    emit(node);
    add({.op = Op::match});
    return std::move(program_);
  }

 private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.code.size()); }

  std::uint32_t add(Regex::Instruction instruction) {
    if (program_.code.size() >= kMostCode) throw RegexError("error parsing regexp: expression too large");
    program_.code.push_back(instruction);
    return here() - 1;
  }

  void emit(const Node& node) {
    switch (node.kind) {
      case Node::Kind::empty: break;
      case Node::Kind::characters:
        program_.classes.push_back(node.characters);
        add({.op = Op::characters, .x = static_cast<std::uint32_t>(program_.classes.size() - 1)});
        break;
      case Node::Kind::assertion: add({.op = node.op}); break;
      case Node::Kind::concat:
      case Node::Kind::group:
        for (const Node& child : node.children) emit(child);
        break;
      case Node::Kind::alternate: alternate(node); break;
      case Node::Kind::repeat: repeat(node); break;
    }
  }

  void alternate(const Node& node) {
    std::vector<std::uint32_t> ends;
    for (std::size_t i = 0; i + 1 < node.children.size(); ++i) {
      const std::uint32_t split = add({.op = Op::split});
      program_.code[split].x = here();
      emit(node.children[i]);
      ends.push_back(add({.op = Op::jump}));
      program_.code[split].y = here();
    }
    emit(node.children.back());
    for (const std::uint32_t end : ends) program_.code[end].x = here();
  }

  // The way into what is repeated is preferred, unless it is lazy. `in` and `out` are filled in later.
  std::uint32_t add_split() { return add({.op = Op::split}); }
  void aim(std::uint32_t split, std::uint32_t in, std::uint32_t out, bool lazy) {
    program_.code[split].x = lazy ? out : in;
    program_.code[split].y = lazy ? in : out;
  }

  static bool nullable(const Node& node) {
    switch (node.kind) {
      case Node::Kind::characters: return false;
      case Node::Kind::alternate: return std::ranges::any_of(node.children, nullable);
      case Node::Kind::concat:
      case Node::Kind::group: return std::ranges::all_of(node.children, nullable);
      case Node::Kind::repeat: return node.least == 0 || nullable(node.children.front());
      default: return true;
    }
  }

  void repeat(const Node& node) {
    const Node& part = node.children.front();
    if (node.most < 0) return repeat_without_end(node, part);
    for (int i = 0; i < node.least; ++i) emit(part);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> splits;
    for (int i = node.least; i < node.most; ++i) {
      const std::uint32_t split = add_split();
      splits.emplace_back(split, here());
      emit(part);
    }
    for (const auto& [split, in] : splits) aim(split, in, here(), node.lazy);
  }

  void repeat_without_end(const Node& node, const Node& part) {
    for (int i = 0; i + 1 < node.least; ++i) emit(part);
    if (node.least == 0 && !nullable(part)) {
      const std::uint32_t split = add_split();
      const std::uint32_t in = here();
      emit(part);
      add({.op = Op::jump, .x = split});
      return aim(split, in, here(), node.lazy);
    }
    // What may be empty is entered once before it is asked whether to repeat it, as Go does: `(|a)*` prefers nothing.
    const std::optional<std::uint32_t> skip = node.least == 0 ? std::optional(add_split()) : std::nullopt;
    const std::uint32_t in = here();
    emit(part);
    const std::uint32_t split = add_split();
    aim(split, in, here(), node.lazy);
    if (skip) aim(*skip, in, here(), node.lazy);
  }

  Regex::Program program_;
};

}  // namespace

Regex::Program compile_regex(const RegexNode& pattern) { return Compiler().compile(pattern); }

}  // namespace flyball::detail
