#include "flyball/kube/detail/codec_words.hpp"

#include <string>
#include <utility>

namespace flyball::kube::detail {

namespace {

struct Moment {
  std::int64_t seconds = 0;
  std::int32_t nanos = 0;
};

Moment read_moment(std::string_view message, const FieldPath& path) {
  Moment moment;
  WireReader reader(message);
  WireField field;
  while (reader.next(field)) {
    if (field.wire != Wire::varint) continue;
    if (field.number == 1) moment.seconds = static_cast<std::int64_t>(field.number_value);
    if (field.number == 2) moment.nanos = static_cast<std::int32_t>(field.number_value);
  }
  if (reader.failed()) path.fail("the time is cut off or damaged");
  return moment;
}

}  // namespace

std::string_view read_first_bytes(std::string_view message, const FieldPath& path) {
  std::string_view bytes;
  WireReader reader(message);
  WireField field;
  while (reader.next(field)) {
    if (field.number == 1 && field.wire == Wire::bytes) bytes = field.bytes;
  }
  if (reader.failed()) path.fail("the protobuf message is cut off or damaged");
  return bytes;
}

Quantity read_quantity(std::string_view message, const FieldPath& path) {
  const std::string_view text = read_first_bytes(message, path);
  if (text.empty()) return {};
  std::string why;
  auto quantity = Quantity::try_parse(text, &why);
  if (!quantity) path.fail("expected a quantity, found \"" + std::string(text) + "\": " + why);
  return std::move(*quantity);
}

IntOrString read_int_or_string(std::string_view message, const FieldPath& path) {
  bool is_string = false;
  std::int32_t number = 0;
  std::string_view word;
  WireReader reader(message);
  WireField field;
  while (reader.next(field)) {
    if (field.number == 1) is_string = field.number_value != 0;
    if (field.number == 2) number = static_cast<std::int32_t>(field.number_value);
    if (field.number == 3) word = field.bytes;
  }
  if (reader.failed()) path.fail("the number or word is cut off or damaged");
  return is_string ? IntOrString(word) : IntOrString(number);
}

// Go drops the fraction of a second here: JSON could not carry it.
Time read_time(std::string_view message, const FieldPath& path) {
  return message.empty() ? Time() : Time::from_unix(read_moment(message, path).seconds);
}

MicroTime read_micro_time(std::string_view message, const FieldPath& path) {
  if (message.empty()) return {};
  const Moment moment = read_moment(message, path);
  constexpr std::int64_t kFarthest = 8'000'000'000'000;  // seconds; more does not fit when counted in micros
  if (moment.seconds > kFarthest || moment.seconds < -kFarthest) path.fail("the time is out of range");
  return MicroTime::from_unix_micros(moment.seconds * 1'000'000 + moment.nanos / 1000);
}

Duration read_duration(std::string_view message, const FieldPath& path) {
  std::int64_t nanos = 0;
  WireReader reader(message);
  WireField field;
  while (reader.next(field)) {
    if (field.number == 1) nanos = static_cast<std::int64_t>(field.number_value);
  }
  if (reader.failed()) path.fail("the duration is cut off or damaged");
  return Duration::from_nanos(nanos);
}

}  // namespace flyball::kube::detail
