#include "flyball/client/refusal.hpp"

#include <charconv>
#include <optional>

#include "flyball/base/text.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::client {
namespace {

using kube::meta::v1::Status;

std::optional<Status> status_in(std::string_view body) {
  // What cannot be read as a Status is somebody else's answer, and shown as it is.
  try {
    if (kube::is_protobuf(body)) {
      if (kube::open_envelope(body).kind != "Status") return std::nullopt;
      return kube::from_protobuf<Status>(body);
    }
    if (!body.starts_with('{')) return std::nullopt;
    const json::Value document = json::parse(body);
    if (document["kind"].string_or("") != "Status") return std::nullopt;
    return reflect::decode<Status>(body);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// On one line and short: error messages go to logs and conditions.
std::string excerpt(std::string_view body) {
  constexpr std::size_t kLimit = 500;
  std::string line;
  for (const char c : valid_utf8(body.substr(0, 4 * kLimit))) {
    const bool blank = static_cast<unsigned char>(c) <= ' ';
    if (!blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
    if (line.size() >= kLimit) break;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  const bool cut = line.size() >= kLimit;
  // The last character may have been cut in two.
  return cut ? valid_utf8(line) + "…" : line;
}

std::string answered(const net::Response& answer) {
  std::string text = std::to_string(answer.status);
  const std::string_view words = answer.reason.empty() ? net::status_text(answer.status) : answer.reason;
  if (!words.empty()) text += " " + std::string(words);
  return text;
}

std::string foreign_message(const net::Response& answer, std::string_view about) {
  const std::string shown = excerpt(answer.body);
  const std::string begin(about);
  // What kube-apiserver says of a path that nothing is served under.
  if (answer.status == 404 && shown == "404 page not found") {
    return begin +
           ": the server has nothing there (404 page not found): is the CustomResourceDefinition installed, "
           "and is this version of it served?";
  }
  if (shown.empty()) return begin + ": the answer is " + answered(answer) + " with an empty body";
  return begin + ": the answer is " + answered(answer) + " and not one of Kubernetes: " + shown;
}

// Messages that name no object say nothing without the request.
std::string status_message(const Status& status, std::string_view about) {
  const bool generic = status.message.starts_with("the server ");
  return generic ? status.message + " (" + std::string(about) + ")" : status.message;
}

}  // namespace

std::optional<std::chrono::seconds> retry_after(const net::Headers& headers) {
  const std::string_view text = headers.get("Retry-After");
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  // The other form, a date, is not used by API servers.
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || seconds < 0) return std::nullopt;
  return std::chrono::seconds(seconds);
}

Refusal read_refusal(const net::Response& answer, std::string_view about) {
  Refusal refusal;
  ApiError::Details& details = refusal.details;
  details.code = answer.status;
  details.retry_after = retry_after(answer.headers);
  const std::optional<Status> status = status_in(answer.body);
  if (!status) {
    details.message = foreign_message(answer, about);
    return refusal;
  }
  refusal.status = true;
  refusal.continue_token = status->metadata.continue_;
  details.reason = reason_from(status->reason);
  details.message = status_message(*status, about);
  if (!status->details) return refusal;
  refusal.object = status->details->name;
  for (const auto& cause : status->details->causes) {
    details.causes.push_back({cause.reason, cause.message, cause.field});
  }
  if (!details.retry_after && status->details->retryAfterSeconds > 0) {
    details.retry_after = std::chrono::seconds(status->details->retryAfterSeconds);
  }
  return refusal;
}

}  // namespace flyball::client
