#include "flyball/json/parse.hpp"

#include <string>
#include <unordered_map>

#include "flyball/json/builder.hpp"
#include "flyball/json/detail/fast_parser.hpp"
#include "flyball/json/detail/member_names.hpp"

namespace flyball::json {

namespace {

// Every member's last value, in place of the first.
void copy_last(View value, Builder& to) {
  if (value.is_array()) {
    to.begin_array();
    for (View element : value.items()) copy_last(element, to);
    to.end();
  } else if (value.is_object()) {
    std::unordered_map<std::string_view, View> last;
    for (auto [key, member] : value.entries()) last[key] = member;
    to.begin_object();
    for (auto [key, member] : value.entries()) {
      const auto found = last.find(key);
      if (found == last.end()) continue;
      copy_last(found->second, to.key(key));
      last.erase(found);
    }
    to.end();
  } else {
    to.value(value);
  }
}

// The parser that explains what is wrong.
class Parser {
 public:
  Parser(Reader& reader, const ParseOptions& options, Builder& builder)
      : options_(options), reader_(reader), builder_(builder) {}

  Value parse() {
    do {
      if (builder_.depth() != 0 && !next()) continue;
      value();
    } while (builder_.depth() != 0);
    Value value = builder_.finish();
    if (!repeats_) return value;
    Builder without(value.encoded_size());
    copy_last(value, without);
    return without.finish();
  }

 private:
  // Moves to the next value of the innermost container; false, with the container closed, when there is none.
  bool next() {
    if (in_object_.back() < 0) {
      if (reader_.next_element()) return true;
    } else if (const auto name = reader_.next_member()) {
      auto& names = names_[static_cast<std::size_t>(in_object_.back())];
      if (names.repeated(*name, builder_.open_count(), builder_.open_contents(), builder_.position())) repeat(*name);
      builder_.key(*name);
      return true;
    } else {
      names_.pop_back();
    }
    builder_.end();
    in_object_.pop_back();
    return false;
  }

  void value() {
    switch (reader_.peek()) {
      case Kind::null:
        reader_.null();
        builder_.null();
        break;
      case Kind::boolean: builder_.boolean(reader_.boolean()); break;
      case Kind::string: builder_.string(reader_.string()); break;
      case Kind::array:
        reader_.begin_array();
        builder_.begin_array();
        in_object_.push_back(-1);
        break;
      case Kind::object:
        reader_.begin_object();
        builder_.begin_object();
        in_object_.push_back(static_cast<int>(names_.size()));
        names_.emplace_back();
        break;
      default:
        if (const Number number = reader_.number(); number.integer) {
          builder_.integer(number.as_int);
        } else {
          builder_.number(number.as_double);
        }
    }
  }

  void repeat(std::string_view name) {
    ParseError error(reader_.position_of(reader_.member_offset()), reader_.path(),
                     "the member \"" + std::string(name) + "\" stands twice");
    if (options_.duplicates == Duplicates::refuse) throw error;
    if (options_.reports != nullptr) options_.reports->push_back(error);
    repeats_ = true;
  }

  const ParseOptions& options_;
  Reader& reader_;
  Builder& builder_;
  std::vector<int> in_object_;      // per open container: the index into names_, or -1 for an array
  std::vector<MemberNames> names_;  // one per open object
  bool repeats_ = false;
};

}  // namespace

Value parse(std::string_view text, const ParseOptions& options) {
  Builder builder;
  if (FastParser::parse(text, options.limits, builder)) return builder.finish();
  builder.clear();
  Reader reader(text, options.limits);
  Value value = Parser(reader, options, builder).parse();
  reader.finish();
  return value;
}

Value parse_next(Reader& reader, const ParseOptions& options) {
  constexpr std::size_t kExpected = 512;
  Builder builder(kExpected);
  return Parser(reader, options, builder).parse();
}

}  // namespace flyball::json
