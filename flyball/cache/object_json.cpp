// Apart from object.cpp: a typed program does not link the tables of all kinds.
#include "flyball/cache/object.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"

namespace flyball::cache {

json::Value Object::json() const {
  if (format_ == Format::protobuf) {
    const std::string version = kind_->api_version();
    return kube::protobuf_to_json(kube::seal_envelope({.api_version = version, .kind = kind_->kind, .object = bytes_}));
  }
  return client::with_kind(json::parse(bytes_, {.duplicates = json::Duplicates::last_wins}), *kind_);
}

}  // namespace flyball::cache
