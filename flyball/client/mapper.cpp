#include "flyball/client/mapper.hpp"

#include <algorithm>
#include <string>

#include "flyball/net/http.hpp"

namespace flyball::client {
namespace {

[[noreturn]] void fail(std::string message) { throw ApiError(Reason::NotFound, std::move(message)); }

// The versions in which the server has that kind, for the error.
std::string other_versions(const std::vector<ServedResource>& table, const GroupVersionKind& kind) {
  std::string versions;
  for (const ServedResource& one : table) {
    if (one.resource.kind.kind != kind.kind) continue;
    versions += (versions.empty() ? "" : ", ") + one.resource.kind.api_version();
  }
  return versions;
}

// What people may have meant by a name: the name itself, and the group and version they put behind it.
struct Wanted {
  std::string_view name;
  std::string_view version = {};  // empty: any
  std::string_view group = {};
  bool any_group = true;
};

std::vector<Wanted> readings(std::string_view text) {
  std::vector<Wanted> all{{.name = text}};
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return all;
  const std::string_view name = text.substr(0, dot);
  const std::string_view rest = text.substr(dot + 1);
  all.push_back({.name = name, .group = rest, .any_group = false});
  const std::size_t second = rest.find('.');
  const std::string_view group = second == std::string_view::npos ? std::string_view() : rest.substr(second + 1);
  all.push_back({.name = name, .version = rest.substr(0, second), .group = group, .any_group = false});
  return all;
}

bool is_called(const ServedResource& one, std::string_view name) {
  const auto same = [&](std::string_view word) { return net::same_name(word, name); };
  return same(one.resource.plural) || same(one.singular) || same(one.resource.kind.kind) ||
         std::ranges::any_of(one.short_names, same);
}

bool fits(const ServedResource& one, const Wanted& wanted) {
  const GroupVersionKind& kind = one.resource.kind;
  if (!wanted.any_group && kind.group != wanted.group) return false;
  if (!wanted.version.empty() && kind.version != wanted.version) return false;
  return is_called(one, wanted.name);
}

}  // namespace

RestMapper::RestMapper(std::shared_ptr<Engine> engine) : engine_(std::move(engine)), learned_(engine_->clock()) {}

std::shared_ptr<const RestMapper::Table> RestMapper::learn(const std::shared_ptr<const Table>& known,
                                                           const Stop& stop) {
  Clock& clock = engine_->clock();
  {
    MutexLock lock(mutex_);
    if (!learned_.wait(mutex_, stop, [&]() FLYBALL_REQUIRES(mutex_) { return !asking_; })) stop.throw_if_stopped();
    const bool too_soon = clock.now() < asked_ + kAskAgainAfter;
    // Somebody else may have learned meanwhile.
    if (table_ != nullptr && (table_ != known || too_soon)) return table_;
    asking_ = true;
  }
  std::shared_ptr<const Table> table;
  const auto finish = [&] {
    const MutexLock lock(mutex_);
    asking_ = false;
    if (table != nullptr) {
      asked_ = clock.now();
      table_ = table;
    }
    learned_.notify_all();
  };
  try {
    table = std::make_shared<const Table>(discover(*engine_, stop));
  } catch (...) {
    finish();
    throw;
  }
  finish();
  return table;
}

// The table keeps what was found alive.
template <class Match>
std::shared_ptr<const RestMapper::Table> RestMapper::find(Match&& match, const Stop& stop,
                                                          const ServedResource*& found) {
  const auto look = [&](const Table& table) {
    const auto at = std::ranges::find_if(table, match);
    found = at == table.end() ? nullptr : &*at;
    return found != nullptr;
  };
  std::shared_ptr<const Table> known = learn(nullptr, stop);
  if (look(*known)) return known;
  std::shared_ptr<const Table> newer = learn(known, stop);
  look(*newer);
  return newer;
}

Resource RestMapper::resource(const GroupVersionKind& kind, const Stop& stop) {
  const ServedResource* found = nullptr;
  const auto table = find(
      [&](const ServedResource& one) {
        const GroupVersionKind& its = one.resource.kind;
        return its.kind == kind.kind && its.group == kind.group &&
               (kind.version.empty() || its.version == kind.version);
      },
      stop, found);
  if (found != nullptr) return found->resource;
  const std::string others = other_versions(*table, kind);
  fail("the server has no kind " + kind.kind + " in " + (kind.version.empty() ? kind.group : kind.api_version()) +
       (others.empty() ? ": is its CustomResourceDefinition installed?" : ", but it has one in " + others));
}

GroupVersionKind RestMapper::kind(const GroupVersionResource& resource, const Stop& stop) {
  const ServedResource* found = nullptr;
  const auto table = find([&](const ServedResource& one) { return one.resource.resource() == resource; }, stop, found);
  if (found != nullptr) return found->resource.kind;
  fail("the server has no resource " + resource.resource + " in " + resource.api_version() +
       ": is its CustomResourceDefinition installed?");
}

Resource RestMapper::resolve(std::string_view name, const Stop& stop) {
  const std::vector<Wanted> wanted = readings(name);
  const ServedResource* found = nullptr;
  const auto table = find(
      [&](const ServedResource& one) {
        return std::ranges::any_of(wanted, [&](const Wanted& reading) { return fits(one, reading); });
      },
      stop, found);
  if (found != nullptr) return found->resource;
  fail("the server has no resource called \"" + std::string(name) +
       "\": it looks for a plural, singular, short name or kind, and \"name.group\" where there are several");
}

std::vector<ServedResource> RestMapper::all(const Stop& stop) { return *learn(nullptr, stop); }

void RestMapper::forget() {
  const MutexLock lock(mutex_);
  table_ = nullptr;
}

}  // namespace flyball::client
