#include "flyball/client/exec.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "flyball/base/api_error.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/detail/pod_request.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/net/websocket.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::client {
namespace {

constexpr const char* kV5 = "v5.channel.k8s.io";
constexpr const char* kV4 = "v4.channel.k8s.io";
constexpr std::size_t kPieceBytes = 32 * 1024;

// The first byte of each message.
constexpr std::uint8_t kStdin = 0;
constexpr std::uint8_t kStdout = 1;
constexpr std::uint8_t kStderr = 2;
constexpr std::uint8_t kStatus = 3;
constexpr std::uint8_t kResize = 4;
constexpr std::uint8_t kClose = 255;

net::Query query_of(const PodAttachOptions& options) {
  net::Query query;
  if (!options.container.empty()) query.add("container", options.container);
  if (options.stdin_) query.add("stdin", "true");
  if (options.stdout_) query.add("stdout", "true");
  // A terminal has one output; the server refuses to be asked for both.
  if (options.stderr_ && !options.tty) query.add("stderr", "true");
  if (options.tty) query.add("tty", "true");
  return query;
}

std::unique_ptr<PodSession> open(const Client& client, std::string target) {
  return std::make_unique<PodSession>(client, detail::open_pod_socket(client, std::move(target), {kV5, kV4}));
}

int exit_code_in(const kube::meta::v1::Status& status) {
  const auto causes = status.details ? status.details->causes : std::vector<kube::meta::v1::StatusCause>();
  for (const auto& cause : causes) {
    int code = 0;
    const char* end = cause.message.data() + cause.message.size();
    if (cause.reason != "ExitCode") continue;
    if (std::from_chars(cause.message.data(), end, code).ptr == end && !cause.message.empty()) return code;
  }
  throw net::ProtocolError("the command failed, but the server gave no exit code with it: " + status.message);
}

std::string cannot_end_input(const std::string& protocol) {
  return "the server speaks only " + protocol +
         ", which cannot say that the input has ended; send what ends it (\"exit\\n\", Ctrl-D on a terminal) or close "
         "the session";
}

// Ends what a thread is in the middle of, so that it can be joined.
struct StopAtEnd {
  StopSource& source;
  ~StopAtEnd() { source.request_stop("the command has ended"); }
};

}  // namespace

std::unique_ptr<PodSession> pod_exec(const Client& client, const ObjectKey& pod, const PodExecOptions& options) {
  if (options.command.empty()) throw InputError({}, "command", "there is no command to run in the container");
  net::Query query = query_of({.container = options.container,
                               .stdin_ = options.stdin_,
                               .stdout_ = options.stdout_,
                               .stderr_ = options.stderr_,
                               .tty = options.tty});
  for (const std::string& word : options.command) query.add("command", word);
  return open(client, detail::pod_target(client, pod, "exec", query));
}

std::unique_ptr<PodSession> pod_attach(const Client& client, const ObjectKey& pod, const PodAttachOptions& options) {
  return open(client, detail::pod_target(client, pod, "attach", query_of(options)));
}

PodSession::PodSession(Client client, std::unique_ptr<net::WebSocket> socket)
    : client_(std::move(client)), socket_(std::move(socket)) {}

PodSession::~PodSession() = default;

const std::string& PodSession::protocol() const noexcept { return socket_->protocol(); }

std::optional<PodSession::Output> PodSession::read() {
  while (true) {
    std::optional<net::WebSocket::Message> message;
    try {
      message = socket_->read(client_.stop());
    } catch (const net::NetError&) {
      // How it ended was said; that the connection then went without a word changes nothing.
      if (!told_) throw;
    }
    if (!message) return std::nullopt;
    // The server's first message is empty: it only says that it is there.
    if (message->data.size() < 2) continue;
    const auto channel = static_cast<std::uint8_t>(message->data.front());
    message->data.erase(0, 1);
    if (channel == kStatus) take_status(message->data);
    if (channel == kStdout || channel == kStderr) {
      return Output{.error = channel == kStderr, .data = std::move(message->data)};
    }
  }
}

void PodSession::take_status(std::string_view text) {
  told_ = true;
  const auto status = reflect::decode<kube::meta::v1::Status>(text);
  if (status.status == "Success") {
    exit_code_ = 0;
  } else if (status.reason == "NonZeroExitCode") {
    exit_code_ = exit_code_in(status);
  } else {
    throw ApiError(ApiError::Details{.reason = reason_from(status.reason),
                                     .code = status.code,
                                     .message = "the command could not be run: " + status.message});
  }
}

void PodSession::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPieceBytes);
    send(kStdin, piece);
    bytes.remove_prefix(piece.size());
  }
}

void PodSession::close_stdin() {
  if (socket_->protocol() != kV5) throw Error(cannot_end_input(socket_->protocol()));
  send(kClose, std::string_view("\0", 1));
}

void PodSession::resize(std::uint16_t width, std::uint16_t height) {
  send(kResize, "{\"Width\":" + std::to_string(width) + ",\"Height\":" + std::to_string(height) + "}");
}

void PodSession::close() { socket_->close(client_.stop()); }

void PodSession::send(std::uint8_t channel, std::string_view bytes) {
  std::string message(1, static_cast<char>(channel));
  message += bytes;
  socket_->write_binary(message, client_.stop());
}

PodRun pod_run(const Client& client, const ObjectKey& pod, PodExecOptions options,
               const std::optional<std::string>& input) {
  options.stdin_ = input.has_value();
  StopSource whole(client.stop());
  const auto session = pod_exec(client.with(whole.stop()), pod, options);
  if (input && session->protocol() != kV5) throw Error(cannot_end_input(session->protocol()));
  // A thread of its own: what the command writes must be read meanwhile.
  std::unique_ptr<Thread> writer;
  if (input) {
    writer = std::make_unique<Thread>(client.engine()->clock(), "pod stdin", [&] {
      try {
        session->write(*input);
        session->close_stdin();
        // A command may end without reading it all; a lost connection is what read() tells of.
      } catch (const Error&) {  // NOLINT(bugprone-empty-catch)
      }
    });
  }
  const StopAtEnd stop_writer{whole};
  PodRun run;
  while (auto output = session->read()) (output->error ? run.stderr_ : run.stdout_) += output->data;
  if (!session->exit_code()) {
    throw net::NetError(net::NetError::Kind::kReset,
                        "the connection ended before the server said how the command in " + pod.to_string() + " did");
  }
  run.exit_code = *session->exit_code();
  return run;
}

}  // namespace flyball::client
