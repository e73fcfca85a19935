// NamedFormat: what format.dns1123Label() gives.
//
// Thread-safety: immutable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/cel/value.hpp"

namespace flyball::cel::detail {

class NamedFormat final : public Object {
 public:
  using Check = std::vector<std::string> (*)(std::string_view);
  NamedFormat(std::string name, std::uint64_t pattern_size, Check check)
      : name_(std::move(name)), pattern_size_(pattern_size), check_(check) {}
  const TypeRef& type() const override;
  Value equal(const Object& other) const override;
  std::string text() const override { return name_; }
  // How long the regular expression behind it may be; what it costs to apply follows from that.
  std::uint64_t pattern_size() const { return pattern_size_; }
  std::vector<std::string> problems(std::string_view text) const { return check_(text); }

 private:
  std::string name_;
  std::uint64_t pattern_size_;
  Check check_;
};

}  // namespace flyball::cel::detail
