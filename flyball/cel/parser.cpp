#include "flyball/cel/detail/parser.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>

#include "flyball/cel/detail/lexer.hpp"

namespace flyball::cel {
namespace {

using detail::Nodes;
using detail::Token;

constexpr int kMostDepth = 250;
constexpr std::size_t kMostCharacters = 100'000;
// What may begin an operand, with what else may stand there: ')' behind foo(, '?' behind s[.
std::string operand_expected(std::string_view round = "", std::string_view question = "") {
  return "{'[', '{', '(', " + std::string(round) + "'.', '-', '!', " + std::string(question) +
         "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
}

// The text ends here for the parser; what is wrong has been told.
struct GaveUp {};

class Parser {
 public:
  Parser(const Source& source, Issues& issues, const ParseOptions& options)
      : source_(source),
        issues_(issues),
        options_(options),
        nodes_(source, issues),
        tokens_(detail::tokenize(source, issues)) {}

  Ast parse() {
    Ast ast;
    try {
      ast.root = expr();
      if (peek().kind != Token::Kind::end) {
        const bool last = tokens_[at_ + 1].kind == Token::Kind::end;
        syntax(std::string(last ? "extraneous" : "mismatched") + " input '" + peek().text + "' expecting <EOF>");
      }
    } catch (const GaveUp&) {  // told where it happened
      ast.root = nullptr;
    }
    ast.offsets = nodes_.take_offsets();
    return ast;
  }

 private:
  // Counts how deep expressions are nested in brackets.
  class Depth {
   public:
    explicit Depth(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ <= kMostDepth) return;
      parser_.issues_.add({}, "expression recursion limit exceeded: " + std::to_string(kMostDepth));
      throw GaveUp();
    }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    ~Depth() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  // One operator above what stands below it: a + b + c is two high, (a) none.
  void rise(int below) {
    height_ = below + 1;
    if (height_ <= kMostDepth) return;
    issues_.add({}, "max recursion depth exceeded");
    throw GaveUp();
  }

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool take(std::string_view symbol) {
    if (!peek().is(symbol)) return false;
    ++at_;
    return true;
  }
  std::int64_t id(const Token& token) { return nodes_.id(static_cast<std::int64_t>(token.offset)); }

  [[noreturn]] void syntax(const std::string& problem) {
    Location location = source_.location(peek().offset);
    if (source_.characters().empty()) location.column = -1;
    issues_.add(location, "Syntax error: " + problem);
    throw GaveUp();
  }
  static bool begins_operand(const Token& token) {
    switch (token.kind) {
      case Token::Kind::end:
      case Token::Kind::escaped_identifier: return false;
      case Token::Kind::symbol: break;
      default: return true;
    }
    static constexpr std::array<std::string_view, 9> kSymbols = {"[", "{", "(", ".", "-", "!", "true", "false", "null"};
    return std::ranges::find(kSymbols, token.text) != kSymbols.end();
  }
  [[noreturn]] void mismatched(std::string_view expected) {
    syntax("mismatched input '" + peek().text + "' expecting " + std::string(expected));
  }
  void expect(std::string_view symbol) {
    if (take(symbol)) return;
    const std::string quoted = "'" + std::string(symbol) + "'";
    const bool fits_behind = symbol == ":" ? begins_operand(peek()) : peek().kind == Token::Kind::end;
    if (fits_behind) syntax("missing " + quoted + " at '" + peek().text + "'");
    mismatched(quoted);
  }

  ExprRef call(std::int64_t id, const std::string& function, std::vector<ExprRef> args, ExprRef target = nullptr) {
    if (ExprRef expanded = detail::expand_macro(nodes_, id, function, target, args)) return expanded;
    return Nodes::call(id, function, std::move(args), std::move(target));
  }
  ExprRef binary(std::int64_t id, const std::string& function, ExprRef left, ExprRef right) {
    std::vector<ExprRef> args;
    args.push_back(std::move(left));
    args.push_back(std::move(right));
    return Nodes::call(id, function, std::move(args));
  }

  ExprRef expr() {
    const Depth depth(*this);
    ExprRef condition = logical(true);
    const Token op = peek();
    if (!take("?")) return condition;
    int highest = height_;
    const std::int64_t op_id = id(op);
    std::vector<ExprRef> args;
    args.push_back(std::move(condition));
    args.push_back(logical(true));
    highest = std::max(highest, height_);
    expect(":");
    args.push_back(expr());
    rise(std::max(highest, height_));
    return Nodes::call(op_id, operators::kConditional, std::move(args));
  }

  // a || b || c as a balanced tree; && binds tighter.
  ExprRef logical(bool is_or) {
    std::vector<ExprRef> terms;
    std::vector<std::int64_t> ids;
    terms.push_back(is_or ? logical(false) : relation());
    int highest = height_;
    for (;;) {
      const Token op = peek();
      if (!take(is_or ? "||" : "&&")) break;
      terms.push_back(is_or ? logical(false) : relation());
      highest = std::max(highest, height_);
      ids.push_back(id(op));
    }
    height_ = highest;
    if (ids.empty()) return std::move(terms.front());
    return balanced(is_or ? operators::kOr : operators::kAnd, terms, ids, 0, ids.size() - 1);
  }

  ExprRef balanced(const std::string& function, std::vector<ExprRef>& terms, const std::vector<std::int64_t>& ids,
                   std::size_t low, std::size_t high) {
    const std::size_t middle = (low + high + 1) / 2;
    ExprRef left = middle == low ? std::move(terms[middle]) : balanced(function, terms, ids, low, middle - 1);
    ExprRef right = middle == high ? std::move(terms[middle + 1]) : balanced(function, terms, ids, middle + 1, high);
    return binary(ids[middle], function, std::move(left), std::move(right));
  }

  ExprRef relation() {
    ExprRef left = calc(1);
    static constexpr std::array<std::pair<std::string_view, const char*>, 7> kFunctions = {
        {{"<", "_<_"}, {"<=", "_<=_"}, {">", "_>_"}, {">=", "_>=_"}, {"==", "_==_"}, {"!=", "_!=_"}, {"in", "@in"}}};
    for (;;) {
      const Token op = peek();
      const auto found = std::ranges::find_if(kFunctions, [&](const auto& each) { return op.is(each.first); });
      if (found == kFunctions.end()) return left;
      ++at_;
      const int below = height_;
      const std::int64_t op_id = id(op);
      ExprRef right = calc(1);
      rise(std::max(below, height_));
      left = binary(op_id, found->second, std::move(left), std::move(right));
    }
  }

  ExprRef calc(int least) {
    ExprRef left = unary();
    for (;;) {
      const Token op = peek();
      const int precedence = op.is("*") || op.is("/") || op.is("%") ? 2 : op.is("+") || op.is("-") ? 1 : 0;
      if (precedence < least) return left;
      ++at_;
      const int below = height_;
      const std::int64_t op_id = id(op);
      ExprRef right = calc(precedence + 1);
      rise(std::max(below, height_));
      left = binary(op_id, "_" + op.text + "_", std::move(left), std::move(right));
    }
  }

  ExprRef unary() {
    const Token first = peek();
    const bool number_behind = peek(1).kind == Token::Kind::integer || peek(1).kind == Token::Kind::real;
    if (first.is("-") && number_behind) return member();
    if (!first.is("!") && !first.is("-")) return member();
    std::size_t count = 0;
    while (take(first.text)) ++count;
    if (first.is("-") && peek().is("!")) syntax("no viable alternative at input '-!'");
    if (count % 2 == 0) return member();
    const std::int64_t op_id = id(first);
    std::vector<ExprRef> args;
    args.push_back(member());
    return Nodes::call(op_id, first.text + "_", std::move(args));
  }

  ExprRef member() {
    height_ = 0;
    ExprRef left = primary();
    for (;;) {
      const Token op = peek();
      const int below = height_;
      if (take(".")) {
        left = selected(std::move(left), op);
        rise(std::max(below, height_));
      } else if (take("[")) {
        const bool optional = take("?");
        if (!optional && !begins_operand(peek())) mismatched(operand_expected("", "'?', "));
        const std::int64_t op_id = id(op);
        ExprRef index = expr();
        expect("]");
        rise(std::max(below, height_));
        left = binary(op_id, optional ? operators::kOptIndex : operators::kIndex, std::move(left), std::move(index));
      } else {
        return left;
      }
    }
  }

  ExprRef selected(ExprRef operand, const Token& op) {
    const bool optional = take("?");
    const Token name = peek();
    if (name.kind != Token::Kind::identifier && name.kind != Token::Kind::escaped_identifier) {
      if (name.is("true") || name.is("false") || name.is("null") || optional) mismatched("IDENTIFIER");
      syntax("no viable alternative at input '." + (name.kind == Token::Kind::end ? std::string() : name.text) + "'");
    }
    ++at_;
    const Token open = peek();
    if (!optional && name.kind == Token::Kind::identifier && take("(")) {
      const std::int64_t call_id = id(open);
      return call(call_id, name.text, arguments(), std::move(operand));
    }
    std::string field = name.text;
    if (name.kind == Token::Kind::escaped_identifier) {
      field = field.substr(1, field.size() - 2);
      if (!options_.escaped_fields) nodes_.fail(id(name), "unsupported syntax: '`'");
    }
    if (!optional) return Nodes::select(id(op), std::move(operand), std::move(field));
    ExprRef field_literal = Nodes::literal(id(name), Value::string(std::move(field)));
    return binary(id(op), operators::kOptSelect, std::move(operand), std::move(field_literal));
  }

  std::vector<ExprRef> arguments() {
    std::vector<ExprRef> args;
    if (take(")")) return args;
    if (!begins_operand(peek())) mismatched(operand_expected("')', "));
    int highest = 0;
    do {
      args.push_back(expr());
      highest = std::max(highest, height_);
    } while (take(","));
    height_ = highest;
    expect(")");
    return args;
  }

  ExprRef primary() {
    const Token first = peek();
    if (first.is("(")) {
      ++at_;
      ExprRef inner = expr();
      expect(")");
      return inner;
    }
    if (take("[")) return list(first);
    if (take("{")) return map(first);
    const bool dot = first.is(".");
    if (first.kind == Token::Kind::identifier || (dot && peek(1).kind == Token::Kind::identifier)) return named(dot);
    return literal();
  }

  ExprRef named(bool dot) {
    const Token start = peek();
    if (dot) ++at_;
    std::size_t ahead = 1;
    while (peek(ahead).is(".") && peek(ahead + 1).kind == Token::Kind::identifier) ahead += 2;
    if (peek(ahead).is("{")) return object(dot, ahead);
    const Token name = peek();
    ++at_;
    static constexpr std::array<std::string_view, 18> kReserved = {
        "as",  "break", "const",   "continue",  "else",   "for", "function", "if",    "import",
        "let", "loop",  "package", "namespace", "return", "var", "void",     "while", "in"};
    const bool is_reserved = std::ranges::find(kReserved, name.text) != kReserved.end();
    const std::string text = (dot ? "." : "") + name.text;
    const Token open = peek();
    if (take("(")) {
      if (is_reserved) {
        nodes_.fail(id(start), "reserved identifier: " + name.text);
        arguments();
        return Nodes::ident(id(start), text);
      }
      const std::int64_t call_id = id(open);
      return call(call_id, text, arguments());
    }
    if (is_reserved) nodes_.fail(id(start), "reserved identifier: " + name.text);
    return Nodes::ident(id(name), text);
  }

  ExprRef object(bool dot, std::size_t ahead) {
    std::string name = dot ? "." : "";
    for (std::size_t i = 0; i < ahead; ++i) name += peek(i).text;
    at_ += ahead;
    auto made = std::make_unique<Expr>();
    made->kind = Expr::Kind::object;
    made->id = id(peek());
    made->name = std::move(name);
    ++at_;
    while (more("}", made->entries.empty())) {
      const bool optional = take("?");
      const Token field = peek();
      if (field.kind != Token::Kind::identifier) mismatched("IDENTIFIER");
      ++at_;
      const Token colon = peek();
      expect(":");
      const std::int64_t entry_id = id(colon);
      made->entries.push_back(
          {.id = entry_id, .key = nullptr, .field = field.text, .value = expr(), .optional = optional});
    }
    return made;
  }

  // Whether another element follows, past its comma; the last one may have a comma too, and so may none.
  bool more(std::string_view close, bool first) {
    if (take(close)) return false;
    const bool comma = take(",");
    if (comma && take(close)) return false;
    const std::string quoted = "'" + std::string(close) + "'";
    if (comma && (first || peek().is(","))) mismatched(quoted);
    if (!comma && !first) mismatched("{" + quoted + ", ','}");
    return true;
  }

  ExprRef list(const Token& open) {
    auto made = Nodes::list(id(open), {});
    while (more("]", made->args.empty())) {
      made->optional.push_back(take("?"));
      made->args.push_back(expr());
    }
    return made;
  }

  ExprRef map(const Token& open) {
    auto made = std::make_unique<Expr>();
    made->kind = Expr::Kind::map;
    made->id = id(open);
    while (more("}", made->entries.empty())) {
      const bool optional = take("?");
      ExprRef key = expr();
      const Token colon = peek();
      expect(":");
      const std::int64_t entry_id = id(colon);
      made->entries.push_back(
          {.id = entry_id, .key = std::move(key), .field = {}, .value = expr(), .optional = optional});
    }
    return made;
  }

  ExprRef literal() {
    const Token first = peek();
    const bool negative = first.is("-") && take("-");
    const Token token = peek();
    switch (token.kind) {
      case Token::Kind::integer: ++at_; return integer(first, token.text, negative);
      case Token::Kind::real: ++at_; return real(first, (negative ? "-" : "") + token.text);
      default: break;
    }
    if (negative) mismatched("{NUM_FLOAT, NUM_INT}");
    switch (token.kind) {
      case Token::Kind::unsigned_integer: ++at_; return unsigned_integer(token);
      case Token::Kind::string:
      case Token::Kind::bytes: ++at_; return text(token);
      default: break;
    }
    if (take("true")) return Nodes::literal(id(token), Value::boolean(true));
    if (take("false")) return Nodes::literal(id(token), Value::boolean(false));
    if (take("null")) return Nodes::literal(id(token), {});
    if (token.is(".")) {
      ++at_;
      syntax("no viable alternative at input '." + (peek().kind == Token::Kind::end ? std::string() : peek().text) +
             "'");
    }
    const bool stray = token.kind != Token::Kind::end && begins_operand(peek(1));
    if (stray) syntax("extraneous input '" + token.text + "' expecting " + operand_expected());
    mismatched(operand_expected());
  }

  template <class T>
  static bool number(std::string_view text, bool negative, T& value) {
    const bool hexadecimal = text.starts_with("0x");
    const std::string digits = (negative ? "-" : "") + std::string(hexadecimal ? text.substr(2) : text);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
    return error == std::errc() && end == digits.data() + digits.size();
  }

  ExprRef integer(const Token& first, std::string_view text, bool negative) {
    std::int64_t value = 0;
    const std::int64_t node = id(first);
    if (!number(text, negative, value)) nodes_.fail(node, "invalid int literal");
    return Nodes::literal(node, Value::integer(value));
  }
  ExprRef unsigned_integer(const Token& token) {
    std::uint64_t value = 0;
    const std::int64_t node = id(token);
    if (!number(std::string_view(token.text).substr(0, token.text.size() - 1), false, value)) {
      nodes_.fail(node, "invalid uint literal");
    }
    return Nodes::literal(node, Value::unsigned_integer(value));
  }
  ExprRef real(const Token& first, const std::string& text) {
    const double value = std::strtod(text.c_str(), nullptr);
    const std::int64_t node = id(first);
    if (value > 1.7976931348623157e308 || value < -1.7976931348623157e308) nodes_.fail(node, "invalid double literal");
    return Nodes::literal(node, Value::real(value));
  }
  ExprRef text(const Token& token) {
    const bool bytes = token.kind == Token::Kind::bytes;
    std::string problem;
    std::string value = detail::unescape(token.text, bytes, problem);
    const std::int64_t node = id(token);
    if (!problem.empty()) nodes_.fail(node, problem);
    return Nodes::literal(node, bytes ? Value::bytes(std::move(value)) : Value::string(std::move(value)));
  }

  const Source& source_;
  Issues& issues_;
  const ParseOptions& options_;
  Nodes nodes_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int height_ = 0;  // of the expression that was read last
};

}  // namespace

Ast parse(const Source& source, Issues& issues, const ParseOptions& options) {
  if (source.characters().size() > kMostCharacters) {
    issues.add({}, "expression code point size exceeds limit: size: " + std::to_string(source.characters().size()) +
                       ", limit " + std::to_string(kMostCharacters));
    return {};
  }
  return Parser(source, issues, options).parse();
}

}  // namespace flyball::cel
