// The text as yaml-cpp is given it, byte by byte, so that it is known how far it has looked.
//
// yaml-cpp takes what stands in brackets for a possible key: it holds all of it as tokens, 250 bytes for each bracket
// or comma, and tells of the first only when the brackets are closed. A text that makes it hold too much is cut off
// here, which makes it tell at once.
#pragma once

#include <cstddef>
#include <optional>
#include <streambuf>
#include <string>

namespace flyball::json::yaml {

class Source final : public std::streambuf {
 public:
  explicit Source(std::string text) : text_(std::move(text)) {}

  // Everything before `up_to` was told: no tokens of it are held any more.
  void told(std::size_t up_to);
  // Everything that was looked at was told, but for what yaml-cpp reads ahead.
  void told_what_was_read();

  // Where the brackets open that held too much.
  std::optional<std::size_t> too_much() const { return cut_; }

 private:
  std::streamsize xsgetn(char* into, std::streamsize size) override;
  void find_brackets();

  // Constant after construction.
  const std::string text_;

  std::size_t read_ = 0;
  std::size_t told_ = 0;
  std::size_t unsure_ = 0;  // what stands between told_ and this may have been told too
  std::size_t held_ = 0;    // at least as many as there are tokens
  std::optional<std::size_t> cut_;
};

}  // namespace flyball::json::yaml
