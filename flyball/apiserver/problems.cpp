#include "flyball/apiserver/problems.hpp"

#include <algorithm>
#include <utility>

#include "flyball/json/write.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver {
namespace {

std::string shown(json::View value) {
  if (value.is_string()) return kube::go::quote(value.as_string());
  return json::write(value);
}

std::string with_detail(std::string text, std::string_view detail) {
  if (!detail.empty()) text.append(": ").append(detail);
  return text;
}

std::string counted(std::string_view before, std::size_t count, std::string_view thing) {
  std::string text(before);
  text.append(std::to_string(count)).append(" ").append(thing);
  if (count != 1) text.push_back('s');
  return text;
}

}  // namespace

FieldPath FieldPath::child(std::string_view name) const {
  FieldPath path(*this);
  if (!path.text_.empty()) path.text_.push_back('.');
  path.text_.append(name);
  return path;
}

FieldPath FieldPath::index(std::size_t index) const { return key(std::to_string(index)); }

FieldPath FieldPath::key(std::string_view key) const {
  FieldPath path(*this);
  path.text_.append("[").append(key).append("]");
  return path;
}

std::string_view wire_name(Problem::Kind kind) noexcept {
  switch (kind) {
    case Problem::Kind::not_found: return "FieldValueNotFound";
    case Problem::Kind::required: return "FieldValueRequired";
    case Problem::Kind::duplicate: return "FieldValueDuplicate";
    case Problem::Kind::invalid: return "FieldValueInvalid";
    case Problem::Kind::not_supported: return "FieldValueNotSupported";
    case Problem::Kind::forbidden: return "FieldValueForbidden";
    case Problem::Kind::too_long: return "FieldValueTooLong";
    case Problem::Kind::too_many: return "FieldValueTooMany";
    case Problem::Kind::too_few: return "FieldValueTooFew";
    case Problem::Kind::too_short: return "FieldValueTooShort";
    case Problem::Kind::type_invalid: return "FieldValueTypeInvalid";
    case Problem::Kind::internal: return "InternalError";
  }
  return {};
}

void Problems::add(Problem::Kind kind, const FieldPath& at, std::string message) {
  problems_.push_back({.kind = kind, .field = at.text(), .message = std::move(message)});
}

void Problems::add(const Problems& others) {
  problems_.insert(problems_.end(), others.problems_.begin(), others.problems_.end());
}

void Problems::required(const FieldPath& at, std::string_view detail) {
  add(Problem::Kind::required, at, with_detail("Required value", detail));
}

void Problems::forbidden(const FieldPath& at, std::string_view detail) {
  add(Problem::Kind::forbidden, at, with_detail("Forbidden", detail));
}

void Problems::invalid(const FieldPath& at, const json::Value& value, std::string_view detail) {
  add(Problem::Kind::invalid, at, with_detail("Invalid value: " + shown(value), detail));
}

void Problems::invalid(const FieldPath& at, const json::Value& value, const std::vector<std::string>& details) {
  for (const std::string& detail : details) invalid(at, value, detail);
}

void Problems::type_invalid(const FieldPath& at, const json::Value& value, std::string_view detail) {
  add(Problem::Kind::type_invalid, at, with_detail("Invalid value: " + shown(value), detail));
}

void Problems::duplicate(const FieldPath& at, const json::Value& value) {
  add(Problem::Kind::duplicate, at, "Duplicate value: " + shown(value));
}

void Problems::not_found(const FieldPath& at, const json::Value& value) {
  add(Problem::Kind::not_found, at, "Not found: " + shown(value));
}

void Problems::not_supported(const FieldPath& at, const json::Value& value,
                             const std::vector<std::string_view>& supported) {
  std::string detail;
  for (const std::string_view one : supported) {
    detail.append(detail.empty() ? "supported values: " : ", ").append(kube::go::quote(one));
  }
  add(Problem::Kind::not_supported, at, with_detail("Unsupported value: " + shown(value), detail));
}

void Problems::too_long(const FieldPath& at, std::size_t most_bytes) {
  add(Problem::Kind::too_long, at, counted("Too long: may not be more than ", most_bytes, "byte"));
}

void Problems::too_long_characters(const FieldPath& at, std::size_t most) {
  add(Problem::Kind::too_long, at, counted("Too long: may not be more than ", most, "character"));
}

void Problems::too_many(const FieldPath& at, std::size_t found, std::size_t most) {
  const std::string number = std::to_string(found);
  add(Problem::Kind::too_many, at, counted("Too many: " + number + ": must have at most ", most, "item"));
}

void Problems::too_many(const FieldPath& at, std::size_t most) {
  add(Problem::Kind::too_many, at, counted("Too many: must have at most ", most, "item"));
}

std::string Problems::text() const {
  std::vector<std::string> said;
  for (const Problem& problem : problems_) {
    std::string text = problem.text();
    if (std::ranges::find(said, text) == said.end()) said.push_back(std::move(text));
  }
  if (said.size() == 1) return said.front();
  std::string all = "[";
  for (const std::string& one : said) all.append(all.size() == 1 ? "" : ", ").append(one);
  return all + "]";
}

std::vector<ApiError::Cause> Problems::causes() const {
  std::vector<ApiError::Cause> causes;
  causes.reserve(problems_.size());
  for (const Problem& problem : problems_) {
    causes.push_back(
        {.reason = std::string(wire_name(problem.kind)), .message = problem.message, .field = problem.field});
  }
  return causes;
}

}  // namespace flyball::apiserver
