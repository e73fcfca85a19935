// A text: as a URL it is refused or prints as one that reads back the same; encoded it decodes to itself; as a query
// its pairs are written and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "flyball/base/error.hpp"
#include "flyball/net/url.hpp"

namespace {

using namespace flyball::net;

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(percent_decode(percent_encode(text)) == text);
  try {
    Url url = Url::parse(text);
    url.user = {};
    url.password = {};
    const Url back = Url::parse(url.text());
    check(back.text() == url.text() && back.origin() == url.origin() && back.target() == url.target());
  } catch (const flyball::InputError&) {
  }
  try {
    const auto pairs = Query::parse(text);
    Query query;
    for (const auto& [name, value] : pairs) query.add(name, value);
    check(Query::parse(query.text()) == pairs);
  } catch (const flyball::InputError&) {
  }
  return 0;
}
