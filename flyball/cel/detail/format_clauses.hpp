// The clauses of 'text %s'.format([…]): read once for evaluation, once for the check at compile time.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace flyball::cel::detail {

struct FormatClause {
  char letter = 's';
  std::optional<int> precision = {};
};

// Writes one argument; its problem begins with "error during formatting" when it is one of the value.
using FormatArgument = std::function<std::string(std::size_t index, const FormatClause& clause, std::string& problem)>;

// The text with its clauses filled in; `problem` gets cel-go's words when that fails. `seen` counts the clauses.
std::string fill_format(std::string_view format, std::size_t arguments, const FormatArgument& write, std::size_t& seen,
                        std::string& problem, bool counts_missing);

// "decimal clause can only be used on integers, was given string", or empty for a clause that is always right.
std::string format_mismatch(char letter, const std::string& type);

}  // namespace flyball::cel::detail
