// JsonPath: the paths of printer columns and selectable fields, as kubectl and kube-apiserver read them.
//
//   const JsonPath path(R"(.status.conditions[?(@.type=="Ready")].status)");
//   if (const auto found = path.find(object); found && !found->empty()) use(found->front());
//
// Members (.a, ['a'], with \. for a dot in a name), indexes and slices ([0], [-1], [1:3], [*]), unions ([0,1]), filters
// with == != < > <= >= or a path that must be there, and all that is below (..).
//
// Thread-safety: immutable. Lifetime: what find() gives lives as long as the object and the path.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

class JsonPathError : public Error {
 public:
  using Error::Error;
};

class JsonPath {
 public:
  struct Step {
    enum class Kind : std::uint8_t { member, slice, wildcard, recursive, choice, filter, literal };
    Kind kind = Kind::member;
    std::string name = {};  // of a member; of a filter its operator, "exists" when there is none
    json::Value literal = {};
    std::array<std::optional<std::int64_t>, 3> slice = {};  // begin, end, step
    bool single = false;                                    // [n]: the end is behind the begin
    std::vector<std::vector<Step>> paths = {};              // of a choice; of a filter what stands left and right
  };

  // Throws JsonPathError.
  explicit JsonPath(std::string_view path);

  // What is there: empty when something on the way is missing, nothing when the path does not fit the object.
  std::optional<std::vector<json::View>> find(json::View object) const;

 private:
  std::vector<Step> steps_;
};

}  // namespace flyball::apiserver
