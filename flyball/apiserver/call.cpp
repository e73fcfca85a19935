#include "flyball/apiserver/call.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "flyball/apiserver/refusal.hpp"
#include "flyball/kube/go_text.hpp"
#include "flyball/net/url.hpp"

namespace flyball::apiserver {
namespace {

// What stands behind a namespace's name and is not a resource in it.
bool is_namespace_subresource(std::string_view part) { return part == "status" || part == "finalize"; }

// Nothing before the first slash and behind the last one; a part between two slashes may be empty, and fits nothing.
std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  if (path.starts_with('/')) path.remove_prefix(1);
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    parts.emplace_back(path.substr(0, slash));
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
  return parts;
}

bool truth(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower != "false" && lower != "0";
}

}  // namespace

std::string_view to_string(Verb verb) noexcept {
  switch (verb) {
    case Verb::get: return "get";
    case Verb::list: return "list";
    case Verb::watch: return "watch";
    case Verb::create: return "create";
    case Verb::update: return "update";
    case Verb::patch: return "patch";
    case Verb::remove: return "delete";
    case Verb::remove_collection: return "deletecollection";
    case Verb::none: break;
  }
  return {};
}

Params::Params(std::string_view query) {
  try {
    pairs_ = net::Query::parse(query);
  } catch (const InputError& error) {
    throw refuse::bad_request(error.problem());
  }
}

std::string_view Params::operator[](std::string_view name) const noexcept {
  const auto found = std::ranges::find(pairs_, name, &std::pair<std::string, std::string>::first);
  return found == pairs_.end() ? std::string_view() : std::string_view(found->second);
}

bool Params::contains(std::string_view name) const noexcept {
  return std::ranges::find(pairs_, name, &std::pair<std::string, std::string>::first) != pairs_.end();
}

std::vector<std::string> Params::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : pairs_) {
    if (key == name) values.push_back(value);
  }
  return values;
}

bool Params::flag(std::string_view name) const noexcept { return maybe_flag(name).value_or(false); }

std::optional<bool> Params::maybe_flag(std::string_view name) const noexcept {
  if (!contains(name)) return std::nullopt;
  return truth((*this)[name]);
}

std::optional<std::int64_t> Params::integer(std::string_view name) const {
  const std::string_view text = (*this)[name];
  if (text.empty()) return std::nullopt;
  const kube::go::ParsedInt parsed = kube::go::parse_int64(text);
  if (parsed.error == kube::go::IntError::none) return parsed.value;
  throw refuse::bad_request("strconv.ParseInt: parsing " + kube::go::quote(text) + ": " +
                            std::string(kube::go::describe(parsed.error)));
}

Call::Call(const net::Request& the_request, const net::PeerIdentity& who) : request(&the_request), caller(who) {
  const std::string_view target = the_request.target;
  const std::size_t question = target.find('?');
  const auto decoded = net::percent_decode(target.substr(0, question));
  if (!decoded)
    throw refuse::bad_request("the path " + std::string(target.substr(0, question)) + " has a wrong escape");
  path = *decoded;
  parts = split_path(path);
  if (question != std::string_view::npos) query = Params(target.substr(question + 1));
  read_resource();
}

void Call::read_resource() {
  const bool core = !parts.empty() && parts[0] == "api";
  const bool grouped = !parts.empty() && parts[0] == "apis";
  const std::size_t prefix = grouped ? 3 : 2;
  if ((!core && !grouped) || parts.size() <= prefix) return choose_verb(false);
  is_resource = true;
  if (grouped) group = parts[1];
  version = parts[prefix - 1];
  std::vector<std::string> rest(parts.begin() + static_cast<std::ptrdiff_t>(prefix), parts.end());
  const bool watch_by_path = rest[0] == "watch" && rest.size() > 1;
  if (watch_by_path) rest.erase(rest.begin());
  if (rest[0] == "namespaces" && rest.size() > 1) {
    namespace_ = rest[1];
    if (rest.size() > 2 && !is_namespace_subresource(rest[2])) rest.erase(rest.begin(), rest.begin() + 2);
  }
  resource = rest[0];
  if (rest.size() > 1) name = rest[1];
  if (rest.size() > 2 && !watch_by_path) {
    subresource = rest[2];
    for (std::size_t i = 3; i < rest.size(); ++i) subresource += "/" + rest[i];
  }
  // A namespace itself lies in none.
  if (resource == "namespaces" && group.empty()) namespace_.clear();
  choose_verb(watch_by_path);
}

void Call::choose_verb(bool watch_by_path) {
  const std::string& method = request->method;
  if (method == "GET" || method == "HEAD") {
    verb = name.empty() && is_resource ? Verb::list : Verb::get;
    if (watch_by_path || (verb == Verb::list && query.flag("watch"))) verb = Verb::watch;
  } else if (method == "POST") {
    verb = Verb::create;
  } else if (method == "PUT") {
    verb = Verb::update;
  } else if (method == "PATCH") {
    verb = Verb::patch;
  } else if (method == "DELETE") {
    verb = name.empty() ? Verb::remove_collection : Verb::remove;
  }
}

std::string media_type_of(std::string_view header) {
  header = header.substr(0, header.find(';'));
  std::string type;
  for (const char c : header) {
    if (c != ' ' && c != '\t') type.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  }
  return type;
}

}  // namespace flyball::apiserver
