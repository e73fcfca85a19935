#include "flyball/client/exec.hpp"

#include <atomic>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/client/detail/pod_api_for_test.hpp"
#include "flyball/client/detail/scripted_transport_for_test.hpp"

namespace flyball::client {
namespace {

using namespace std::chrono_literals;
using net::WebSocket;
using testing::HasSubstr;

const std::vector<std::string> kBoth = {"v4.channel.k8s.io", "v5.channel.k8s.io"};
constexpr const char* kSuccess = "\3{\"metadata\":{},\"status\":\"Success\"}";

std::string exited(int code) {
  return "\3{\"metadata\":{},\"status\":\"Failure\",\"message\":\"command terminated with non-zero exit code\","
         "\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":[{\"reason\":\"ExitCode\",\"message\":\"" +
         std::to_string(code) + "\"}]}}";
}

class PodExec : public detail::PodApi {
 public:
  // A server that says these things and closes, in order.
  Client serve_messages(std::vector<std::string> messages) {
    return serve_socket(kBoth, [messages = std::move(messages)](WebSocket& socket, const Stop& stop) {
      for (const std::string& message : messages) socket.write_binary(message, stop);
      socket.close(stop);
      read_away(socket, stop);
    });
  }
};

TEST_F(PodExec, RunsACommandToItsEnd) {
  const Client client = serve_messages({"\1", "\1some ", "\2wrong", "\1output", exited(3)});
  // [snippet: run]
  const PodRun run = pod_run(client, {"shop", "db-0"}, {.command = {"ls", "-l", "/data & more"}});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.stdout_, "some output");
  EXPECT_EQ(run.stderr_, "wrong");
  // [end]
  EXPECT_EQ(target(),
            "/api/v1/namespaces/shop/pods/db-0/exec?stdout=true&stderr=true"
            "&command=ls&command=-l&command=%2Fdata%20%26%20more");
}

TEST_F(PodExec, TheInputReachesTheCommandWithItsEnd) {
  // As `cat` would, but more than the buffers between hold: reading and writing must go on at once.
  const Client client = serve_socket(kBoth, [](WebSocket& socket, const Stop& stop) {
    EXPECT_EQ(socket.protocol(), "v5.channel.k8s.io");
    while (const auto message = socket.read(stop)) {
      if (message->data == std::string("\xff\0", 2)) break;
      EXPECT_EQ(message->data[0], '\0');
      socket.write_binary("\1" + message->data.substr(1), stop);
    }
    socket.write_binary(kSuccess, stop);
    socket.close(stop);
    read_away(socket, stop);
  });
  const std::string input(8U << 20U, 'x');
  // [snippet: input]
  const PodRun run = pod_run(client, {"shop", "db-0"}, {.command = {"cat"}}, input);
  EXPECT_EQ(run.stdout_, input);
  // [end]
  EXPECT_EQ(run.exit_code, 0);
}

TEST_F(PodExec, ACommandThatDoesNotReadItsInputEndsAllTheSame) {
  const Client client = serve_socket(kBoth, [](WebSocket& socket, const Stop& stop) {
    socket.write_binary(exited(141), stop);
    socket.close(stop);
    read_away(socket, stop);
  });
  EXPECT_EQ(pod_run(client, {"shop", "db-0"}, {.command = {"true"}}, std::string(8U << 20U, 'x')).exit_code, 141);
}

TEST_F(PodExec, ATerminalIsWrittenToResizedAndRead) {
  const Client client = serve_socket(kBoth, [](WebSocket& socket, const Stop& stop) {
    EXPECT_EQ(socket.read(stop)->data, "\4{\"Width\":120,\"Height\":40}");
    EXPECT_EQ(socket.read(stop)->data, std::string("\0exit\n", 6));
    socket.write_binary("\1$ exit\r\n", stop);
    socket.write_binary(kSuccess, stop);
    socket.close(stop);
    read_away(socket, stop);
  });
  // [snippet: terminal]
  const auto session = pod_exec(client, {"shop", "db-0"}, {.command = {"sh"}, .stdin_ = true, .tty = true});
  session->resize(120, 40);
  session->write("exit\n");
  std::string screen;
  while (const auto output = session->read()) screen += output->data;
  EXPECT_EQ(session->exit_code(), 0);
  // [end]
  EXPECT_EQ(screen, "$ exit\r\n");
  EXPECT_EQ(target(), "/api/v1/namespaces/shop/pods/db-0/exec?stdin=true&stdout=true&tty=true&command=sh")
      << "a terminal has no standard error of its own";
}

TEST_F(PodExec, AnOldServerIsSpokenToInV4WithoutTheEndOfInput) {
  const Client client = serve_socket({"v4.channel.k8s.io"}, [](WebSocket& socket, const Stop& stop) {
    socket.write_binary(kSuccess, stop);
    read_away(socket, stop);
  });
  const auto session = pod_exec(client, {"shop", "db-0"}, {.command = {"cat"}, .stdin_ = true});
  EXPECT_EQ(session->protocol(), "v4.channel.k8s.io");
  EXPECT_THROW(session->close_stdin(), Error);
  session->close();
  EXPECT_EQ(session->read(), std::nullopt);
  EXPECT_EQ(session->exit_code(), 0);
  EXPECT_THROW((void)pod_run(client, {"shop", "db-0"}, {.command = {"cat"}}, "x"), Error);
}

TEST_F(PodExec, ACommandThatCannotBeStartedIsAnApiError) {
  const Client client =
      serve_messages({"\3{\"status\":\"Failure\",\"message\":\"exec: \\\"nosuch\\\": not "
                      "found\",\"reason\":\"InternalError\",\"code\":500}"});
  try {
    (void)pod_run(client, {"shop", "db-0"}, {.command = {"nosuch"}});
    FAIL();
  } catch (const ApiError& error) {
    EXPECT_TRUE(error.is_internal_error());
    EXPECT_THAT(error.what(), HasSubstr("the command could not be run: exec: \"nosuch\": not found"));
  }
}

TEST_F(PodExec, ALostConnectionIsNoSuccess) {
  const Client silent = serve_messages({"\1half"});
  EXPECT_THROW((void)pod_run(silent, {"shop", "db-0"}, {.command = {"ls"}}), net::NetError)
      << "no word of how it ended";
  const Client cut = serve_socket(kBoth, [](WebSocket& socket, const Stop& stop) {
    socket.write_binary("\1half", stop);
    throw Error("died");
  });
  EXPECT_THROW((void)pod_run(cut, {"shop", "db-0"}, {.command = {"ls"}}), net::NetError);
}

TEST_F(PodExec, AStatusThatMakesNoSenseIsAnErrorAndNotASuccess) {
  for (const char* status : {"\3nonsense", "\3{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\"}"}) {
    const Client client = serve_messages({status});
    EXPECT_THROW((void)pod_run(client, {"shop", "db-0"}, {.command = {"ls"}}), Error) << status;
  }
}

TEST_F(PodExec, ARefusalIsAnApiError) {
  const Client client = serve([](const net::Request&, net::ResponseWriter& writer) {
    writer.send({.status = 403,
                 .headers = {{"Content-Type", "application/json"}},
                 .body = R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,)"
                         R"("message":"pods \"db-0\" is forbidden: cannot create resource \"pods/exec\""})"});
  });
  try {
    (void)pod_exec(client, {"shop", "db-0"}, {.command = {"ls"}});
    FAIL();
  } catch (const ApiError& error) {
    EXPECT_TRUE(error.is_forbidden());
    EXPECT_THAT(error.what(), HasSubstr("pods/exec"));
  }
}

TEST_F(PodExec, AServerThatSpeaksNoneOfOurProtocolsSaysWhich) {
  const Client client = serve([&](const net::Request& request, net::ResponseWriter& writer) {
    (void)WebSocket::accept(clock, request, writer);
  });
  try {
    (void)pod_exec(client, {"shop", "db-0"}, {.command = {"ls"}});
    FAIL();
  } catch (const net::ProtocolError& error) {
    EXPECT_THAT(error.what(), HasSubstr("none of the subprotocols we speak: v5.channel.k8s.io, v4.channel.k8s.io"));
    EXPECT_THAT(error.what(), HasSubstr("GET /api/v1/namespaces/shop/pods/db-0/exec"));
  }
}

TEST_F(PodExec, AttachesToWhatRunsAndLeaves) {
  const Client client = serve_socket(kBoth, [](WebSocket& socket, const Stop& stop) {
    socket.write_binary("\1already running", stop);
    read_away(socket, stop);
  });
  // [snippet: attach]
  const auto session = pod_attach(client, {"shop", "web-1"}, {.container = "web"});
  EXPECT_EQ(session->read()->data, "already running");
  session->close();
  EXPECT_EQ(session->read(), std::nullopt);
  EXPECT_EQ(session->exit_code(), std::nullopt);  // it still runs
  // [end]
  EXPECT_EQ(target(), "/api/v1/namespaces/shop/pods/web-1/attach?container=web&stdout=true&stderr=true");
}

TEST_F(PodExec, EndsAtTheStop) {
  const Client client = serve_socket(kBoth, [](WebSocket& socket, const Stop& stop) { read_away(socket, stop); });
  const Stop soon = Stop().with_deadline(clock, clock.after(1ms));
  EXPECT_THROW((void)pod_run(client.with(soon), {"shop", "db-0"}, {.command = {"sleep", "1d"}}), Stopped);
}

TEST_F(PodExec, WithoutACommandNobodyIsAsked) {
  const Client client = serve_messages({});
  EXPECT_THROW((void)pod_exec(client, {"shop", "db-0"}, {}), InputError);
}

TEST(PodExecInProcess, ATransportThatCannotSwitchProtocolsSaysSo) {
  RealClock clock;
  Random random(1);
  detail::ScriptedTransport transport;
  const Client client(transport, clock, random);
  try {
    (void)pod_exec(client, {"shop", "db-0"}, {.command = {"ls"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("this transport cannot switch protocols, which GET /api/v1/"));
  }
}

}  // namespace
}  // namespace flyball::client
