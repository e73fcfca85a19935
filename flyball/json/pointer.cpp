#include "flyball/json/pointer.hpp"

#include <algorithm>
#include <charconv>

#include "flyball/json/write.hpp"

namespace flyball::json {

namespace {

std::string quoted(std::string_view text) {
  std::string out;
  write_string(text, out, false);
  return out;
}

[[noreturn]] void refuse_start(std::string_view text) {
  const std::string found = "the JSON pointer " + quoted(text);
  if (text.front() == '#') {
    throw PointerError(found + " is a URL fragment: leave the '#' away");
  }
  std::string better = "/";
  for (const char c : text) better += c == '.' && text.find('/') == std::string_view::npos ? '/' : c;
  throw PointerError(found + " does not begin with '/': did you mean " + quoted(better) + "?");
}

[[noreturn]] void refuse_escape(std::string_view text, std::size_t tilde) {
  const std::string_view rest = text.substr(tilde, 2);
  std::string problem = "the JSON pointer " + quoted(text) + " holds ";
  problem += rest.size() == 1 || rest[1] == '/' ? "a '~' at the end of a part" : quoted(rest);
  throw PointerError(problem + " (byte " + std::to_string(tilde + 1) + "): write ~0 for '~' and ~1 for '/'");
}

}  // namespace

Pointer::Pointer(std::string_view text, const PointerOptions& options) {
  if (text.empty()) return;
  if (text.front() != '/') refuse_start(text);
  parts_.reserve(static_cast<std::size_t>(std::ranges::count(text, '/')));
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/') {
      parts_.emplace_back();
      continue;
    }
    if (text[i] != '~') {
      parts_.back() += text[i];
      continue;
    }
    const char code = i + 1 < text.size() ? text[i + 1] : '\0';
    if (code == '0' || code == '1') {
      parts_.back() += code == '0' ? '~' : '/';
      ++i;
    } else if (options.literal_tilde) {
      parts_.back() += '~';
    } else {
      refuse_escape(text, i);
    }
  }
}

Pointer Pointer::of(std::vector<std::string> parts) {
  Pointer pointer;
  pointer.parts_ = std::move(parts);
  return pointer;
}

Pointer Pointer::parent() const {
  Pointer pointer = *this;
  if (!is_root()) pointer.parts_.pop_back();
  return pointer;
}

Pointer Pointer::child(std::string_view member) const {
  Pointer pointer = *this;
  pointer.parts_.emplace_back(member);
  return pointer;
}

bool Pointer::contains(const Pointer& other) const {
  return depth() <= other.depth() && std::equal(parts_.begin(), parts_.end(), other.parts_.begin());
}

std::string Pointer::to_string() const {
  std::string text;
  for (const auto& part : parts_) append_part(text, part);
  return text;
}

void append_part(std::string& pointer, std::string_view part) {
  pointer += '/';
  for (const char c : part) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

std::optional<std::size_t> index_of_part(std::string_view part) {
  if (part.empty() || (part.size() > 1 && part.front() == '0')) return std::nullopt;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
  return index;
}

View find(View document, const Pointer& pointer) {
  for (const auto& part : pointer.parts()) {
    if (document.is_object()) {
      document = document[part];
    } else {
      const auto index = index_of_part(part);
      document = index ? document[*index] : View();
    }
    if (!document.exists()) break;
  }
  return document;
}

Value find(Value&& document, const Pointer& pointer) {
  const View found = find(static_cast<View>(document), pointer);
  return document.slice(found);
}

}  // namespace flyball::json
