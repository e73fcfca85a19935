#include <vector>

#include "flyball/apiserver/detail/regex_parse.hpp"

namespace flyball::apiserver::detail {
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

  void repeat(const Node& node) {
    const Node& part = node.children.front();
    for (int i = 0; i < node.least; ++i) emit(part);
    if (node.most < 0) {
      const std::uint32_t split = add({.op = Op::split});
      program_.code[split].x = here();
      emit(part);
      add({.op = Op::jump, .x = split});
      program_.code[split].y = here();
      return;
    }
    std::vector<std::uint32_t> splits;
    for (int i = node.least; i < node.most; ++i) {
      splits.push_back(add({.op = Op::split}));
      program_.code[splits.back()].x = here();
      emit(part);
    }
    for (const std::uint32_t split : splits) program_.code[split].y = here();
  }

  Regex::Program program_;
};

}  // namespace

Regex::Program compile_regex(const RegexNode& pattern) { return Compiler().compile(pattern); }

}  // namespace flyball::apiserver::detail
