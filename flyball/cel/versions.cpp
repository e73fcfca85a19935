// Kubernetes' semantic versions: semver('1.2.3-rc.1').isLessThan(semver('1.2.3')).
#include <algorithm>
#include <compare>
#include <cstdint>

#include "flyball/cel/functions.hpp"
#include "flyball/cel/operations.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::cel {
namespace {

// A part of what stands behind the dash: a number, or a text, which comes after all numbers.
struct Part {
  std::string text = {};
  std::uint64_t number = 0;
  bool is_number = false;
  std::strong_ordering operator<=>(const Part& other) const {
    if (is_number != other.is_number) return is_number ? std::strong_ordering::less : std::strong_ordering::greater;
    return is_number ? number <=> other.number : text.compare(other.text) <=> 0;
  }
  bool operator==(const Part& other) const { return (*this <=> other) == 0; }
};

struct Version {
  std::uint64_t numbers[3] = {0, 0, 0};
  std::vector<Part> before = {};
  std::string text = {};
  std::strong_ordering operator<=>(const Version& other) const {
    for (int i = 0; i < 3; ++i) {
      if (numbers[i] != other.numbers[i]) return numbers[i] <=> other.numbers[i];
    }
    if (before.empty() != other.before.empty()) {
      return before.empty() ? std::strong_ordering::greater : std::strong_ordering::less;
    }
    return before <=> other.before;
  }
};

bool only(std::string_view text, bool letters) {
  return std::ranges::all_of(text, [&](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    return (c >= '0' && c <= '9') || (letters && letter);
  });
}

bool leading_zero(std::string_view text) { return text.size() > 1 && text[0] == '0'; }

std::vector<std::string_view> split(std::string_view text, std::size_t most = SIZE_MAX) {
  std::vector<std::string_view> parts;
  while (parts.size() + 1 < most) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) break;
    parts.push_back(text.substr(0, dot));
    text.remove_prefix(dot + 1);
  }
  parts.push_back(text);
  return parts;
}

class Reader {
 public:
  explicit Reader(std::string& problem) : problem_(problem) {}

  std::optional<Version> read(std::string_view text) {
    Version version{.text = std::string(text)};
    if (text.empty()) return fail("Version string empty");
    const std::vector<std::string_view> parts = split(text, 3);
    if (parts.size() != 3) return fail("No Major.Minor.Patch elements found");
    std::string_view patch = parts[2];
    std::optional<std::string_view> build;
    std::optional<std::string_view> before;
    if (const std::size_t plus = patch.find('+'); plus != std::string_view::npos) {
      build = patch.substr(plus + 1);
      patch = patch.substr(0, plus);
    }
    if (const std::size_t dash = patch.find('-'); dash != std::string_view::npos) {
      before = patch.substr(dash + 1);
      patch = patch.substr(0, dash);
    }
    if (!number(parts[0], "major", "Major", version.numbers[0])) return std::nullopt;
    if (!number(parts[1], "minor", "Minor", version.numbers[1])) return std::nullopt;
    if (!number(patch, "patch", "Patch", version.numbers[2])) return std::nullopt;
    if (before) {
      for (const std::string_view part : split(*before)) {
        if (!prerelease(part, version.before)) return std::nullopt;
      }
    }
    if (build) {
      for (const std::string_view part : split(*build)) {
        if (part.empty()) return fail("Build meta data is empty");
        if (!only(part, true)) return fail("Invalid character(s) found in build meta data " + kube::go::quote(part));
      }
    }
    return version;
  }

 private:
  std::nullopt_t fail(std::string problem) {
    problem_ = std::move(problem);
    return std::nullopt;
  }
  bool number(std::string_view text, const std::string& name, const std::string& capital_name, std::uint64_t& value) {
    if (!only(text, false)) {
      fail("Invalid character(s) found in " + name + " number " + kube::go::quote(text));
      return false;
    }
    if (leading_zero(text)) {
      fail(capital_name + " number must not contain leading zeroes " + kube::go::quote(text));
      return false;
    }
    return parse(text, value);
  }
  bool parse(std::string_view text, std::uint64_t& value) {
    const Value parsed = convert(Value::string(std::string(text)), uint_type());
    if (parsed.is_error()) {
      fail("strconv.ParseUint: parsing " + kube::go::quote(text) +
           (text.empty() ? ": invalid syntax" : ": value out of range"));
      return false;
    }
    value = parsed.as_uint();
    return true;
  }
  bool prerelease(std::string_view text, std::vector<Part>& to) {
    Part part{.text = std::string(text)};
    if (text.empty()) {
      fail("Prerelease is empty");
      return false;
    }
    part.is_number = only(text, false);
    if (part.is_number && leading_zero(text)) {
      fail("Numeric PreRelease version must not contain leading zeroes " + kube::go::quote(text));
      return false;
    }
    if (!part.is_number && !only(text, true)) {
      fail("Invalid character(s) found in prerelease " + kube::go::quote(text));
      return false;
    }
    if (part.is_number && !parse(text, part.number)) return false;
    to.push_back(std::move(part));
    return true;
  }

  std::string& problem_;
};

// v1.02 as 1.2.0.
std::optional<std::string> normal(std::string_view text, std::string& problem) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::string> parts;
  for (std::string_view part : split(text, 3)) {
    if (part.size() > 1) {
      while (part.starts_with('0')) part.remove_prefix(1);
      if (part.empty() || part[0] < '0' || part[0] > '9') {
        parts.push_back("0" + std::string(part));
        continue;
      }
    }
    parts.emplace_back(part);
  }
  if (parts.size() < 3 && parts.back().find_first_of("+-") != std::string::npos) {
    problem = "short version cannot contain PreRelease/Build meta data";
    return std::nullopt;
  }
  parts.resize(3, "0");
  return parts[0] + "." + parts[1] + "." + parts[2];
}

class VersionObject final : public Object {
 public:
  explicit VersionObject(Version from) : version(std::move(from)) {}
  const TypeRef& type() const override {
    static const TypeRef semver_type = object_type("kubernetes.Semver");
    return semver_type;
  }
  Value equal(const Object& other) const override {
    const auto* same = dynamic_cast<const VersionObject*>(&other);
    return same ? Value::boolean((version <=> same->version) == 0) : no_such_overload();
  }
  std::string text() const override { return version.text; }
  Version version;
};

const Version& version_of(const Value& value) { return static_cast<const VersionObject&>(value.as_object()).version; }

std::optional<Version> parse(Args args, std::string& problem) {
  if (args.size() == 1 || !args[1].as_bool()) return Reader(problem).read(args[0].text());
  const std::optional<std::string> text = normal(args[0].text(), problem);
  return text ? Reader(problem).read(*text) : std::nullopt;
}

Value to_version(Args args) {
  std::string problem;
  std::optional<Version> version = parse(args, problem);
  if (!version) return Value::error(problem);
  return Value::object(std::make_shared<VersionObject>(*std::move(version)));
}

Value is_version(Args args) {
  std::string problem;
  return Value::boolean(parse(args, problem).has_value());
}

int order(Args args) {
  const auto compared = version_of(args[0]) <=> version_of(args[1]);
  return compared < 0 ? -1 : compared > 0 ? 1 : 0;
}

template <int Index>
Value number_of(Args args) {
  return Value::integer(static_cast<std::int64_t>(version_of(args[0]).numbers[Index]));
}

}  // namespace

void add_versions(Functions& to) {
  const std::string v = "kubernetes.Semver";
  to.global("semver", "string_to_semver", "string -> " + v, to_version);
  to.global("semver", "string_bool_to_semver", "string, bool -> " + v, to_version);
  to.global("isSemver", "is_semver_string", "string -> bool", is_version);
  to.global("isSemver", "is_semver_string_bool", "string, bool -> bool", is_version);
  to.member("isGreaterThan", "semver_is_greater_than", v + ", " + v + " -> bool",
            [](Args args) { return Value::boolean(order(args) > 0); });
  to.member("isLessThan", "semver_is_less_than", v + ", " + v + " -> bool",
            [](Args args) { return Value::boolean(order(args) < 0); });
  to.member("compareTo", "semver_compare_to", v + ", " + v + " -> int",
            [](Args args) { return Value::integer(order(args)); });
  to.member("major", "semver_major", v + " -> int", number_of<0>);
  to.member("minor", "semver_minor", v + " -> int", number_of<1>);
  to.member("patch", "semver_patch", v + " -> int", number_of<2>);
}

}  // namespace flyball::cel
