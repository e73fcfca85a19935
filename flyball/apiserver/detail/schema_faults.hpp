// Parts of validate: what was found, where, and how it reads.
//
// Thread-safety: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/apiserver/problems.hpp"
#include "flyball/apiserver/schema/structural.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver::detail {

// Where the validator stands: a chain of names that becomes text only when something is wrong there.
class Place {
 public:
  Place() = default;
  // A member of an object. One that only additionalProperties describes has a dot before it even at the root.
  Place(const Place& parent, std::string_view name, bool additional)
      : parent_(&parent), name_(name), kind_(additional ? Kind::additional : Kind::member) {}
  Place(const Place& parent, std::size_t index) : parent_(&parent), index_(index), kind_(Kind::item) {}

  bool parent_is_root() const { return parent_ != nullptr && parent_->kind_ == Kind::root; }
  std::string text() const;

 private:
  enum class Kind : std::uint8_t { root, member, additional, item };
  const Place* parent_ = nullptr;
  std::string_view name_ = {};
  std::size_t index_ = 0;
  Kind kind_ = Kind::root;
};

struct Fault {
  Problem::Kind kind = Problem::Kind::invalid;
  std::string path = {};
  std::string message = {};  // two with the same message are one
  std::string shown = {};    // what a Problem says behind the field
  bool without_place = false;
};

class Faults {
 public:
  void add(Fault fault) { faults_.push_back(std::move(fault)); }
  void merge(Faults other);
  void count() { ++counted_; }
  void forget() { faults_.clear(); }

  bool empty() const { return faults_.empty(); }
  int counted() const { return counted_; }
  // All of them, in their order, without those that say what another said before.
  std::vector<Fault> once() &&;

 private:
  std::vector<Fault> faults_;
  int counted_ = 0;
};

// A value as problems show it: strings quoted, the rest as JSON.
std::string shown(json::View value);
// `Invalid value: "x": spec.size in body …`; `text` is what comes behind the place.
Fault invalid(const Place& at, json::View value, std::string_view text);
Fault wrong_type(const Place& at, std::string_view wanted, std::string_view found);
Fault too_many(const Place& at, std::int64_t found, std::int64_t most, std::string_view things);
// One whose field is not reported, but named in its text.
Fault unplaced(const Place& at, std::string_view text);

// Limits and formats of a number.
Faults check_number(const SchemaNode& schema, json::View value, const Place& at);
// Whether a double counts as an integer.
bool is_whole(double value);
std::size_t count_characters(std::string_view text);

}  // namespace flyball::apiserver::detail
