// A list in protobuf, split into its items without decoding them: each carries its length.
//
//   kube::ListMessage list(kube::open_envelope(body).object);
//   while (auto item = list.next()) pods.push_back(decode(*item));      // kube::decode_message,
//   kube::metadata_of_message use(list.metadata().continue_);
//
// Every list kind of Kubernetes has its metadata in field 1 and its items in field 2.
//
// Errors: InputError when the bytes are damaged. Thread-safety: none; it belongs to one thread.
// Lifetime: the items are views into the bytes, which must outlive them.
#pragma once

#include <optional>
#include <string_view>

#include "flyball/kube/meta/v1.hpp"

namespace flyball::kube {

class ListMessage {
 public:
  explicit ListMessage(std::string_view message);

  const meta::v1::ListMeta& metadata() const { return metadata_; }
  // The next item's message; nothing at the end.
  std::optional<std::string_view> next();

 private:
  std::string_view rest_;
  meta::v1::ListMeta metadata_;
};

}  // namespace flyball::kube
