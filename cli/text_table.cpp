#include "cli/text_table.hpp"

#include <algorithm>
#include <ostream>

namespace flyball::cli {
namespace {

constexpr std::size_t kGap = 3;

// Characters, not bytes: names are ASCII, messages are not.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

const char* colour_of(std::string_view word) {
  for (const std::string_view good : {"Running", "Ready", "True", "Active", "Bound", "Completed", "Succeeded",
                                      "Available", "Normal", "Complete", "Established"}) {
    if (word == good) return "\033[32m";
  }
  for (const std::string_view bad : {"Error", "Failed", "CrashLoopBackOff", "ImagePullBackOff", "ErrImagePull", "False",
                                     "NotReady", "Lost", "OOMKilled", "CreateContainerConfigError", "Evicted"}) {
    if (word == bad) return "\033[31m";
  }
  for (const std::string_view passing :
       {"Pending", "Terminating", "ContainerCreating", "PodInitializing", "Unknown", "Warning", "Progressing"}) {
    if (word == passing) return "\033[33m";
  }
  return nullptr;
}

}  // namespace

std::string coloured(std::string_view word, bool colours) {
  const char* colour = colours ? colour_of(word) : nullptr;
  return colour == nullptr ? std::string(word) : colour + std::string(word) + "\033[0m";
}

void TextTable::print(std::ostream& out, bool colours, bool with_header) const {
  std::vector<std::size_t> widths;
  const auto measure = [&](const std::vector<std::string>& row) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  };
  if (with_header) measure(header_);
  for (const auto& row : rows_) measure(row);
  const auto line = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out << coloured(row[i], colours);
      // Nothing behind the last word: lines are copied into other places.
      if (i + 1 < row.size()) out << std::string(widths[i] - width_of(row[i]) + kGap, ' ');
    }
    out << "\n";
  };
  if (with_header) line(header_);
  for (const auto& row : rows_) line(row);
}

}  // namespace flyball::cli
