// Selector::parse: the words and the grammar of label selectors, with the messages of Kubernetes' own parser.
#include <set>
#include <utility>

#include "flyball/base/error.hpp"
#include "flyball/kube/detail/go_text.hpp"
#include "flyball/kube/names.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::kube {

namespace {

enum class Kind : std::uint8_t { end, identifier, symbol };

struct Token {
  Kind kind = Kind::end;
  std::string text = {};

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
  bool is_end() const { return kind == Kind::end; }
  bool is_identifier() const { return kind == Kind::identifier; }
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_symbol(char c) { return std::string_view("=!(),><").find(c) != std::string_view::npos; }

[[noreturn]] void refuse(const std::string& problem) { throw InputError({}, "", problem); }

class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) { advance(); }

  const Token& next() const { return next_; }
  Token take() {
    Token token = std::exchange(next_, Token());
    advance();
    return token;
  }

 private:
  void advance() {
    while (!rest_.empty() && is_space(rest_[0])) rest_.remove_prefix(1);
    // Go reads a NUL as the end of whatever is being read.
    if (rest_.empty() || rest_[0] == '\0') {
      next_ = {};
      return;
    }
    std::size_t size = 0;
    const bool symbol = is_symbol(rest_[0]);
    if (symbol) {
      size = rest_.starts_with("==") || rest_.starts_with("!=") ? 2 : 1;
    } else {
      while (size < rest_.size() && rest_[size] != '\0' && !is_symbol(rest_[size]) && !is_space(rest_[size])) ++size;
    }
    next_ = {symbol ? Kind::symbol : Kind::identifier, std::string(rest_.substr(0, size))};
    rest_.remove_prefix(size);
    if (rest_.starts_with('\0')) rest_.remove_prefix(1);
  }

  std::string_view rest_;
  Token next_;
};

std::string read_key(Words& words) {
  Token key = words.take();
  if (!key.is_identifier()) refuse("found '" + key.text + "', expected: identifier");
  const auto wrong = names::label_key(key.text);
  if (wrong.empty()) return std::move(key.text);
  std::string detail;
  for (const std::string& message : wrong) detail += (detail.empty() ? "" : "; ") + message;
  refuse("<nil>: Invalid value: " + detail::quote(key.text) + ": " + detail);
}

Operator read_operator(Words& words) {
  constexpr std::pair<std::string_view, Operator> kSigns[] = {
      {"in", Operator::in},          {"=", Operator::equals},    {"==", Operator::double_equals},
      {">", Operator::greater_than}, {"<", Operator::less_than}, {"notin", Operator::not_in},
      {"!=", Operator::not_equals},
  };
  const Token token = words.take();
  for (const auto& [sign, op] : kSigns) {
    if (token.text == sign) return op;
  }
  refuse("found '" + token.text + "', expected: in, notin, =, ==, !=, gt, lt");
}

using Values = std::set<std::string>;

// What stands between the parentheses. Nothing between two commas, or beside one, is the empty value.
Values read_list(Words& words) {
  Values values;
  while (true) {
    const Token token = words.take();
    if (token.is_identifier()) {
      values.insert(token.text);
      if (words.next().is(",")) continue;
      if (words.next().is(")")) return values;
      refuse("found '" + words.next().text + "', expected: ',' or ')'");
    }
    if (!token.is(",")) refuse("found '" + token.text + "', expected: ',', or identifier");
    if (values.empty() || words.next().is(",") || words.next().is(")")) values.insert("");
    if (words.next().is(")")) return values;
  }
}

Values read_set(Words& words) {
  const Token open = words.take();
  if (!open.is("(")) refuse("found '" + open.text + "' expected: '('");
  const Token& first = words.next();
  if (!first.is_identifier() && !first.is(",") && !first.is(")")) {
    refuse("found '" + first.text + "', expected: ',', ')' or identifier");
  }
  Values values = first.is(")") ? Values{""} : read_list(words);
  words.take();
  return values;
}

Values read_exact_value(Words& words) {
  if (words.next().is_end() || words.next().is(",")) return {""};
  const Token token = words.take();
  if (!token.is_identifier()) refuse("found '" + token.text + "', expected: identifier");
  return {token.text};
}

Requirement read_requirement(Words& words) {
  const bool negated = words.next().is("!");
  if (negated) words.take();
  std::string key = read_key(words);
  if (negated) return Requirement(std::move(key), Operator::does_not_exist);
  if (words.next().is_end() || words.next().is(",")) return Requirement(std::move(key), Operator::exists);
  const Operator op = read_operator(words);
  const Values values = op == Operator::in || op == Operator::not_in ? read_set(words) : read_exact_value(words);
  return Requirement(std::move(key), op, {values.begin(), values.end()});
}

bool begins_requirement(const Token& token) { return token.is_identifier() || token.is("!"); }

}  // namespace

Selector Selector::parse(std::string_view text) {
  Words words(text);
  Selector selector;
  if (words.next().is_end()) return selector;
  if (!begins_requirement(words.next())) {
    refuse("found '" + words.next().text + "', expected: !, identifier, or 'end of string'");
  }
  while (true) {
    try {
      selector.add(read_requirement(words));
    } catch (const InputError& error) {
      refuse("unable to parse requirement: " + error.problem());
    }
    const Token token = words.take();
    if (token.is_end()) break;
    if (!token.is(",")) refuse("found '" + token.text + "', expected: ',' or 'end of string'");
    if (!begins_requirement(words.next())) {
      refuse("found '" + words.next().text + "', expected: identifier after ','");
    }
  }
  return selector;
}

}  // namespace flyball::kube
