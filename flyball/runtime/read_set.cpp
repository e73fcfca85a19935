#include "flyball/runtime/read_set.hpp"

#include <utility>

#include "flyball/runtime/remembered_reads.hpp"

namespace flyball::runtime {
namespace {

// Parts of names never hold the zero byte.
std::string identity_of(const Read& read) {
  std::string text(1, static_cast<char>('0' + static_cast<int>(read.type)));
  for (const std::string* part :
       {&read.kind.group, &read.kind.version, &read.kind.kind, &read.namespace_, &read.name}) {
    text += *part;
    text += '\0';
  }
  if (read.type == Read::Type::list)
    text += read.selector.is_nothing() ? std::string(1, '\0') : read.selector.to_string();
  return text;
}

}  // namespace

std::string Read::to_string() const {
  const std::string what = kind.api_version() + " " + kind.kind;
  switch (type) {
    case Type::object: return what + " " + kube::ObjectKey{namespace_, name}.to_string();
    case Type::children: return what + " owned by " + name;
    case Type::list: break;
  }
  const std::string where = namespace_.empty() ? " in all namespaces" : " in " + namespace_;
  return what + where + (selector.is_everything() ? "" : " where " + selector.to_string());
}

ReadSet::ReadSet(RememberedReads& remembered, Key key, std::uint64_t begun)
    : remembered_(&remembered), key_(std::move(key)), begun_(begun) {}

ReadSet::ReadSet(ReadSet&& other) noexcept
    : remembered_(std::exchange(other.remembered_, nullptr)),
      key_(std::move(other.key_)),
      begun_(other.begun_),
      reads_(std::move(other.reads_)),
      writes_(std::move(other.writes_)) {}

ReadSet::~ReadSet() {
  // Who drops it lets the pass fail, and what failed is tried again: it need not be woken as well.
  if (remembered_ != nullptr) remembered_->abandon(std::move(*this));
}

void ReadSet::add(Read read) {
  read.identity = identity_of(read);
  read.seen = remembered_->stable_reads() ? begun_ : remembered_->changes();
  // Read twice: the pass rests on the first answer as well, so the first counts.
  std::string identity = read.identity;
  reads_.try_emplace(std::move(identity), std::move(read));
}

void ReadSet::object(const kube::GroupVersionKind& kind, const kube::ObjectKey& object) {
  add({.type = Read::Type::object, .kind = kind, .namespace_ = object.namespace_, .name = object.name});
}

void ReadSet::list(const kube::GroupVersionKind& kind, std::string_view in_namespace, const kube::Selector& selector) {
  add({.type = Read::Type::list, .kind = kind, .namespace_ = std::string(in_namespace), .selector = selector});
}

void ReadSet::children(const kube::GroupVersionKind& kind, std::string_view owner_uid) {
  add({.type = Read::Type::children, .kind = kind, .name = std::string(owner_uid)});
}

void ReadSet::written(const kube::GroupVersionKind& kind, const kube::ObjectKey& object, std::string resource_version) {
  writes_.push_back({.kind = kind, .object = object, .resource_version = std::move(resource_version)});
}

void ReadSet::deleted(const kube::GroupVersionKind& kind, const kube::ObjectKey& object, std::string uid) {
  writes_.push_back({.kind = kind, .object = object, .uid = std::move(uid)});
}

}  // namespace flyball::runtime
