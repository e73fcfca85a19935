#include "flyball/cache/detail/index.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <set>
#include <utility>

namespace flyball::cache::detail {
namespace {

// What a term is about. No label and no name has a zero byte.
constexpr char kNamespace = 'n';
constexpr char kLabel = 'l';
constexpr char kLabelKey = 'k';
constexpr char kOwner = 'o';

// Nodes of the hash maps, with the allocator's own words.
constexpr std::size_t kNode = 48;

std::string term_text(char kind, std::string_view word) {
  std::string text(1, kind);
  text += word;
  return text;
}

std::string label_text(std::string_view key, std::string_view value) {
  std::string text = term_text(kLabel, key);
  text += '\0';
  text += value;
  return text;
}

template <class T>
std::size_t bytes_of(const std::vector<T>& items) {
  return items.capacity() * sizeof(T);
}

std::size_t bytes_of(const std::string& text) {
  return text.capacity() > std::string().capacity() ? text.capacity() + 1 : 0;
}

}  // namespace

GroupId Index::group_of(const kube::Metadata& metadata) {
  auto& texts = scratch_;
  texts.clear();
  texts.push_back(term_text(kNamespace, metadata.namespace_));
  for (const auto& [key, value] : metadata.labels) {
    texts.push_back(label_text(key, value));
    texts.push_back(term_text(kLabelKey, key));
  }
  for (const auto& owner : metadata.owners) texts.push_back(term_text(kOwner, owner.uid));
  std::sort(texts.begin() + 1, texts.end());
  // A label that stands twice in bad JSON counts once.
  texts.erase(std::unique(texts.begin() + 1, texts.end()), texts.end());
  std::size_t hash = 0;
  for (const std::string& text : texts) hash = hash * 0x9E3779B97F4A7C15U + std::hash<std::string>()(text);

  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (is_group(groups_[at->second], texts)) return at->second;
  }
  return make_group(texts, hash);
}

bool Index::is_group(const Group& group, const std::vector<std::string>& texts) const {
  return std::ranges::equal(group.postings, texts, {}, [&](const Posting& posting) { return text_of(posting); });
}

GroupId Index::make_group(const std::vector<std::string>& texts, std::size_t hash) {
  auto id = static_cast<GroupId>(groups_.size());
  if (free_groups_.empty()) {
    groups_.emplace_back();
  } else {
    id = free_groups_.back();
    free_groups_.pop_back();
  }
  Group& group = groups_[id];
  group.hash = hash;
  group.postings.reserve(texts.size());
  for (const std::string& text : texts) {
    const std::uint32_t number = term(text);
    auto& in = terms_[number].groups;
    bytes_ -= bytes_of(in);
    group.postings.push_back({number, static_cast<std::uint32_t>(in.size())});
    in.push_back(id);
    bytes_ += bytes_of(in);
  }
  by_hash_.emplace(hash, id);
  bytes_ += sizeof(Group) + bytes_of(group.postings) + kNode;
  return id;
}

void Index::drop_group(GroupId id) {
  Group& group = groups_[id];
  for (const Posting& posting : group.postings) {
    Term& of = terms_[posting.term];
    const GroupId last = of.groups.back();
    of.groups[posting.position] = last;
    of.groups.pop_back();
    if (last != id) {
      for (Posting& moved : groups_[last].postings) {
        if (moved.term == posting.term) moved.position = posting.position;
      }
    }
    if (of.groups.empty()) drop_term(posting.term);
  }
  const auto [begin, end] = by_hash_.equal_range(group.hash);
  by_hash_.erase(std::find_if(begin, end, [&](const auto& entry) { return entry.second == id; }));
  bytes_ -= sizeof(Group) + bytes_of(group.postings) + bytes_of(group.members) + kNode;
  group = {};
  free_groups_.push_back(id);
}

std::uint32_t Index::term(std::string_view text) {
  if (const auto found = by_text_.find(text); found != by_text_.end()) return found->second;
  auto id = static_cast<std::uint32_t>(terms_.size());
  if (free_terms_.empty()) {
    terms_.emplace_back();
  } else {
    id = free_terms_.back();
    free_terms_.pop_back();
  }
  terms_[id].text = text;
  by_text_.emplace(terms_[id].text, id);
  bytes_ += sizeof(Term) + bytes_of(terms_[id].text) + kNode;
  return id;
}

void Index::drop_term(std::uint32_t id) {
  Term& gone = terms_[id];
  by_text_.erase(gone.text);
  bytes_ -= sizeof(Term) + bytes_of(gone.text) + bytes_of(gone.groups) + kNode;
  gone = {};
  free_terms_.push_back(id);
}

const Index::Term* Index::find(std::string_view text) const {
  const auto found = by_text_.find(text);
  return found == by_text_.end() ? nullptr : &terms_[found->second];
}

std::uint32_t Index::join(GroupId id, EntryId entry) {
  Group& group = groups_[id];
  bytes_ -= bytes_of(group.members);
  group.members.push_back(entry);
  bytes_ += bytes_of(group.members);
  return static_cast<std::uint32_t>(group.members.size() - 1);
}

EntryId Index::leave(GroupId id, std::uint32_t position) {
  Group& group = groups_[id];
  const EntryId moved = group.members.back();
  group.members[position] = moved;
  group.members.pop_back();
  if (group.members.empty() && group.held == 0) drop_group(id);
  return moved;
}

void Index::release(GroupId id) {
  Group& group = groups_[id];
  if (--group.held == 0 && group.members.empty()) drop_group(id);
}

std::string_view Index::namespace_of(GroupId id) const { return text_of(groups_[id].postings.front()).substr(1); }

bool Index::matches(GroupId id, const Query& query) const {
  const Group& group = groups_[id];
  if (!query.namespace_.empty() && namespace_of(id) != query.namespace_) return false;
  const auto label = [&](std::string_view key) -> std::optional<std::string_view> {
    for (const Posting& posting : group.postings) {
      const std::string_view text = text_of(posting);
      if (text[0] != kLabel || !text.substr(1).starts_with(key)) continue;
      if (text.size() > key.size() + 1 && text[key.size() + 1] == '\0') return text.substr(key.size() + 2);
    }
    return std::nullopt;
  };
  for (const auto& [key, value] : query.labels) {
    if (label(key) != std::optional<std::string_view>(value)) return false;
  }
  if (!query.selector.matches_with(label)) return false;
  return query.owner.empty() || std::ranges::any_of(group.postings, [&](const Posting& posting) {
           const std::string_view text = text_of(posting);
           return text[0] == kOwner && text.substr(1) == query.owner;
         });
}

void Index::consider(Start& best, const std::vector<std::string>& any_of) const {
  Start start{.everything = false};
  for (const std::string& text : any_of) {
    const Term* term = find(text);
    if (term == nullptr) continue;
    start.terms.push_back(term);
    start.groups += term->groups.size();
  }
  if (best.everything || start.groups < best.groups) best = std::move(start);
}

Index::Start Index::rarest(const Query& query) const {
  Start best;
  if (!query.namespace_.empty()) consider(best, {term_text(kNamespace, query.namespace_)});
  if (!query.owner.empty()) consider(best, {term_text(kOwner, query.owner)});
  for (const auto& [key, value] : query.labels) consider(best, {label_text(key, value)});
  for (const kube::Requirement& requirement : query.selector.requirements()) {
    std::vector<std::string> texts;
    switch (requirement.op()) {
      case kube::Operator::equals:
      case kube::Operator::double_equals:
      case kube::Operator::in:
        for (const std::string& value : std::set(requirement.values().begin(), requirement.values().end())) {
          texts.push_back(label_text(requirement.key(), value));
        }
        break;
      case kube::Operator::exists:
      case kube::Operator::greater_than:
      case kube::Operator::less_than: texts.push_back(term_text(kLabelKey, requirement.key())); break;
      default: continue;  // an absent label has no term
    }
    consider(best, texts);
  }
  return best;
}

void Index::each_group(const Query& query, const std::function<void(GroupId)>& each) const {
  if (query.selector.is_nothing()) return;
  const auto visit = [&](GroupId id) {
    if (matches(id, query)) each(id);
  };
  const Start start = rarest(query);
  if (start.everything) {
    for (const auto& [hash, id] : by_hash_) visit(id);
  }
  for (const Term* term : start.terms) {
    for (const GroupId id : term->groups) visit(id);
  }
}

}  // namespace flyball::cache::detail
