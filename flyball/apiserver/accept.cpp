#include "flyball/apiserver/accept.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "flyball/apiserver/refusal.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kYaml = "application/yaml";
constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string_view next_part(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = trimmed(rest.substr(0, end));
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

std::optional<Encoding> format_of(std::string_view type) {
  if (type == kJson || type == "*/*") return Encoding::json;
  if (type == kYaml) return Encoding::yaml;
  if (type == kProtobuf) return Encoding::protobuf;
  return std::nullopt;
}

std::string_view type_of(Encoding format) {
  switch (format) {
    case Encoding::json: return kJson;
    case Encoding::yaml: return kYaml;
    case Encoding::protobuf: return kProtobuf;
  }
  return kJson;
}

// What a clause asks for, if it can be had.
std::optional<Accept> accept_of(const AcceptClause& clause, const AcceptOptions& options) {
  const auto format = format_of(clause.type);
  if (!format || (*format == Encoding::protobuf && !options.protobuf)) return std::nullopt;
  Accept accept{.format = *format};
  const std::string_view as = clause.param("as");
  if (as.empty()) return accept;
  if (!options.projections || clause.param("g") != "meta.k8s.io") return std::nullopt;
  if (clause.param("v") != "v1" && clause.param("v") != "v1beta1") return std::nullopt;
  accept.version = std::string(clause.param("v"));
  if (as == "Table" && *format != Encoding::protobuf) {
    accept.as = Projection::table;
  } else if (as == "PartialObjectMetadata" || as == "PartialObjectMetadataList") {
    accept.as = Projection::metadata;
  } else {
    return std::nullopt;
  }
  return accept;
}

// The router looks first, at the plain types.
bool can_route(const std::vector<AcceptClause>& clauses) {
  return std::ranges::any_of(clauses, [](const AcceptClause& clause) { return format_of(clause.type).has_value(); });
}

Refusal not_routable(const Call& call) {
  std::string types = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  if (call.verb == Verb::list || call.verb == Verb::watch) {
    types += ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
  }
  return {{.reason = Reason::NotAcceptable, .message = "406: Not Acceptable\n\nAvailable representations: " + types},
          {}};
}

bool wants_pretty(const Call& call) {
  if (call.query.contains("pretty")) {
    const std::string_view asked = call.query["pretty"];
    if (!asked.empty()) return asked == "1" || asked == "t" || asked == "T" || asked == "true" || asked == "True";
  }
  const std::string_view agent = call.header("User-Agent");
  return agent.starts_with("curl") || agent.starts_with("Wget") || agent.starts_with("Mozilla/5.0");
}

}  // namespace

std::string_view AcceptClause::param(std::string_view name) const noexcept {
  const auto found = std::ranges::find(params, name, &std::pair<std::string, std::string>::first);
  return found == params.end() ? std::string_view() : std::string_view(found->second);
}

std::vector<AcceptClause> parse_accept(std::string_view header) {
  std::vector<AcceptClause> clauses;
  while (!header.empty()) {
    std::string_view rest = next_part(header, ',');
    AcceptClause clause{.type = std::string(next_part(rest, ';'))};
    while (!rest.empty()) {
      std::string_view param = next_part(rest, ';');
      const std::string_view name = next_part(param, '=');
      if (name == "q") {
        clause.quality = std::strtod(std::string(trimmed(param)).c_str(), nullptr);
      } else {
        clause.params.emplace_back(name, trimmed(param));
      }
    }
    if (!clause.type.empty()) clauses.push_back(std::move(clause));
  }
  std::ranges::stable_sort(clauses, std::greater<>(), &AcceptClause::quality);
  return clauses;
}

Accept negotiate(const Call& call, const AcceptOptions& options) {
  const std::string_view header = call.header("Accept");
  std::optional<Accept> accept;
  if (header.empty()) accept.emplace();
  const std::vector<AcceptClause> clauses = parse_accept(header);
  for (const AcceptClause& clause : clauses) {
    if (accept) break;
    accept = accept_of(clause, options);
    if (accept && clause.param("pretty") == "1") accept->pretty = true;
  }
  if (!accept && !can_route(clauses)) throw not_routable(call);
  if (!accept) {
    throw refuse::not_acceptable("application/json, application/yaml, application/vnd.kubernetes.protobuf");
  }
  accept->pretty = accept->pretty || wants_pretty(call);
  return *accept;
}

Accept negotiate_status(const Call& call) {
  try {
    return negotiate(call, {.projections = false});
  } catch (const Refusal&) {
    // Who agrees on nothing reads JSON that is easy on the eyes, as upstream has it.
    const std::vector<AcceptClause> clauses = parse_accept(call.header("Accept"));
    return {.pretty = std::ranges::find(clauses, "application/*", &AcceptClause::type) == clauses.end()};
  }
}

std::string Accept::content_type() const {
  // Go names the plain type only: what was asked for shows in the body's kind.
  return std::string(type_of(format));
}

std::string Accept::stream_type() const {
  return format == Encoding::json ? std::string(kJson) : std::string(type_of(format)) + ";stream=watch";
}

}  // namespace flyball::apiserver
