#include "flyball/kube/protobuf_list.hpp"

#include "flyball/base/error.hpp"
#include "flyball/kube/detail/wire.hpp"
#include "flyball/kube/protobuf.hpp"

namespace flyball::kube {

using detail::Wire;
using detail::WireField;
using detail::WireReader;

namespace {

constexpr std::uint32_t kMetadata = 1;
constexpr std::uint32_t kItems = 2;

void check(const WireReader& reader) {
  if (reader.failed()) throw InputError({}, "", "the list is cut off or damaged");
}

}  // namespace

ListMessage::ListMessage(std::string_view message) : rest_(message) {
  WireReader reader(message);
  WireField field;
  // Go writes the metadata first, so this looks at one field; steps over the items where another writer did not.
  while (reader.next(field)) {
    if (field.number != kMetadata || field.wire != Wire::bytes) continue;
    decode_message(field.bytes, reflect::type_of<meta::v1::ListMeta>(), &metadata_);
    break;
  }
  check(reader);
}

std::optional<std::string_view> ListMessage::next() {
  WireReader reader(rest_);
  WireField field;
  while (reader.next(field)) {
    rest_.remove_prefix(field.whole.size());
    if (field.number == kItems && field.wire == Wire::bytes) return field.bytes;
  }
  check(reader);
  return std::nullopt;
}

}  // namespace flyball::kube
