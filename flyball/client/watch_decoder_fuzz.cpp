// The first byte is the format and the size of the pieces; the rest is the stream. However it is cut, the same events
// come out, and the same error.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/client/watch_decoder.hpp"

namespace {

using flyball::client::Format;
using flyball::client::WatchDecoder;
using flyball::client::WatchFrame;

std::vector<std::string> events(Format format, const std::string& stream, std::size_t piece) {
  std::vector<std::string> found;
  WatchDecoder decoder(format, 4096);
  try {
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      decoder.feed(stream.substr(at, piece));
      while (const WatchFrame* frame = decoder.next()) {
        found.emplace_back(to_string(frame->type));
        found.emplace_back(frame->object);
        found.emplace_back(frame->metadata.name);
        found.emplace_back(frame->metadata.resource_version);
      }
    }
    decoder.finish();
    found.emplace_back("complete");
  } catch (const flyball::InputError&) {
    found.emplace_back("error");
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Format format = (data[0] & 1U) != 0 ? Format::protobuf : Format::json;
  const std::size_t piece = 1 + data[0] / 2;
  const std::string stream(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (events(format, stream, piece) != events(format, stream, stream.size() + 1)) std::abort();
  return 0;
}
