// One YAML document as a flat list of nodes, before aliases, merges and tags are understood. Private to the room.
//
// yaml-cpp does the scanning and stays behind Scan's implementation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/json/detail/yaml_scalar.hpp"
#include "flyball/json/reader.hpp"

namespace flyball::json::yaml {

// yaml-cpp itself gives up at 500, counted a little differently.
inline constexpr std::size_t kMaxDepth = 480;

struct Node {
  enum class Type : std::uint8_t { scalar, alias, sequence, map };
  Type type = Type::scalar;
  Tag tag = Tag::none;
  Position position = {};
  std::size_t offset = 0;  // where it starts in the source, tags and anchors included
  std::size_t size = 1;    // nodes from here to the end of this one; 0 while it is open
  std::size_t text = 0;    // scalar: where its text starts in Tape::text
  std::size_t length = 0;  // scalar: how long it is
  std::size_t target = 0;  // alias: the node it stands for
};

// A container's children follow it, in order; a map's are keys and values in turn.
struct Tape {
  std::vector<Node> nodes;
  std::string text;

  std::string_view text_of(const Node& node) const { return std::string_view(text).substr(node.text, node.length); }
  // The node an alias stands for; any other node is itself.
  std::size_t resolve(std::size_t at) const { return nodes[at].type == Node::Type::alias ? nodes[at].target : at; }
  std::size_t after(std::size_t at) const { return at + nodes[at].size; }
};

// Reads the documents of a text one by one. Throws ParseError.
class Scan {
 public:
  Scan(std::string_view text, const Limits& limits);
  ~Scan();

  // False at the end of the text.
  bool next(Tape& tape);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flyball::json::yaml
