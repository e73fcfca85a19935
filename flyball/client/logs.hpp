// What a container has written, as it comes.
//
//   for (const std::string& line : pod_logs(client, {"shop", "web-1"}, {.follow = true, .tail_lines = 10})) use(line);
//   const std::string all = pod_log_text(client, {"shop", "web-1"}, {.container = "web"});
//
// A stream that follows ends when the container does, or at the client's stop (`client.with(stop)`), with Stopped. It
// has a connection of its own. Silence is no error: a container may have nothing to say for days.
//
// Errors: ApiError when the server refuses (no such pod, container not started, more than one container and none
// named), net::NetError for the connection.
//
// Thread-safety: one thread at a time. Lifetime: what the client needs outlives the stream.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "flyball/client/client.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::client {

struct PodLogOptions {
  std::string container = {};                      // may be left out when the pod has one
  bool follow = false;                             // wait for more at the end
  bool previous = false;                           // of the instance that ended before the one that runs
  bool timestamps = false;                         // each line begins with the time it was written
  std::optional<std::int64_t> tail_lines = {};     // only the last ones
  std::optional<std::chrono::seconds> since = {};  // only those written in this time
  std::optional<kube::Time> since_time = {};       // only those written from then on; not together with `since`
  std::optional<std::int64_t> limit_bytes = {};    // the server ends the stream there, be it inside a line
  std::string stream = {};                         // "Stdout" or "Stderr"; empty: both (Kubernetes 1.32, with a gate)
};

class PodLogs {
 public:
  class Iterator;

  PodLogs(PodLogs&&) noexcept = default;
  PodLogs& operator=(PodLogs&&) noexcept = default;
  ~PodLogs();

  // The next line, without its end; nothing after the last. A line without an end is one, too. Lines of more than a
  // megabyte come in pieces of that size.
  std::optional<std::string> next_line();
  // The next bytes, as soon as there are some; empty at the end.
  std::string read();

  // Lines as an input range: for (const std::string& line : logs).
  Iterator begin();
  static std::default_sentinel_t end() noexcept { return {}; }

 private:
  friend PodLogs pod_logs(const Client& client, const ObjectKey& pod, const PodLogOptions& options);
  PodLogs(Client client, std::unique_ptr<BodyStream> stream);
  std::string take(std::size_t size, std::size_t end_of_line);

  Client client_;
  std::unique_ptr<BodyStream> stream_;
  std::string ahead_;       // read
  std::size_t from_ = 0;    // of it, what was not yet given out
  std::size_t looked_ = 0;  // of it, without finding the end of a line
  bool ended_ = false;
};

class PodLogs::Iterator {
 public:
  using value_type = std::string;
  using difference_type = std::ptrdiff_t;
  explicit Iterator(PodLogs& logs) : logs_(&logs), line_(logs.next_line()) {}
  const std::string& operator*() const { return *line_; }
  Iterator& operator++() {
    line_ = logs_->next_line();
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const Iterator& at, std::default_sentinel_t) { return !at.line_; }

 private:
  PodLogs* logs_;
  std::optional<std::string> line_;
};

inline PodLogs::Iterator PodLogs::begin() { return Iterator(*this); }

// Opens the log: the server has agreed when it returns.
PodLogs pod_logs(const Client& client, const ObjectKey& pod, const PodLogOptions& options = {});
// All of it that is there now.
std::string pod_log_text(const Client& client, const ObjectKey& pod, PodLogOptions options = {});

}  // namespace flyball::client
