// TextTable: columns of text, as wide as what stands in them.
//
//   TextTable table({"NAME", "AGE"});
//   table.add({"web", "5m"});
//   table.print(io.out, io.terminal);                // NAME   AGE
//
// With colours, words that say how something is (Running, Pending, Error) have them; only for a terminal.
//
// Thread-safety: none.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace flyball::cli {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : header_(std::move(header)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  // Without a header: for programs.
  void print(std::ostream& out, bool colours, bool with_header = true) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

// The word in the colour of what it means; as it is when it means nothing, or without colours.
std::string coloured(std::string_view word, bool colours);

}  // namespace flyball::cli
