#include "flyball/runtime/detail/change_log.hpp"

#include <algorithm>

namespace flyball::runtime::detail {
namespace {

bool concerns(const Read& read, const kube::Metadata& object) {
  switch (read.type) {
    case Read::Type::object: return object.name == read.name && object.namespace_ == read.namespace_;
    case Read::Type::children:
      return std::ranges::any_of(object.owners, [&](const auto& owner) { return owner.uid == read.name; });
    case Read::Type::list: break;
  }
  if (!read.namespace_.empty() && object.namespace_ != read.namespace_) return false;
  return read.selector.matches_with([&](const std::string& key) { return object.label(key); });
}

// Versions are numbers that only grow; what is none compares as equal to nothing.
bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool earlier(std::string_view a, std::string_view b) {
  if (!is_number(a) || !is_number(b)) return false;
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

Write as_write(const kube::GroupVersionKind& kind, const kube::Metadata* before, const kube::Metadata* after) {
  const kube::Metadata& any = after != nullptr ? *after : *before;
  Write write{.kind = kind, .object = {std::string(any.namespace_), std::string(any.name)}};
  if (after != nullptr)
    write.resource_version = after->resource_version;
  else
    write.uid = before->uid;
  return write;
}

bool touches(const Read& read, const kube::GroupVersionKind& kind, const kube::Metadata* before,
             const kube::Metadata* after) {
  if (read.kind != kind) return false;
  return (before != nullptr && concerns(read, *before)) || (after != nullptr && concerns(read, *after));
}

// --- KeptChange

KeptChange::KeptChange(std::uint64_t number, const kube::GroupVersionKind& kind, const kube::Metadata* before,
                       const kube::Metadata* after, std::optional<Key> writer, bool no_echo)
    : number_(number), write_(as_write(kind, before, after)), writer_(std::move(writer)), no_echo_(no_echo) {
  if (before != nullptr) before_ = kept(*before);
  if (after != nullptr) after_ = kept(*after);
}

std::string_view KeptChange::kept(std::string_view text) { return texts_.emplace_back(text); }

// Of the metadata only what reads ask for.
kube::Metadata KeptChange::kept(const kube::Metadata& from) {
  kube::Metadata copy;
  copy.namespace_ = kept(from.namespace_);
  copy.name = kept(from.name);
  for (const auto& [key, value] : from.labels) copy.labels.emplace_back(kept(key), kept(value));
  for (const auto& owner : from.owners) copy.owners.push_back({.uid = kept(owner.uid)});
  return copy;
}

bool KeptChange::touches(const Read& read) const { return detail::touches(read, write_.kind, before(), after()); }

bool KeptChange::is_echo_of(const Write& write) const { return write == write_; }

Cause KeptChange::cause() const {
  const char* reason = !before_ ? "created" : !after_ ? "deleted" : "updated";
  return {.reason = reason, .kind = write_.kind, .object = write_.object, .resource_version = write_.resource_version};
}

// --- ChangeLog

void ChangeLog::add(KeptChange change) {
  changes_.push_back(std::move(change));
  if (changes_.size() <= most_) return;
  lost_ = changes_.front().number();
  changes_.pop_front();
}

void ChangeLog::drop_until(std::uint64_t number) {
  while (!changes_.empty() && changes_.front().number() <= number) changes_.pop_front();
}

// --- EchoBook

std::string EchoBook::name_of(const Write& write) {
  return write.kind.group + '/' + write.kind.kind + '/' + write.object.namespace_ + '/' + write.object.name;
}

void EchoBook::expect(const Key& writer, const Write& write) {
  auto& expected = expected_[name_of(write)];
  const auto same = [&](const Expected& have) { return have.write == write; };
  if (std::ranges::any_of(expected, same)) return;
  expected.push_back({write, writer});
}

std::optional<Key> EchoBook::take(const Write& change) {
  const auto found = expected_.find(name_of(change));
  if (found == expected_.end()) return std::nullopt;
  auto& expected = found->second;
  std::optional<Key> writer;
  const auto spent = [&](const Expected& have) {
    if (have.write == change) {
      writer = have.writer;
      return true;
    }
    // A later version means that the echo of an earlier one was left out.
    return earlier(have.write.resource_version, change.resource_version);
  };
  std::erase_if(expected, spent);
  if (expected.empty()) expected_.erase(found);
  return writer;
}

}  // namespace flyball::runtime::detail
