// Terminal: an error that trying again cannot mend. The object is left alone until it, or something its last pass read,
// changes.
//
//   if (m.spec.image.find('@') == std::string::npos) throw Terminal("ImageNotPinned", "spec.image: want a digest");
//
// The reason and the message become a Warning event and, where the status has conditions, the condition Stalled; it is
// taken away by the next pass that succeeds. Any other exception is tried again, later each time.
//
// Thread-safety: a value.
#pragma once

#include <string>
#include <utility>

#include "flyball/base/error.hpp"

namespace flyball::runtime {

class Terminal : public Error {
 public:
  // `reason` is one word in UpperCamel for programs, `message` a sentence for people.
  Terminal(std::string reason, const std::string& message) : Error(message), reason_(std::move(reason)) {}
  const std::string& reason() const noexcept { return reason_; }

 private:
  std::string reason_;
};

}  // namespace flyball::runtime

namespace flyball {
using runtime::Terminal;
}  // namespace flyball
