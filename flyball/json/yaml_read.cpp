#include <algorithm>
#include <cmath>
#include <ranges>
#include <unordered_map>
#include <utility>

#include "flyball/json/builder.hpp"
#include "flyball/json/detail/utf8.hpp"
#include "flyball/json/detail/yaml_tape.hpp"
#include "flyball/json/path.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::json {

namespace {

using yaml::Node;
using yaml::Scalar;
using yaml::Tag;
using yaml::Tape;

// How much aliases may add to a document: the rule of goyaml for the number of values, and one for their bytes.
class AliasBudget {
 public:
  explicit AliasBudget(std::size_t text_size) : most_bytes_(kFreeBytes + 10 * text_size) {}

  // Counts one value, and tells whether that was too much.
  bool spend(bool aliased, std::size_t bytes) {
    ++values_;
    if (!aliased) return true;
    ++aliased_;
    bytes_ += bytes;
    if (bytes_ > most_bytes_) return false;
    return aliased_ <= 100 || values_ <= 1000 ||
           static_cast<double>(aliased_) <= allowed_share() * static_cast<double>(values_);
  }

 private:
  static constexpr std::size_t kFreeBytes = std::size_t{4} << 20;

  // Nearly everything in a small document, a tenth in a very large one.
  double allowed_share() const {
    constexpr double kLow = 400'000;
    constexpr double kHigh = 4'000'000;
    const double at = std::clamp(static_cast<double>(values_), kLow, kHigh);
    return 0.99 - 0.89 * (at - kLow) / (kHigh - kLow);
  }

  std::size_t most_bytes_;
  std::size_t values_ = 0;
  std::size_t aliased_ = 0;
  std::size_t bytes_ = 0;
};

// The members of one map after merging: each key once, in the order of its first appearance.
class Members {
 public:
  struct Member {
    std::string key;
    std::size_t key_node;
    std::size_t value;
    bool merged;
    bool aliased;
  };

  // The member of that key, or nothing.
  Member* find(std::string_view key) {
    if (members_.size() <= kSmall) {
      const auto found = std::ranges::find(members_, key, &Member::key);
      return found == members_.end() ? nullptr : &*found;
    }
    if (index_.empty()) {
      for (std::size_t i = 0; i < members_.size(); ++i) index_.emplace(members_[i].key, i);
    }
    const auto found = index_.find(std::string(key));
    return found == index_.end() ? nullptr : &members_[found->second];
  }

  void add(Member member) {
    if (!index_.empty()) index_.emplace(member.key, members_.size());
    members_.push_back(std::move(member));
  }

  const std::vector<Member>& all() const { return members_; }

 private:
  static constexpr std::size_t kSmall = 16;
  std::vector<Member> members_;
  std::unordered_map<std::string, std::size_t> index_;
};

class Decoder {
 public:
  Decoder(const Tape& tape, const YamlOptions& options, std::size_t text_size)
      : tape_(tape), options_(options), budget_(text_size), builder_(tape.text.size() + 4 * tape.nodes.size()) {}

  Value decode() {
    if (options_.positions != nullptr) options_.positions->clear();
    if (tape_.nodes.empty()) return {};
    locate(tape_.nodes[0].position);
    value(0, false);
    return builder_.finish();
  }

 private:
  struct Step {
    std::string_view key;
    std::size_t index;
    bool member;
  };

  void value(std::size_t at, bool aliased) {
    const Position position = tape_.nodes[at].position;
    if (tape_.nodes[at].type == Node::Type::alias) {
      spend(position, aliased, 0);
      at = tape_.resolve(at);
      aliased = true;
    }
    const Node& node = tape_.nodes[at];
    spend(position, aliased, node.length + 16);
    switch (node.type) {
      case Node::Type::sequence: sequence(at, aliased); break;
      case Node::Type::map: map(at, aliased); break;
      default: scalar(node);
    }
  }

  void spend(Position position, bool aliased, std::size_t bytes) {
    if (!budget_.spend(aliased, bytes)) fail(position, "the aliases of the document expand to too much");
  }

  void open(Position position) {
    // Aliases can nest deeper than the text does.
    const std::size_t limit = std::min(options_.limits.depth, yaml::kMaxDepth);
    if (builder_.depth() >= limit) {
      fail(position, "values are nested deeper than the " + std::to_string(limit) + " levels allowed");
    }
  }

  void sequence(std::size_t at, bool aliased) {
    open(tape_.nodes[at].position);
    builder_.begin_array();
    path_.push_back({{}, 0, false});
    const std::size_t pointer = pointer_.size();
    const std::size_t end = tape_.after(at);
    for (std::size_t child = at + 1; child != end; child = tape_.after(child)) {
      step_index(pointer, tape_.nodes[child].position);
      value(child, aliased);
      ++path_.back().index;
    }
    leave(pointer);
    builder_.end();
  }

  void map(std::size_t at, bool aliased) {
    open(tape_.nodes[at].position);
    Members members;
    collect(at, aliased, false, members);
    builder_.begin_object();
    path_.push_back({{}, 0, true});
    const std::size_t pointer = pointer_.size();
    for (const auto& member : members.all()) {
      step_member(pointer, member.key, tape_.nodes[member.key_node].position);
      builder_.key(member.key);
      value(member.value, member.aliased);
    }
    leave(pointer);
    builder_.end();
  }

  // Adds the members of the map at `at`, which is the map itself or one that is merged into it. As in goyaml what
  // comes later wins, merged or not.
  void collect(std::size_t at, bool aliased, bool merged, Members& to) {
    const std::size_t end = tape_.after(at);
    for (std::size_t child = at + 1; child != end;) {
      const std::size_t key_node = child;
      const std::size_t value_node = tape_.after(key_node);
      child = tape_.after(value_node);
      const Node& node = tape_.nodes[key_node];
      if (is_merge(node)) {
        merge(value_node, aliased, to);
        continue;
      }
      std::string key = key_of(key_node, aliased);
      if (auto* member = to.find(key)) {
        if (!merged && !member->merged) repeat(key, node.position, tape_.nodes[member->key_node].position);
        *member = {std::move(key), key_node, value_node, merged, aliased};
      } else {
        to.add({std::move(key), key_node, value_node, merged, aliased});
      }
    }
  }

  bool is_merge(const Node& node) const {
    return node.type == Node::Type::scalar && (node.tag == Tag::none || node.tag == Tag::merge) &&
           tape_.text_of(node) == "<<";
  }

  void merge(std::size_t at, bool aliased, Members& to) {
    if (tape_.nodes[at].type != Node::Type::sequence) return merge_map(at, aliased, to);
    // Backwards, so that the first of the list wins.
    std::vector<std::size_t> children;
    for (std::size_t child = at + 1; child != tape_.after(at); child = tape_.after(child)) children.push_back(child);
    for (const std::size_t child : std::views::reverse(children)) merge_map(child, aliased, to);
  }

  void merge_map(std::size_t at, bool aliased, Members& to) {
    const bool alias = tape_.nodes[at].type == Node::Type::alias;
    const std::size_t target = tape_.resolve(at);
    const Position position = tape_.nodes[at].position;
    if (tape_.nodes[target].type != Node::Type::map)
      fail(position, "'<<' takes a map, an alias of one, or a list of these");
    spend(position, aliased || alias, 0);
    if (++merge_depth_ > yaml::kMaxDepth) fail(position, "merges are nested too deep");
    collect(target, aliased || alias, true, to);
    --merge_depth_;
  }

  std::string key_of(std::size_t at, bool aliased) {
    const Position position = tape_.nodes[at].position;
    const Node& node = tape_.nodes[tape_.resolve(at)];
    spend(position, aliased || tape_.nodes[at].type == Node::Type::alias, node.length + 16);
    if (node.type != Node::Type::scalar) {
      const bool map = node.type == Node::Type::map;
      fail(position, std::string("a key must be a string, found ") + (map ? "a map" : "a list") +
                         (map ? "; put text like '{{ name }}' in quotes" : ""));
    }
    if (node.tag == Tag::binary) return binary(node);
    const std::string_view text = tape_.text_of(node);
    const auto key = yaml::key_text(resolve(node), text);
    if (key) return *key;
    if (text.empty()) fail(position, "a key must be a string, found nothing or null before the ':'");
    fail(position, "a key must be a string, found " + std::string(text) + "; put it in quotes");
  }

  void repeat(const std::string& key, Position position, Position first) {
    path_.push_back({key, 0, true});
    ParseError error(position, path(),
                     "the key \"" + key + "\" stands twice, first on line " + std::to_string(first.line));
    path_.pop_back();
    if (options_.duplicates == Duplicates::refuse) throw error;
    if (options_.reports != nullptr) options_.reports->push_back(error);
  }

  Scalar resolve(const Node& node) const {
    Tag found = Tag::string;
    const auto scalar = yaml::resolve_tagged(node.tag, tape_.text_of(node), found);
    if (scalar) return *scalar;
    fail(node.position, "the tag " + std::string(yaml::tag_name(node.tag)) + " does not fit " +
                            summary(Value(tape_.text_of(node))) + ", which is " + std::string(yaml::tag_name(found)));
  }

  std::string binary(const Node& node) const {
    auto bytes = yaml::decode_base64(tape_.text_of(node));
    if (!bytes) fail(node.position, "!!binary takes base64, and this is not");
    for (std::size_t at = 0; at < bytes->size();) {
      const std::size_t length = utf8_length(bytes->data() + at, bytes->data() + bytes->size());
      if (length == 0) fail(node.position, "!!binary holds bytes that are not text; leave the tag out to keep base64");
      at += length;
    }
    return std::move(*bytes);
  }

  void scalar(const Node& node) {
    const std::string_view text = tape_.text_of(node);
    if (node.tag == Tag::binary) {
      builder_.string(binary(node));
      return;
    }
    const Scalar scalar = resolve(node);
    switch (scalar.tag) {
      case Tag::null: builder_.null(); break;
      case Tag::boolean: builder_.boolean(scalar.boolean); break;
      case Tag::integer:
        if (!scalar.is_unsigned) {
          builder_.integer(scalar.integer);
          break;
        }
        [[fallthrough]];
      case Tag::floating: number(scalar.floating, node); break;
      default: builder_.string(text);
    }
  }

  void number(double value, const Node& node) {
    if (!std::isfinite(value)) {
      fail(node.position, "JSON has no number like " + std::string(tape_.text_of(node)) + "; put it in quotes");
    }
    if (const auto integer = yaml::as_json_integer(value)) {
      builder_.integer(*integer);
    } else {
      builder_.number(value);
    }
  }

  void locate(Position position) {
    if (options_.positions != nullptr) options_.positions->add(pointer_, position);
  }

  void step_index(std::size_t pointer, Position position) {
    if (options_.positions == nullptr) return;
    pointer_.resize(pointer);
    pointer_ += '/';
    pointer_ += std::to_string(path_.back().index);
    locate(position);
  }

  void step_member(std::size_t pointer, std::string_view key, Position position) {
    path_.back().key = key;
    if (options_.positions == nullptr) return;
    pointer_.resize(pointer);
    pointer_ += '/';
    for (const char c : key) {
      if (c == '~') {
        pointer_ += "~0";
      } else if (c == '/') {
        pointer_ += "~1";
      } else {
        pointer_ += c;
      }
    }
    locate(position);
  }

  void leave(std::size_t pointer) {
    pointer_.resize(pointer);
    path_.pop_back();
  }

  std::string path() const {
    std::string path;
    for (const Step& step : path_) {
      if (step.member) {
        append_member(path, step.key);
      } else {
        append_index(path, step.index);
      }
    }
    return path;
  }

  [[noreturn]] void fail(Position position, std::string problem) const {
    throw ParseError(position, path(), std::move(problem));
  }

  // Constant after construction.
  const Tape& tape_;
  const YamlOptions& options_;

  AliasBudget budget_;
  Builder builder_;
  std::vector<Step> path_;
  std::string pointer_;  // kept only when positions are asked for
  std::size_t merge_depth_ = 0;
};

// kubectl looks at the first character too. JSON knows escapes that YAML does not, and is read much faster.
std::optional<Value> parse_as_json(std::string_view text, const YamlOptions& options) {
  if (options.positions != nullptr) return std::nullopt;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || text[start] != '{') return std::nullopt;
  try {
    return parse(text, {.limits = options.limits, .duplicates = Duplicates::refuse});
  } catch (const ParseError&) {
    return std::nullopt;  // YAML in flow style, or a mistake that the YAML reader will tell
  }
}

// The documents of a text, the empty ones too.
class Documents {
 public:
  Documents(std::string_view text, const YamlOptions& options)
      : options_(options), size_(text.size()), scan_(text, options.limits) {}

  // Nothing at the end, or after an error.
  std::optional<Value> next() {
    if (ended_) return std::nullopt;
    ended_ = true;
    if (!scan_.next(tape_)) return std::nullopt;
    Value value = Decoder(tape_, options_, size_).decode();
    ended_ = false;
    return value;
  }

  // Where the last one starts.
  Position position() const { return tape_.nodes.empty() ? Position() : tape_.nodes[0].position; }

  void forget_positions() { options_.positions = nullptr; }

 private:
  YamlOptions options_;
  std::size_t size_;
  yaml::Scan scan_;
  Tape tape_;
  bool ended_ = false;
};

}  // namespace

class YamlDocuments::Source {
 public:
  Source(std::string_view text, const YamlOptions& options) : json_(parse_as_json(text, options)) {
    if (!json_) documents_.emplace(text, options);
  }

  std::optional<Value> next() { return documents_ ? documents_->next() : std::exchange(json_, std::nullopt); }

 private:
  std::optional<Value> json_;
  std::optional<Documents> documents_;
};

YamlDocuments::YamlDocuments(std::string_view text, const YamlOptions& options)
    : source_(std::make_unique<Source>(text, options)) {}
YamlDocuments::~YamlDocuments() = default;
YamlDocuments::YamlDocuments(YamlDocuments&&) noexcept = default;
YamlDocuments& YamlDocuments::operator=(YamlDocuments&&) noexcept = default;

std::optional<Value> YamlDocuments::next() {
  while (auto value = source_->next()) {
    if (!value->is_null()) return value;
  }
  return std::nullopt;
}

std::vector<Value> parse_yaml_documents(std::string_view text, const YamlOptions& options) {
  std::vector<Value> values;
  YamlDocuments documents(text, options);
  while (auto value = documents.next()) values.push_back(std::move(*value));
  return values;
}

Value parse_yaml(std::string_view text, const YamlOptions& options) {
  if (auto value = parse_as_json(text, options)) return *value;
  Documents documents(text, options);
  std::optional<Value> only;
  while (auto value = documents.next()) {
    if (only && !only->is_null() && !value->is_null()) {
      throw ParseError(documents.position(), "", "a second document starts here, and only one was expected");
    }
    if (!only || only->is_null()) only = std::move(value);
    if (!only->is_null()) documents.forget_positions();
  }
  if (!only) throw ParseError({}, "", "the text holds no YAML document");
  return *only;
}

}  // namespace flyball::json
