// URLs as Go's net/url reads and writes them.
//
// Thread-safety: values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flyball::cel::detail {

struct GoUrl {
  std::string scheme = {};
  std::string opaque = {};
  std::optional<std::string> user = {};  // as written, before the @
  std::string host = {};
  std::string path = {};  // as written
  std::string query = {};
  std::optional<std::string> fragment = {};
  bool bare_question_mark = false;
  bool omits_host = false;

  std::string escaped_path() const;
  std::string hostname() const;
  std::string port() const;
  std::map<std::string, std::vector<std::string>> query_values() const;
  std::string text() const;
};

// url.ParseRequestURI and, when that is fine, url.Parse; `problem` gets their words.
std::optional<GoUrl> parse_url(const std::string& text, std::string& problem);

}  // namespace flyball::cel::detail
