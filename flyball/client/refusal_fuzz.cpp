// Whatever a server or a proxy answers with, it becomes an error with a message that can be printed; nothing is thrown.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "flyball/base/text.hpp"
#include "flyball/client/engine.hpp"
#include "flyball/client/refusal.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);  // NOLINT(*-reinterpret-cast)
  const int status = 400 + data[0] % 200;
  const flyball::client::Refusal refusal =
      flyball::client::read_refusal({.status = status, .headers = {{"Retry-After", text}}, .body = text}, "GET /api");
  const flyball::ApiError error(refusal.details);
  if (error.message().empty() || error.code() != status) std::abort();
  // What is not a Status is shown as text, and only so much of it.
  if (!refusal.status) {
    if (error.message().size() > 2000) std::abort();
    if (flyball::valid_utf8(error.message()) != error.message()) std::abort();
  }
  flyball::client::warnings_in({{"Warning", text}});
  if (flyball::client::loggable_target("/api?token=" + text).find("token=[redacted]") == std::string::npos)
    std::abort();
  return 0;
}
