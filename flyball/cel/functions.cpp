#include "flyball/cel/functions.hpp"

#include <algorithm>
#include <utility>

namespace flyball::cel {
namespace {

std::vector<TypeRef> parse_types(std::string_view text) {
  std::vector<TypeRef> types;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    const std::string_view part = text.substr(begin, i - begin);
    if (part.find_first_not_of(' ') != std::string_view::npos) types.push_back(parse_type(part));
    begin = i + 1;
  }
  return types;
}

}  // namespace

bool has_trait(const Value& value, Trait trait) {
  using Kind = Value::Kind;
  const Kind kind = value.kind();
  const auto is = [kind](std::initializer_list<Kind> kinds) { return std::ranges::find(kinds, kind) != kinds.end(); };
  switch (trait) {
    case Trait::none: return true;
    case Trait::adder:
      return is({Kind::bytes, Kind::real, Kind::duration, Kind::integer, Kind::string, Kind::timestamp,
                 Kind::unsigned_integer, Kind::list});
    case Trait::comparer:
      return is({Kind::boolean, Kind::bytes, Kind::real, Kind::duration, Kind::integer, Kind::string, Kind::timestamp,
                 Kind::unsigned_integer});
    case Trait::divider:
    case Trait::multiplier: return is({Kind::real, Kind::integer, Kind::unsigned_integer});
    case Trait::modder: return is({Kind::integer, Kind::unsigned_integer});
    case Trait::negator: return is({Kind::boolean, Kind::real, Kind::duration, Kind::integer});
    case Trait::subtractor:
      return is({Kind::real, Kind::duration, Kind::integer, Kind::timestamp, Kind::unsigned_integer});
    case Trait::matcher: return is({Kind::string});
    case Trait::sizer: return is({Kind::bytes, Kind::string, Kind::list, Kind::map});
    case Trait::lister: return is({Kind::list});
  }
  return false;
}

bool fits(const Type& type, const Value& value) {
  if (type.kind() == Type::Kind::dyn || type.kind() == Type::Kind::parameter) return true;
  if (type.name() != type_of(value)->name()) return false;
  if (type.kind() == Type::Kind::list) {
    const List& list = value.as_list();
    return list.size() == 0 || fits(*type.parameters()[0], list.at(0));
  }
  if (type.kind() == Type::Kind::map) {
    const Map& map = value.as_map();
    if (map.size() == 0) return true;
    const Value key = map.keys().front();
    return fits(*type.parameters()[0], key) && fits(*type.parameters()[1], *map.find(key));
  }
  return true;
}

Function& Functions::function(std::string_view name) {
  const auto found = functions_.find(name);
  if (found != functions_.end()) return found->second;
  Function& made = functions_[std::string(name)];
  made.name = name;
  return made;
}

const Function* Functions::find(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second;
}

void Functions::add(std::string_view name, std::string_view id, std::string_view signature,
                    Implementation implementation, bool member) {
  const std::size_t arrow = signature.find("->");
  std::vector<TypeRef> args = parse_types(signature.substr(0, arrow));
  function(name).overloads.push_back({.id = std::string(id),
                                      .member = member,
                                      .args = std::move(args),
                                      .result = parse_type(signature.substr(arrow + 2)),
                                      .implementation = implementation});
}

void Functions::global(std::string_view name, std::string_view id, std::string_view signature,
                       Implementation implementation) {
  add(name, id, signature, implementation, false);
}
void Functions::member(std::string_view name, std::string_view id, std::string_view signature,
                       Implementation implementation) {
  add(name, id, signature, implementation, true);
}

const Functions& kubernetes_functions() {
  static const Functions functions = [] {
    Functions made;
    add_standard(made);
    add_time(made);
    add_urls(made);
    add_regex(made);
    add_lists(made);
    add_optionals(made);
    add_quantities(made);
    add_strings(made);
    add_string_format(made);
    add_sets(made);
    add_addresses(made);
    add_formats(made);
    add_versions(made);
    return made;
  }();
  return functions;
}

}  // namespace flyball::cel
