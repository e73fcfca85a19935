// Questions to a person at the terminal. Nobody is asked when nobody sits there.
//
//   const std::string kind = ask(io, "Kind (such as Memcached)");
//   if (ask_yes_or_no(io, "Create the types?", true)) …
//
// Errors: UsageError when the input ends before an answer. Thread-safety: one thread.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace flyball::cli {

// The answer; `fallback` when the line is empty. Without a fallback the question is asked until there is an answer.
std::string ask(Io& io, const std::string& question, const std::string& fallback = {});
bool ask_yes_or_no(Io& io, const std::string& question, bool fallback);

}  // namespace flyball::cli
