#include <algorithm>
#include <array>
#include <istream>
#include <optional>
#include <utility>

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "flyball/json/detail/utf8.hpp"
#include "flyball/json/detail/yaml_source.hpp"
#include "flyball/json/detail/yaml_tape.hpp"
#include "flyball/json/path.hpp"

namespace flyball::json::yaml {

namespace {

Position position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t start = before.rfind('\n') + 1;
  return {lines + 1, offset - start + 1};
}

std::string hex(std::uint32_t value, int digits) {
  std::string text;
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) text += "0123456789ABCDEF"[(value >> shift) & 0xf];
  return text;
}

bool is_allowed(std::uint32_t point) {
  if (point < 0x20) return point == '\t' || point == '\n' || point == '\r';
  if (point < 0xa0) return point != 0x7f && (point < 0x80 || point == 0x85);
  return point != 0xfffe && point != 0xffff;
}

std::uint32_t code_point(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  if (bytes.size() == 1) return byte(0);
  std::uint32_t point = byte(0) & (0xffU >> (bytes.size() + 1));
  for (std::size_t i = 1; i < bytes.size(); ++i) point = (point << 6) | (byte(i) & 0x3f);
  return point;
}

// yaml-cpp would guess at UTF-16, patch invalid bytes up and let control characters pass.
void check_characters(std::string_view text) {
  const char* end = text.data() + text.size();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.data() + at, end);
    if (length == 0) {
      throw ParseError(position_of(text, at), "",
                       "the byte 0x" + hex(static_cast<unsigned char>(text[at]), 2) + " is not valid UTF-8 here");
    }
    const std::uint32_t point = code_point(text.substr(at, length));
    if (!is_allowed(point)) {
      throw ParseError(position_of(text, at), "",
                       "the control character U+" + hex(point, 4) +
                           " is not allowed in YAML; write it as an escape in double quotes");
    }
    at += length;
  }
}

std::string_view checked(std::string_view text, const Limits& limits) {
  if (text.size() > limits.size) {
    throw ParseError({}, "",
                     "the text has " + std::to_string(text.size()) + " bytes, more than the " +
                         std::to_string(limits.size) + " allowed");
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  check_characters(text);
  return text;
}

// The text as yaml-cpp should see it, at the same offsets. A lone carriage return ends a line, and the end of the text
// is marked: otherwise yaml-cpp takes a quoted string that is never closed for one that ends with the text.
std::string prepared(std::string_view text) {
  std::string copy(text);
  for (std::size_t at = copy.find('\r'); at != std::string::npos; at = copy.find('\r', at + 1)) {
    if (at + 1 == copy.size() || copy[at + 1] != '\n') copy[at] = '\n';
  }
  const std::size_t last = copy.find_last_not_of(" \t");
  if (last == std::string::npos || copy[last] != '\n') return copy;
  if (last + 1 != copy.size()) copy += '\n';
  return copy + "...\n";
}

// yaml-cpp turns the escapes \N and \_ into the single bytes 0x85 and 0xa0, which are not UTF-8.
std::string repaired(const std::string& value) {
  std::string text;
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t length = utf8_length(value.data() + at, value.data() + value.size());
    if (length == 0) text += '\xc2';
    text.append(value, at, std::max<std::size_t>(length, 1));
    at += std::max<std::size_t>(length, 1);
  }
  return text;
}

std::string problem_of(const std::string& message) {
  // yaml-cpp's words, and ours.
  static const std::array<std::pair<std::string_view, std::string_view>, 27> problems = {{
      {YAML::ErrorMsg::END_OF_MAP, "this does not belong to the map above it; check the indentation"},
      {YAML::ErrorMsg::END_OF_MAP_FLOW, "expected ',' or '}': the '{' before this is not closed"},
      {YAML::ErrorMsg::END_OF_SEQ, "this does not belong to the list above it; check the indentation and the '-'"},
      {YAML::ErrorMsg::END_OF_SEQ_FLOW, "expected ',' or ']': the '[' before this is not closed"},
      {YAML::ErrorMsg::MULTIPLE_TAGS, "a value can have only one tag"},
      {YAML::ErrorMsg::MULTIPLE_ANCHORS, "a value can have only one anchor"},
      {YAML::ErrorMsg::ALIAS_CONTENT, "an alias stands for a whole value; it cannot have a tag or an anchor"},
      {YAML::ErrorMsg::INVALID_HEX, "the escape needs hexadecimal digits"},
      {YAML::ErrorMsg::UNKNOWN_TOKEN, "a plain value cannot start with this character; put the value in quotes"},
      {YAML::ErrorMsg::DOC_IN_SCALAR, "a quoted string runs into the document marker '---' or '...'; close the quotes"},
      {YAML::ErrorMsg::EOF_IN_SCALAR, "the quoted string is not closed before the text ends"},
      {YAML::ErrorMsg::TAB_IN_INDENTATION, "a tab indents this line; YAML takes only spaces"},
      {YAML::ErrorMsg::FLOW_END, "this bracket closes nothing that is open"},
      {YAML::ErrorMsg::BLOCK_ENTRY, "a list item ('- ') cannot start here; put it on a line of its own"},
      {YAML::ErrorMsg::MAP_KEY, "a key ('? ') cannot start here; put it on a line of its own"},
      {YAML::ErrorMsg::MAP_VALUE,
       "a ': ' cannot stand here; put a value that holds ': ' in quotes, or check the indentation"},
      {YAML::ErrorMsg::ALIAS_NOT_FOUND,
       "expected the name of an anchor after '*'; put a value that starts so in quotes"},
      {YAML::ErrorMsg::ANCHOR_NOT_FOUND, "expected a name after '&'; put a value that starts so in quotes"},
      {YAML::ErrorMsg::CHAR_IN_ALIAS, "the name of an alias ends in a character that is not allowed there"},
      {YAML::ErrorMsg::CHAR_IN_ANCHOR, "the name of an anchor ends in a character that is not allowed there"},
      {YAML::ErrorMsg::ZERO_INDENT_IN_BLOCK, "the indentation of a block of text is a digit from 1 to 9"},
      {YAML::ErrorMsg::CHAR_IN_BLOCK, "only a comment may follow '|' or '>' on their line"},
      {YAML::ErrorMsg::UNKNOWN_ANCHOR, "the alias names an anchor that is not defined above it"},
      {YAML::ErrorMsg::TAG_WITH_NO_SUFFIX, "the tag has no name"},
      {YAML::ErrorMsg::END_OF_VERBATIM_TAG, "the tag '!<' is not closed by '>'"},
      {YAML::ErrorMsg::CHAR_IN_TAG_HANDLE, "the tag holds a character that is not allowed there"},
      {YAML::ErrorMsg::YAML_DIRECTIVE_ARGS, "%YAML takes one version, as in '%YAML 1.1'"},
  }};
  for (const auto& [theirs, ours] : problems) {
    if (message == theirs) return std::string(ours);
  }
  if (const std::string_view escape = YAML::ErrorMsg::INVALID_ESCAPE; message.starts_with(escape)) {
    return "\"\\" + message.substr(escape.size()) +
           "\" is not an escape YAML knows; in single quotes a backslash is itself";
  }
  if (message.starts_with(YAML::ErrorMsg::INVALID_UNICODE)) return "the escape is not a Unicode character";
  return "this is not YAML: " + message;
}

// An opening quote at the very end of the text; yaml-cpp takes it for an empty string.
bool is_lone_quote(std::string_view rest) { return !rest.empty() && rest.find_first_of("'\"") == rest.size() - 1; }

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

class Scan::Impl final : public YAML::EventHandler {
 public:
  Impl(std::string_view text, const Limits& limits)
      : text_(checked(text, limits)),
        depth_(std::min(limits.depth, kMaxDepth)),
        source_(prepared(text_)),
        stream_(&source_),
        parser_(stream_) {}

  bool next(Tape& tape) {
    tape_ = &tape;
    tape.nodes.clear();
    tape.text.clear();
    open_.clear();
    anchors_.clear();
    try {
      const bool found = parser_.HandleNextDocument(*this);
      check_held();
      // What starts behind the text is the mark that prepared() put there.
      return found && !past_end_;
    } catch (const YAML::DeepRecursion& error) {
      too_deep(place(error.mark));
    } catch (const YAML::Exception& error) {
      check_held();
      // The mark that prepared() put behind the text is not the user's.
      const bool at_end = offset(error.mark) == text_.size() && error.msg == YAML::ErrorMsg::DOC_IN_SCALAR;
      const std::string problem = problem_of(at_end ? YAML::ErrorMsg::EOF_IN_SCALAR : error.msg);
      fail(place(error.mark), tab_problem(error.mark).value_or(problem));
    }
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    source_.told(offset(mark));
    past_end_ = offset(mark) == text_.size();
    if (past_end_) return;
    const bool marked = offset(mark) < text_.size() && text_.substr(offset(mark)).starts_with("---");
    if (!first_ && !marked) {
      fail(place(mark),
           "this stands after the end of the document; check the indentation, or put a line '---' between documents");
    }
    first_ = false;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const bool in_list = !open_.empty() && open_.back().flow && type_of(open_.back()) == Node::Type::sequence;
    if (in_list && offset(mark) < text_.size() && text_[offset(mark)] == ',') {
      fail(place(mark), "expected a value before ','");
    }
    check_colon();
    scalar(mark, Tag::none, anchor, "");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (value.empty() && is_lone_quote(text_.substr(offset(mark)))) {
      fail(place(mark), problem_of(YAML::ErrorMsg::EOF_IN_SCALAR));
    }
    scalar(mark, scalar_tag(tag), anchor, repaired(value));
    if (value.ends_with('\n')) keep_line_breaks(tape_->nodes.back(), offset(mark));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node& node = add(mark, Node::Type::alias, 0);
    node.target = anchors_[anchor];
    if (tape_->nodes[node.target].size == 0) fail(node.position, "the alias stands inside the value it stands for");
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    begin(mark, Node::Type::sequence, anchor, style);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    begin(mark, Node::Type::map, anchor, style);
  }
  void OnMapEnd() override { end(); }

 private:
  struct Open {
    std::size_t node;
    bool flow;
    std::size_t children = 0;
  };

  Node::Type type_of(const Open& open) const { return tape_->nodes[open.node].type; }

  // A mark may stand at the end of the text, or nowhere.
  std::size_t offset(const YAML::Mark& mark) const {
    return mark.pos < 0 ? 0 : std::min(static_cast<std::size_t>(mark.pos), text_.size());
  }

  Position place(const YAML::Mark& mark) const {
    if (mark.is_null()) return {};
    if (offset(mark) == text_.size()) return position_of(text_, text_.size());
    return {static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
  }

  // The tag of plain text is "?", of quoted text and of text behind a lone `!` it is "!".
  static Tag scalar_tag(const std::string& tag) {
    if (tag == "?") return Tag::none;
    return tag == "!" ? Tag::string : tag_of(tag);
  }

  void scalar(const YAML::Mark& mark, Tag tag, YAML::anchor_t anchor, std::string_view value) {
    Node& node = add(mark, Node::Type::scalar, anchor);
    node.tag = tag;
    node.text = tape_->text.size();
    node.length = value.size();
    tape_->text += value;
    const std::string_view rest = text_.substr(node.offset);
    if (rest.starts_with('"') || rest.starts_with('\'')) {
      source_.told(node.offset + end_of_quoted(rest));
    } else if (rest.starts_with(value)) {
      source_.told(node.offset + value.size());
    } else {
      source_.told_what_was_read();
    }
  }

  Node& add(const YAML::Mark& mark, Node::Type type, YAML::anchor_t anchor) {
    if ((open_.empty() || !open_.back().flow) && tab_before(offset(mark))) {
      fail(place(mark), std::string(kTab));
    }
    if (anchor != 0) {
      if (anchors_.size() <= anchor) anchors_.resize(anchor + 1);
      anchors_[anchor] = tape_->nodes.size();
    }
    if (!open_.empty()) ++open_.back().children;
    source_.told(offset(mark));
    Node& node = tape_->nodes.emplace_back();
    node.type = type;
    node.offset = offset(mark);
    node.position = place(mark);
    return node;
  }

  void begin(const YAML::Mark& mark, Node::Type type, YAML::anchor_t anchor, YAML::EmitterStyle::value style) {
    if (open_.size() >= depth_) too_deep(place(mark));
    add(mark, type, anchor).size = 0;
    const bool flow = style == YAML::EmitterStyle::Flow;
    const std::size_t at = tape_->nodes.back().offset;
    if (flow && text_.substr(at, 1).find_first_of("[{") == 0) source_.told(at + 1);
    open_.push_back({tape_->nodes.size() - 1, flow});
  }

  void end() {
    Node& node = tape_->nodes[open_.back().node];
    node.size = tape_->nodes.size() - open_.back().node;
    open_.pop_back();
  }

  // yaml-cpp takes the last line of a block map for a key even when the ':' is missing, and its value for null.
  void check_colon() const {
    if (open_.empty() || open_.back().flow || type_of(open_.back()) != Node::Type::map) return;
    const Node& key = tape_->nodes.back();
    if (open_.back().children % 2 == 0 || key.type != Node::Type::scalar) return;
    const std::string_view rest = text_.substr(key.offset);
    const std::string_view value = tape_->text_of(key);
    std::size_t at = value.size();
    if (rest.starts_with('"') || rest.starts_with('\'')) {
      at = end_of_quoted(rest);
    } else if (value.empty() || std::string_view("!&|>").find(rest[0]) != std::string_view::npos) {
      return;
    } else if (!rest.starts_with(value)) {
      at = rest.size();  // more than one line, as only an explicit key may have
    }
    while (at < rest.size() && is_blank(rest[at])) ++at;
    if (at < rest.size() && rest[at] == ':') return;
    // The value of an explicit key (`? key`) may be left out.
    const std::size_t before = text_.substr(0, key.offset).find_last_not_of(" \t");
    if (key.offset != 0 && before != std::string_view::npos && text_[before] == '?') return;
    fail(key.position, "expected ':' after the key");
  }

  static std::size_t end_of_quoted(std::string_view text) {
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (text[at] == '\\' && text[0] == '"') {
        ++at;
      } else if (text[at] == text[0]) {
        if (text[0] == '"' || at + 1 == text.size() || text[at + 1] != '\'') return at + 1;
        ++at;
      }
    }
    return text.size();
  }

  // yaml-cpp loses a line break at the end of folded text that keeps them (`>+`).
  void keep_line_breaks(Node& node, std::size_t at) {
    while (at < text_.size() && (text_[at] == '!' || text_[at] == '&')) {
      at = text_.find_first_not_of(" \t", std::min(text_.find_first_of(" \t\n", at), text_.size()));
    }
    if (at >= text_.size() || text_[at] != '>') return;
    const std::size_t line = std::min(text_.find('\n', at), text_.size());
    if (text_.substr(at, std::min<std::size_t>(3, line - at)).find('+') == std::string_view::npos) return;
    const std::size_t content = tape_->text.find_last_not_of('\n');
    if (content == std::string::npos || content < node.text) return;
    tape_->text.resize(content + 1);
    tape_->text.append(trailing_blank_lines(text_.substr(line)) + 1, '\n');
    node.length = tape_->text.size() - node.text;
  }

  // Of a block of text: `rest` starts with the line break before its first line.
  static std::size_t trailing_blank_lines(std::string_view rest) {
    std::size_t indent = 0;
    std::size_t blank = 0;
    while (rest.size() > 1) {
      rest.remove_prefix(1);
      const std::string_view line = rest.substr(0, rest.find('\n'));
      const std::size_t start = line.find_first_not_of(" \r");
      if (start == std::string_view::npos) {
        if (line.size() < rest.size()) ++blank;
      } else {
        if (indent == 0) indent = start;
        if (start < indent || start == 0) return blank;
        blank = 0;
      }
      rest.remove_prefix(line.size());
    }
    return blank;
  }

  // Whether what stands at `at` is set off by a tab where only spaces may: at the start of its line, or behind the
  // `-` or `?` of a block.
  bool tab_before(std::size_t at) const {
    bool tab = false;
    while (at > 0 && is_blank(text_[at - 1])) tab = text_[--at] == '\t' || tab;
    if (!tab) return false;
    if (at == 0 || text_[at - 1] == '\n' || text_[at - 1] == '\r') return true;
    const char before = text_[at - 1];
    return (before == '-' || before == '?') && (at == 1 || is_blank(text_[at - 2]) || text_[at - 2] == '\n');
  }

  // yaml-cpp reports what a tab leads to; the tab is what has to be told.
  std::optional<std::string> tab_problem(const YAML::Mark& mark) const {
    if (mark.is_null()) return std::nullopt;
    const std::size_t at = offset(mark);
    const std::size_t line = text_.substr(0, at).rfind('\n') + 1;
    for (std::size_t i = line; i < text_.size() && is_blank(text_[i]); ++i) {
      if (text_[i] == '\t') return std::string(kTab);
    }
    return std::nullopt;
  }

  void check_held() const {
    if (!source_.too_much()) return;
    fail(position_of(text_, *source_.too_much()),
         "too much stands within this bracket; put it on lines of its own, or write all of it as JSON");
  }

  [[noreturn]] void too_deep(Position position) const {
    fail(position, "values are nested deeper than the " + std::to_string(depth_) + " levels allowed");
  }

  [[noreturn]] void fail(Position position, std::string problem) const {
    throw ParseError(position, path(), std::move(problem));
  }

  // The innermost thing that was being read.
  std::string path() const {
    std::string path;
    for (const Open& open : open_) append_step(path, open.node);
    return path;
  }

  void append_step(std::string& path, std::size_t container) const {
    const auto& nodes = tape_->nodes;
    std::size_t count = 0;
    std::size_t last = 0;
    for (std::size_t at = container + 1; at < nodes.size(); at += std::max<std::size_t>(nodes[at].size, 1)) {
      ++count;
      if (nodes[container].type == Node::Type::sequence || count % 2 == 1) last = at;
      if (nodes[at].size == 0) break;
    }
    if (count == 0) return;
    if (nodes[container].type == Node::Type::sequence) {
      append_index(path, count - 1);
    } else if (nodes[last].type == Node::Type::scalar) {
      append_member(path, tape_->text_of(nodes[last]));
    }
  }

  static constexpr std::string_view kTab = "a tab indents this line; YAML takes only spaces";

  // Constant after construction.
  std::string_view text_;
  std::size_t depth_;

  Source source_;
  std::istream stream_;
  YAML::Parser parser_;
  Tape* tape_ = nullptr;
  std::vector<Open> open_;
  std::vector<std::size_t> anchors_;  // by yaml-cpp's number: the node
  bool first_ = true;
  bool past_end_ = false;
};

Scan::Scan(std::string_view text, const Limits& limits) : impl_(std::make_unique<Impl>(text, limits)) {}
Scan::~Scan() = default;
bool Scan::next(Tape& tape) { return impl_->next(tape); }

}  // namespace flyball::json::yaml
