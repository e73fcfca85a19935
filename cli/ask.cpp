#include "cli/ask.hpp"

#include <istream>
#include <ostream>

namespace flyball::cli {

std::string ask(Io& io, const std::string& question, const std::string& fallback) {
  while (true) {
    io.out << question << (fallback.empty() ? "" : " [" + fallback + "]") << ": " << std::flush;
    std::string answer;
    if (!std::getline(io.in, answer)) throw UsageError("the input ended before an answer; nothing was done");
    while (!answer.empty() && (answer.back() == ' ' || answer.back() == '\r')) answer.pop_back();
    if (answer.empty()) answer = fallback;
    if (!answer.empty()) return answer;
  }
}

bool ask_yes_or_no(Io& io, const std::string& question, bool fallback) {
  while (true) {
    const std::string answer = ask(io, question + " (y or n)", fallback ? "y" : "n");
    if (answer == "y" || answer == "yes") return true;
    if (answer == "n" || answer == "no") return false;
  }
}

}  // namespace flyball::cli
