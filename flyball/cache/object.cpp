#include "flyball/cache/object.hpp"

#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::cache {

void Object::decode(const reflect::Type& type, void* to) const {
  if (format_ == Format::json) return reflect::decode(bytes_, type, to);
  kube::decode_message(bytes_, type, to);
}

kube::Metadata Object::metadata() const {
  return format_ == Format::json ? kube::metadata_of(bytes_) : kube::metadata_of_message(bytes_);
}

kube::ObjectKey Object::key() const {
  const kube::Metadata about = metadata();
  return {std::string(about.namespace_), std::string(about.name)};
}

}  // namespace flyball::cache
