#include "flyball/cluster/node/pod_logs.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "flyball/base/condition.hpp"
#include "flyball/cluster/node/log_lines.hpp"
#include "flyball/cluster/node/logs.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;

namespace {

constexpr std::chrono::milliseconds kLookAgain{100};

const core::ContainerStatus* status_of(const core::Pod& pod, const std::string& container) {
  for (const auto* statuses :
       {&pod.status.initContainerStatuses, &pod.status.containerStatuses, &pod.status.ephemeralContainerStatuses}) {
    const auto found = std::ranges::find(*statuses, container, &core::ContainerStatus::name);
    if (found != statuses->end()) return &*found;
  }
  return nullptr;
}

class LogStream final : public client::BodyStream {
 public:
  LogStream(Clock& clock, PodRuntime& runtime, apiserver::PodLogRequest request, std::string file)
      : clock_(clock),
        runtime_(runtime),
        request_(std::move(request)),
        file_(std::move(file)),
        head_{.status = 200, .headers = {{"Content-Type", "text/plain"}}, .body = {}} {}

  const net::Response& head() const noexcept override { return head_; }

  std::string read(const Stop& stop) override {
    while (true) {
      // Asked before the file is read: what it printed last is not missed.
      const bool goes_on = request_.follow && !request_.previous && runs();
      std::string text = limited(take());
      if (!text.empty()) return text;
      if (over_ || !goes_on) return "";
      if (!pause_until(clock_, clock_.after(kLookAgain), stop)) stop.throw_if_stopped();
    }
  }

 private:
  bool runs() const {
    for (const ContainerReport& report : runtime_.look(request_.pod.metadata.uid)) {
      if (report.name == request_.container) return !report.run.end;
    }
    return false;
  }

  // The lines that came since; one whose end has not come yet waits.
  std::string take() {
    std::ifstream in(file_, std::ios::binary);
    in.seekg(at_);
    const std::string more{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    at_ += static_cast<std::streamoff>(more.size());
    begun_ += more;
    const std::size_t end = begun_.rfind('\n');
    if (end == std::string::npos) return "";
    const std::string whole = begun_.substr(0, end + 1);
    begun_.erase(0, end + 1);
    std::vector<std::string> lines = shown(whole);
    if (first_ && request_.tail_lines) {
      const auto most = static_cast<std::size_t>(std::max<std::int64_t>(*request_.tail_lines, 0));
      if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
    }
    first_ = false;
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
  }

  std::vector<std::string> shown(std::string_view text) const {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      const auto line = parse_log_line(text.substr(begin, end - begin));
      begin = end + 1;
      if (!line) continue;
      if (request_.since && kube::Time::parse(line->time) < *request_.since) continue;
      std::string out = request_.timestamps ? std::string(line->time) + " " : "";
      out += line->text;
      if (line->whole) out += '\n';
      lines.push_back(std::move(out));
    }
    return lines;
  }

  std::string limited(std::string text) {
    if (!request_.limit_bytes) return text;
    const auto left = static_cast<std::size_t>(std::max<std::int64_t>(*request_.limit_bytes - sent_, 0));
    if (text.size() >= left) {
      text.resize(left);
      over_ = true;
    }
    sent_ += static_cast<std::int64_t>(text.size());
    return text;
  }

  Clock& clock_;
  PodRuntime& runtime_;
  const apiserver::PodLogRequest request_;
  const std::string file_;
  const net::Response head_;
  std::streamoff at_ = 0;
  std::string begun_;
  bool first_ = true;
  bool over_ = false;
  std::int64_t sent_ = 0;
};

}  // namespace

std::int32_t run_to_show(const apiserver::PodLogRequest& request) {
  const std::string who = "container \"" + request.container + "\" in pod \"" + request.pod.metadata.name + "\"";
  const core::ContainerStatus* status = status_of(request.pod, request.container);
  if (status == nullptr) throw Error(who + " is not available");
  if (request.previous) {
    if (!status->lastState.terminated) throw Error("previous terminated " + who + " not found");
    return status->state.waiting ? status->restartCount : status->restartCount - 1;
  }
  if (status->state.running || status->state.terminated || status->lastState.terminated) return status->restartCount;
  const std::string reason = status->state.waiting ? status->state.waiting->reason : "";
  if (reason == "ErrImagePull") throw Error(who + " is waiting to start: image can't be pulled");
  if (reason == "ImagePullBackOff") throw Error(who + " is waiting to start: trying and failing to pull image");
  throw Error(who + " is waiting to start: " + reason);
}

std::unique_ptr<client::BodyStream> PodLogs::open(const apiserver::PodLogRequest& request) {
  const std::int32_t run = run_to_show(request);
  return std::make_unique<LogStream>(clock_, runtime_, request,
                                     log_file(folder_, request.pod.metadata.uid, request.container, run));
}

}  // namespace flyball::cluster::node
