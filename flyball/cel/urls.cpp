// Kubernetes' url() and its named formats.
#include <algorithm>
#include <array>

#include "flyball/base/regex.hpp"
#include "flyball/cel/detail/format.hpp"
#include "flyball/cel/detail/go_url.hpp"
#include "flyball/cel/functions.hpp"
#include "flyball/cel/operations.hpp"
#include "flyball/kube/names.hpp"

namespace flyball::cel {
namespace {

class UrlObject final : public Object {
 public:
  explicit UrlObject(detail::GoUrl from) : url(std::move(from)) {}
  const TypeRef& type() const override {
    static const TypeRef url_type = object_type("kubernetes.URL");
    return url_type;
  }
  Value equal(const Object& other) const override {
    const auto* same = dynamic_cast<const UrlObject*>(&other);
    return same ? Value::boolean(text() == same->text()) : no_such_overload();
  }
  std::string text() const override { return url.text(); }
  detail::GoUrl url;
};

const detail::GoUrl& url_of(const Value& value) { return static_cast<const UrlObject&>(value.as_object()).url; }

Value to_url(Args args) {
  std::string problem;
  std::optional<detail::GoUrl> url = detail::parse_url(args[0].text(), problem);
  if (!url) return Value::error("URL parse error during conversion from string: " + problem);
  return Value::object(std::make_shared<UrlObject>(*std::move(url)));
}

Value query(Args args) {
  std::vector<std::pair<Value, Value>> entries;
  for (const auto& [key, texts] : url_of(args[0]).query_values()) {
    std::vector<Value> values;
    for (const std::string& text : texts) values.push_back(Value::string(text));
    entries.emplace_back(Value::string(key), Value::list(std::move(values)));
  }
  return Value::map(std::move(entries));
}

using Problems = std::vector<std::string>;

Problems label(std::string_view text) { return kube::names::dns1123_label(text); }
Problems subdomain(std::string_view text) { return kube::names::dns1123_subdomain(text); }
Problems dns1035(std::string_view text) { return kube::names::dns1035_label(text); }
Problems label_prefix(std::string_view text) { return label(kube::names::mask_trailing_dash(text)); }
Problems subdomain_prefix(std::string_view text) { return subdomain(kube::names::mask_trailing_dash(text)); }
Problems dns1035_prefix(std::string_view text) { return dns1035(kube::names::mask_trailing_dash(text)); }
Problems qualified(std::string_view text) { return kube::names::qualified_name(text); }
Problems label_value(std::string_view text) { return kube::names::label_value(text); }

Problems uri(std::string_view text) {
  std::string problem;
  if (detail::parse_url(std::string(text), problem)) return {};
  return {problem};
}

Problems uuid(std::string_view text) {
  static const Regex pattern("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$");
  if (pattern.search(text)) return {};
  return {"does not match the UUID format"};
}

Problems base64(std::string_view text) {
  static const Regex pattern("^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$");
  if (pattern.search(text)) return {};
  return {"invalid base64"};
}

Problems date(std::string_view text) {
  if (parse_timestamp(std::string(text) + "T00:00:00Z")) return {};
  return {"invalid date"};
}

Problems datetime(std::string_view text) {
  if (text.size() >= 20 && parse_timestamp(text)) return {};
  return {"invalid datetime"};
}

struct Row {
  const char* name;
  const char* shown;
  std::uint64_t pattern_size;
  detail::NamedFormat::Check check;
};

constexpr std::array<Row, 13> kFormats = {{
    {"dns1123Label", "DNS1123Label", 30, label},
    {"dns1123Subdomain", "DNS1123Subdomain", 60, subdomain},
    {"dns1035Label", "DNS1035Label", 30, dns1035},
    {"qualifiedName", "QualifiedName", 60, qualified},
    {"dns1123LabelPrefix", "DNS1123LabelPrefix", 30, label_prefix},
    {"dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", 60, subdomain_prefix},
    {"dns1035LabelPrefix", "DNS1035LabelPrefix", 30, dns1035_prefix},
    {"labelValue", "LabelValue", 40, label_value},
    {"uri", "URI", 1103, uri},
    {"uuid", "uuid", 70, uuid},
    {"byte", "byte", 84, base64},
    {"date", "date", 71, date},
    {"datetime", "datetime", 71, datetime},
}};

Value format_value(const Row& row) {
  return Value::object(std::make_shared<detail::NamedFormat>(row.shown, row.pattern_size, row.check));
}

Value validate(Args args) {
  const auto& format = static_cast<const detail::NamedFormat&>(args[0].as_object());
  std::vector<Value> problems;
  for (std::string& problem : format.problems(args[1].text())) problems.push_back(Value::string(std::move(problem)));
  if (problems.empty()) return Value::none();
  return Value::optional(Value::list(std::move(problems)));
}

template <std::size_t... I>
void add_constants(Functions& to, std::index_sequence<I...>) {
  (to.global(std::string("format.") + kFormats[I].name, std::string("format.") + kFormats[I].name,
             " -> kubernetes.NamedFormat", [](Args) { return format_value(kFormats[I]); }),
   ...);
}

}  // namespace

const TypeRef& detail::NamedFormat::type() const {
  static const TypeRef format_type = object_type("kubernetes.NamedFormat");
  return format_type;
}

Value detail::NamedFormat::equal(const Object& other) const {
  const auto* same = dynamic_cast<const NamedFormat*>(&other);
  return same ? Value::boolean(name_ == same->name_) : no_such_overload();
}

void add_urls(Functions& to) {
  const std::string u = "kubernetes.URL";
  to.global("url", "string_to_url", "string -> " + u, to_url);
  to.member("getScheme", "url_get_scheme", u + " -> string",
            [](Args args) { return Value::string(url_of(args[0]).scheme); });
  to.member("getHost", "url_get_host", u + " -> string", [](Args args) { return Value::string(url_of(args[0]).host); });
  to.member("getHostname", "url_get_hostname", u + " -> string",
            [](Args args) { return Value::string(url_of(args[0]).hostname()); });
  to.member("getPort", "url_get_port", u + " -> string",
            [](Args args) { return Value::string(url_of(args[0]).port()); });
  to.member("getEscapedPath", "url_get_escaped_path", u + " -> string",
            [](Args args) { return Value::string(url_of(args[0]).escaped_path()); });
  to.member("getQuery", "url_get_query", u + " -> map(string, list(string))", query);
  to.global("isURL", "is_url_string", "string -> bool", [](Args args) {
    std::string problem;
    return Value::boolean(detail::parse_url(args[0].text(), problem).has_value());
  });
}

void add_formats(Functions& to) {
  to.member("validate", "format-validate", "kubernetes.NamedFormat, string -> optional(list(string))", validate);
  to.global("format.named", "format-named", "string -> optional(kubernetes.NamedFormat)", [](Args args) {
    const auto found = std::ranges::find_if(kFormats, [&](const Row& row) { return row.name == args[0].text(); });
    return found == kFormats.end() ? Value::none() : Value::optional(format_value(*found));
  });
  add_constants(to, std::make_index_sequence<kFormats.size()>());
}

}  // namespace flyball::cel
