// Run a command in a container, or attach to the one it runs.
//
//   const PodRun run = pod_run(client, {"shop", "db-0"}, {.command = {"psql", "-c", "select 1"}});
//   if (run.exit_code != 0) complain(run.stderr_);
//
//   const auto session = pod_exec(client, {"shop", "db-0"}, {.command = {"sh"}, .stdin_ = true, .tty = true});
//   session->write("ls\n");
//   while (const auto output = session->read()) show(output->data);
//   session->exit_code();
//
// Over a WebSocket with the subprotocol v5.channel.k8s.io, or v4 where the server has no other (before
// Kubernetes 1.30). The caller needs the verbs get and create on pods/exec or pods/attach.
//
// Errors: ApiError when the server refuses or the command could not be started, net::NetError for the connection (a
// silent one is pinged), Stopped at the client's stop. A command that fails is no error: it has an exit code.
//
// Thread-safety: of a session, one thread reads; any number write, resize and close. Lifetime: what the client needs
// outlives the session.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/client/client.hpp"

namespace flyball::net {
class WebSocket;
}

namespace flyball::client {

struct PodExecOptions {
  std::vector<std::string> command = {};  // the program and its arguments; no shell is involved unless it is one
  std::string container = {};             // may be left out when the pod has one
  bool stdin_ = false;                    // something will be written to it
  bool stdout_ = true;
  bool stderr_ = true;  // with a terminal it comes as output
  bool tty = false;     // the command has a terminal
};

struct PodAttachOptions {
  std::string container = {};
  bool stdin_ = false;
  bool stdout_ = true;
  bool stderr_ = true;
  bool tty = false;
};

class PodSession {
 public:
  struct Output {
    bool error = false;  // of the standard error
    std::string data = {};
    friend bool operator==(const Output&, const Output&) = default;
  };

  PodSession(Client client, std::unique_ptr<net::WebSocket> socket);
  ~PodSession();
  PodSession(const PodSession&) = delete;
  PodSession& operator=(const PodSession&) = delete;

  // What the command wrote next; nothing after its end. Throws ApiError when it could not be run.
  std::optional<Output> read();
  // What it ended with; valid after read() gave nothing. Nothing when the server did not say (an attach that was left).
  std::optional<int> exit_code() const noexcept { return exit_code_; }

  void write(std::string_view bytes);
  // The command sees the end of its input. Throws Error where the server cannot tell it (v4).
  void close_stdin();
  // Of the terminal, in characters.
  void resize(std::uint16_t width, std::uint16_t height);
  // Leaves: the server is told, and what still comes can be read.
  void close();

  // "v5.channel.k8s.io"
  const std::string& protocol() const noexcept;

 private:
  void send(std::uint8_t channel, std::string_view bytes);
  void take_status(std::string_view text);

  const Client client_;
  const std::unique_ptr<net::WebSocket> socket_;

  // Used by the reading thread alone.
  bool told_ = false;  // the server said how it ended
  std::optional<int> exit_code_;
};

std::unique_ptr<PodSession> pod_exec(const Client& client, const ObjectKey& pod, const PodExecOptions& options);
std::unique_ptr<PodSession> pod_attach(const Client& client, const ObjectKey& pod,
                                       const PodAttachOptions& options = {});

// A command from beginning to end.
struct PodRun {
  int exit_code = 0;
  std::string stdout_ = {};
  std::string stderr_ = {};
};
// `input` is written to the command's standard input, which then ends; without it there is none. Throws net::NetError
// when the connection is lost before the end.
PodRun pod_run(const Client& client, const ObjectKey& pod, PodExecOptions options,
               const std::optional<std::string>& input = {});

}  // namespace flyball::client
