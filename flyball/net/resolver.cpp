#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "flyball/base/condition.hpp"
#include "flyball/net/socket.hpp"

namespace flyball::net {
namespace {

struct Answer {
  std::vector<std::string> addresses;
  std::string problem;
};

// Shared by the one who asks and the thread that looks: either may be gone first.
struct Lookup {
  explicit Lookup(Clock& clock) : changed(clock) {}
  Mutex mutex;
  Condition changed;
  std::optional<Answer> answer FLYBALL_GUARDED_BY(mutex);
};

bool is_numeric(const std::string& host) {
  in6_addr address{};
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 || ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

// IPv6 and IPv4 in turns, each family in the order the system prefers, the system's first family first.
std::vector<std::string> in_turns(const std::vector<std::string>& addresses) {
  std::vector<std::string> first;
  std::vector<std::string> second;
  const auto is_v6 = [](const std::string& address) { return address.find(':') != std::string::npos; };
  for (const std::string& address : addresses) {
    (is_v6(address) == is_v6(addresses.front()) ? first : second).push_back(address);
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    if (i < first.size()) out.push_back(first[i]);
    if (i < second.size()) out.push_back(second[i]);
  }
  return out;
}

Answer look_up(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (error != 0)
    return {{}, error == EAI_SYSTEM ? std::generic_category().message(errno) : std::string(::gai_strerror(error))};
  std::vector<std::string> addresses;
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    char text[NI_MAXHOST];
    if (::getnameinfo(at->ai_addr, at->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST) != 0) continue;
    if (std::find(addresses.begin(), addresses.end(), text) == addresses.end()) addresses.emplace_back(text);
  }
  ::freeaddrinfo(found);
  if (addresses.empty()) return {{}, "the name has no address"};
  return {in_turns(addresses), {}};
}

}  // namespace

Resolver::Resolver(Clock& clock) : clock_(clock) {}
Resolver::~Resolver() = default;

std::vector<std::string> Resolver::resolve(const std::string& host, const Stop& stop) {
  if (is_numeric(host)) return {host};
  const auto lookup = std::make_shared<Lookup>(clock_);
  {
    MutexLock lock(mutex_);
    if (pool_ == nullptr)
      pool_ = std::make_unique<ThreadPool>(clock_, ThreadPool::Options{.name = "dns", .threads = 2});
    const bool taken = pool_->try_post([lookup, host, &clock = clock_](const Stop&) {
      std::optional<Answer> answer;
      {
        const OutsideScope outside(clock);
        answer = look_up(host);
      }
      MutexLock answered(lookup->mutex);
      lookup->answer = std::move(answer);
      lookup->changed.notify_all();
    });
    if (!taken) throw NetError(NetError::Kind::kLookup, "cannot look up " + host + ": too many lookups wait already");
  }
  MutexLock lock(lookup->mutex);
  const bool answered = lookup->changed.wait(
      lookup->mutex, stop, [&]() FLYBALL_REQUIRES(lookup->mutex) { return lookup->answer.has_value(); });
  if (!answered) stop.throw_if_stopped();
  if (!lookup->answer->problem.empty()) {
    throw NetError(NetError::Kind::kLookup, "cannot find the address of " + host + ": " + lookup->answer->problem +
                                                "; check the name and this machine's DNS");
  }
  return lookup->answer->addresses;
}

}  // namespace flyball::net
