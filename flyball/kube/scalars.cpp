#include "flyball/kube/scalars.hpp"

#include <utility>

#include "flyball/json/parse.hpp"
#include "flyball/json/reader.hpp"
#include "flyball/json/text_writer.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/flag.hpp"

namespace flyball::reflect {

namespace {

std::string_view text_of(json::Reader& from, std::string_view expected) {
  if (from.peek() != json::Kind::string) {
    from.fail("expected " + std::string(expected) + ", found " + json::summary(json::parse(from.raw())));
  }
  return from.string();
}

// Go's own words say which letter of which layout did not fit; an example says more.
template <class T>
T parsed(json::Reader& from, std::string_view expected) {
  const std::string_view text = text_of(from, expected);
  try {
    return T::parse(text);
  } catch (const InputError&) {
    from.fail("expected " + std::string(expected) + ", found " + json::summary(json::Value(text)));
  }
}

}  // namespace

void Scalar<kube::Quantity>::decode(json::Reader& from, kube::Quantity& to) {
  const bool is_number = from.peek() == json::Kind::number;
  const std::string_view text = is_number ? from.raw() : text_of(from, "a quantity");
  std::string why;
  auto parsed = kube::Quantity::try_parse(text, &why);
  if (!parsed) from.fail("expected a quantity such as 500m or 256Mi, found \"" + std::string(text) + "\": " + why);
  to = std::move(*parsed);
}
void Scalar<kube::Quantity>::encode(const kube::Quantity& from, json::TextWriter& to) { to.string(from.to_string()); }

void Scalar<kube::IntOrString>::decode(json::Reader& from, kube::IntOrString& to) {
  if (from.peek() != json::Kind::number) {
    to = kube::IntOrString(std::string(text_of(from, "a number or a string")));
    return;
  }
  const std::size_t start = from.offset();
  const json::Number number = from.number();
  if (!number.integer || !std::in_range<std::int32_t>(number.as_int)) {
    from.fail("expected a 32-bit integer or a string, found " + std::string(from.since(start)));
  }
  to = kube::IntOrString(static_cast<std::int32_t>(number.as_int));
}
void Scalar<kube::IntOrString>::encode(const kube::IntOrString& from, json::TextWriter& to) {
  if (from.is_string()) {
    to.string(from.as_string());
  } else {
    to.integer(from.as_int());
  }
}

void Scalar<kube::Time>::decode(json::Reader& from, kube::Time& to) {
  to = parsed<kube::Time>(from, "a time such as 2026-01-02T15:04:05Z");
}
void Scalar<kube::Time>::encode(const kube::Time& from, json::TextWriter& to) {
  if (from.is_zero()) {
    to.null();
  } else {
    to.string(from.to_string());
  }
}

void Scalar<kube::MicroTime>::decode(json::Reader& from, kube::MicroTime& to) {
  to = parsed<kube::MicroTime>(from, "a time such as 2026-01-02T15:04:05.000000Z");
}
void Scalar<kube::MicroTime>::encode(const kube::MicroTime& from, json::TextWriter& to) {
  if (from.is_zero()) {
    to.null();
  } else {
    to.string(from.to_string());
  }
}

void Scalar<kube::Duration>::decode(json::Reader& from, kube::Duration& to) {
  to = parsed<kube::Duration>(from, "a duration such as 1m30s");
}
void Scalar<kube::Duration>::encode(const kube::Duration& from, json::TextWriter& to) { to.string(from.to_string()); }

void Scalar<kube::Bytes>::decode(json::Reader& from, kube::Bytes& to) {
  auto bytes = kube::from_base64(text_of(from, "base64 text"));
  if (!bytes) from.fail("expected base64 text");
  to = kube::Bytes(std::move(*bytes));
}
void Scalar<kube::Bytes>::encode(const kube::Bytes& from, json::TextWriter& to) { to.string(kube::to_base64(from)); }

void Scalar<kube::RawJson>::decode(json::Reader& from, kube::RawJson& to) { to = kube::RawJson::checked(from.raw()); }
void Scalar<kube::RawJson>::encode(const kube::RawJson& from, json::TextWriter& to) {
  if (from.empty()) {
    to.null();
    return;
  }
  from.check();
  to.raw(from.text());
}

// What detail/tables.hpp declares.
template const Type& type_of<std::string>();
template const Type& type_of<std::vector<std::string>>();
template const Type& type_of<std::map<std::string, std::string>>();
template const Type& type_of<std::optional<std::string>>();
template const Type& type_of<std::optional<std::int32_t>>();
template const Type& type_of<std::optional<std::int64_t>>();
template const Type& type_of<std::optional<bool>>();
template const Type& type_of<kube::Quantity>();
template const Type& type_of<std::map<std::string, kube::Quantity>>();
template const Type& type_of<kube::Time>();
template const Type& type_of<std::optional<kube::Time>>();
template const Type& type_of<kube::IntOrString>();

template <>
const Type& type_of<kube::Flag>() {
  static_assert(sizeof(kube::Flag) == sizeof(bool));
  static constexpr Type kType = {.shape = Shape::boolean};
  return kType;
}

}  // namespace flyball::reflect
