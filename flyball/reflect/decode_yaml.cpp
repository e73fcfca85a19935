#include "flyball/reflect/decode_yaml.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "flyball/json/pointer.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::reflect {

namespace {

// The decoder reads the document as JSON on one line, so a column there is one value or one key, exactly. Paths would
// not do: `a["0"]` and `a[0]` are one JSON Pointer, and a path cannot be split back into its parts with certainty.
class Places {
 public:
  Places(std::string_view json, const json::Limits& limits, const json::Positions& positions)
      : positions_(positions), reader_(json, limits) {
    places_.emplace(0, positions_.find(""));
    walk();
  }

  Position of(Position in_json) const {
    const auto found = places_.find(in_json.column - 1);
    return found != places_.end() ? found->second : Position();
  }

 private:
  void walk() {
    switch (reader_.peek()) {
      case json::Kind::object: return members();
      case json::Kind::array: return elements();
      default: reader_.skip();
    }
  }

  void members() {
    reader_.begin_object();
    while (const auto key = reader_.next_member()) {
      const std::size_t outer = step(json::Pointer().child(*key).to_string());
      places_.emplace(reader_.member_offset(), positions_.nearest(pointer_));
      walk();
      pointer_.resize(outer);
    }
  }

  void elements() {
    reader_.begin_array();
    for (std::size_t index = 0; reader_.next_element(); ++index) {
      const std::size_t outer = step("/" + std::to_string(index));
      walk();
      pointer_.resize(outer);
    }
  }

  // Goes down to the value under the cursor; returns where the pointer ended before.
  std::size_t step(const std::string& part) {
    const std::size_t outer = pointer_.size();
    pointer_ += part;
    places_.emplace(reader_.offset(), positions_.nearest(pointer_));
    return outer;
  }

  const json::Positions& positions_;
  json::Reader reader_;
  std::string pointer_;
  std::unordered_map<std::size_t, Position> places_;
};

bool stands_before(const InputError& a, const InputError& b) {
  return std::pair(a.position().line, a.position().column) < std::pair(b.position().line, b.position().column);
}

// What is wrong with the document itself: in strict mode, keys that stand twice.
json::Value read(std::string_view text, const DecodeOptions& options, std::vector<InputError>& problems,
                 json::Positions* positions) {
  return json::parse_yaml(text, {.limits = options.limits,
                                 .duplicates = json::Duplicates::last_wins,
                                 .reports = options.strict ? &problems : nullptr,
                                 .positions = positions});
}

}  // namespace

void decode_yaml(std::string_view text, const Type& type, void* to, const DecodeOptions& options) {
  std::vector<InputError> problems;
  const std::string json = json::write(read(text, options, problems, nullptr));
  try {
    decode(json, type, to, options);
  } catch (const DecodeError& error) {
    // Most documents are right; only a wrong one is read again for the places of its parts.
    json::Positions positions;
    problems.clear();
    read(text, options, problems, &positions);
    const Places places(json, options.limits, positions);
    for (const InputError& problem : error.problems()) {
      problems.emplace_back(places.of(problem.position()), problem.path(), problem.problem());
    }
  }
  if (problems.empty()) return;
  std::ranges::stable_sort(problems, stands_before);
  throw DecodeError(std::move(problems));
}

}  // namespace flyball::reflect
