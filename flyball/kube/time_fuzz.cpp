// Any text, as a moment and as a span. What parses must print; inside the calendar it must parse back the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "flyball/base/error.hpp"
#include "flyball/kube/time.hpp"

namespace {

using namespace flyball::kube;

void check(bool holds) {
  if (!holds) std::abort();
}

// A zone can push a moment into the year 10000 or before the year 0, which print with another number of digits.
bool in_calendar(std::int64_t seconds) {
  return seconds >= detail::kYearOne - 366 * 86'400 && seconds < 253'402'300'800;
}

template <class Parse>
void attempt(Parse parse) {
  try {
    parse();
  } catch (const flyball::InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  attempt([&] {
    const Time time = Time::parse(text);
    check(!in_calendar(time.unix_seconds()) || Time::parse(time.to_string()) == time);
  });
  attempt([&] {
    const MicroTime time = MicroTime::parse(text);
    check(!in_calendar(time.unix_micros() / 1'000'000) || MicroTime::parse(time.to_string()) == time);
  });
  attempt([&] {
    const Duration duration = Duration::parse(text);
    check(Duration::parse(duration.to_string()) == duration);
  });
  if (size < sizeof(std::int64_t)) return 0;
  std::int64_t number = 0;
  for (std::size_t i = 0; i < sizeof(number); ++i)
    number = static_cast<std::int64_t>(static_cast<std::uint64_t>(number) << 8 | data[i]);
  check(Duration::parse(Duration::from_nanos(number).to_string()).nanos() == number);
  static_cast<void>(Time::from_unix(number).to_string() + MicroTime::from_unix_micros(number).to_string());
  return 0;
}
