#include "flyball/client/logs.hpp"

#include <algorithm>
#include <utility>

#include "flyball/client/detail/pod_request.hpp"

namespace flyball::client {
namespace {

constexpr std::size_t kLineBytes = std::size_t{1} << 20U;

net::Query query_of(const PodLogOptions& options) {
  net::Query query;
  if (!options.container.empty()) query.add("container", options.container);
  if (options.follow) query.add("follow", "true");
  if (options.previous) query.add("previous", "true");
  if (options.timestamps) query.add("timestamps", "true");
  if (options.tail_lines) query.add("tailLines", std::to_string(*options.tail_lines));
  if (options.since) query.add("sinceSeconds", std::to_string(options.since->count()));
  if (options.since_time) query.add("sinceTime", options.since_time->to_string());
  if (options.limit_bytes) query.add("limitBytes", std::to_string(*options.limit_bytes));
  if (!options.stream.empty()) query.add("stream", options.stream);
  return query;
}

}  // namespace

PodLogs pod_logs(const Client& client, const ObjectKey& pod, const PodLogOptions& options) {
  Call call{.verb = "get", .request = {.target = detail::pod_target(client, pod, "log", query_of(options))}};
  // One that does not follow is sent at once; there silence is a fault.
  const OpenOptions open{.idle_timeout = options.follow ? Duration::zero() : Duration(-1)};
  return {client, client.engine()->open(call, detail::until_answered(client), open)};
}

std::string pod_log_text(const Client& client, const ObjectKey& pod, PodLogOptions options) {
  options.follow = false;
  PodLogs logs = pod_logs(client, pod, options);
  std::string text;
  for (std::string piece; !(piece = logs.read()).empty();) text += piece;
  return text;
}

PodLogs::PodLogs(Client client, std::unique_ptr<BodyStream> stream)
    : client_(std::move(client)), stream_(std::move(stream)) {}

PodLogs::~PodLogs() = default;

std::string PodLogs::read() {
  if (from_ < ahead_.size()) {
    std::string rest = ahead_.substr(from_);
    ahead_.clear();
    from_ = looked_ = 0;
    return rest;
  }
  if (ended_) return {};
  std::string piece = stream_->read(client_.stop());
  ended_ = piece.empty();
  return piece;
}

std::optional<std::string> PodLogs::next_line() {
  while (true) {
    const std::size_t end = ahead_.find('\n', looked_);
    const std::size_t left = ahead_.size() - from_;
    if (end != std::string::npos && end - from_ <= kLineBytes) return take(end - from_, 1);
    if (left >= kLineBytes || (ended_ && left > 0)) return take(std::min(left, kLineBytes), 0);
    if (ended_) return std::nullopt;
    // What was given out goes once per piece and not once per line.
    ahead_.erase(0, std::exchange(from_, 0));
    looked_ = ahead_.size();
    const std::string piece = stream_->read(client_.stop());
    ended_ = piece.empty();
    ahead_ += piece;
  }
}

std::string PodLogs::take(std::size_t size, std::size_t end_of_line) {
  std::string line = ahead_.substr(from_, size);
  from_ += size + end_of_line;
  looked_ = from_;
  return line;
}

}  // namespace flyball::client
