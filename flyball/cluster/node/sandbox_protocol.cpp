#include "flyball/cluster/node/sandbox_protocol.hpp"

#include <array>
#include <cerrno>

#include <unistd.h>

#include "flyball/json/builder.hpp"
#include "flyball/json/write.hpp"

namespace flyball::cluster::node {
namespace {

std::string text(json::View value) { return std::string(value.string_or("")); }
std::int64_t number(json::View value) { return value.is_int() ? value.as_int() : 0; }
bool flag(json::View value) { return value.is_bool() && value.as_bool(); }

json::Value words(const std::vector<std::string>& all) {
  json::Builder list;
  list.begin_array();
  for (const std::string& word : all) list.string(word);
  list.end();
  return list.finish();
}

json::Value flags(const StreamSet& streams) {
  return json::object({{"in", streams.in}, {"out", streams.out}, {"error", streams.error}, {"tty", streams.tty}});
}

json::Value container(std::int64_t id, std::int64_t inside, const ContainerRequest& request,
                      const StreamSet& streams = {}) {
  json::Builder to;
  to.begin_object();
  to.key("id").integer(id);
  to.key("inside").integer(inside);
  to.key("name").string(request.name);
  to.key("command").value(words(request.command));
  to.key("env").begin_object();
  for (const auto& [name, value] : request.env) to.key(name).string(value);
  to.end();
  to.key("workingDir").string(request.working_dir);
  to.key("user").string(request.user);
  to.key("group").integer(request.group.value_or(-1));
  to.key("root").string(request.root);
  to.key("log").string(request.log);
  to.key("streams").value(flags(streams));
  to.key("mounts").begin_array();
  for (const Mount& mount : request.mounts) {
    to.begin_object();
    to.key("source").string(mount.source).key("target").string(mount.target).key("readOnly").boolean(mount.read_only);
    to.end();
  }
  to.end();
  to.end();
  return to.finish();
}

}  // namespace

json::Value to_json(const SandboxSetup& setup) {
  const json::Value network = json::object({{"holder", setup.network.holder},
                                            {"user", setup.network.user},
                                            {"device", setup.network.device},
                                            {"bridge", setup.network.bridge},
                                            {"address", setup.network.address},
                                            {"gateway", setup.network.gateway},
                                            {"prefix", setup.network.prefix}});
  return json::object({{"setup", json::object({{"hostname", setup.hostname},
                                               {"isolated", setup.isolated},
                                               {"root", setup.root},
                                               {"scratch", setup.scratch},
                                               {"streams", setup.streams},
                                               {"socket", setup.socket},
                                               {"network", network}})}});
}

SandboxSetup setup_from(json::View value) {
  const json::View network = value["network"];
  return {.hostname = text(value["hostname"]),
          .isolated = flag(value["isolated"]),
          .root = flag(value["root"]),
          .scratch = text(value["scratch"]),
          .streams = text(value["streams"]),
          .socket = text(value["socket"]),
          .network = {.holder = static_cast<int>(number(network["holder"])),
                      .user = flag(network["user"]),
                      .device = text(network["device"]),
                      .bridge = text(network["bridge"]),
                      .address = text(network["address"]),
                      .gateway = text(network["gateway"]),
                      .prefix = static_cast<int>(number(network["prefix"]))}};
}

json::Value start_command(std::int64_t id, const ContainerRequest& request) {
  return json::object({{"start", container(id, 0, request, {.in = request.in, .tty = request.tty})}});
}

json::Value exec_command(std::int64_t id, std::int64_t inside, const ContainerRequest& request,
                         const StreamSet& streams) {
  return json::object({{"exec", container(id, inside, request, streams)}});
}

json::Value attach_command(std::int64_t id, std::int64_t inside, const StreamSet& streams) {
  return json::object({{"attach", json::object({{"id", id}, {"inside", inside}, {"streams", flags(streams)}})}});
}

StreamSet streams_from(json::View command) {
  const json::View streams = command["streams"];
  return {.in = flag(streams["in"]),
          .out = flag(streams["out"]),
          .error = flag(streams["error"]),
          .tty = flag(streams["tty"])};
}

json::Value run_command(std::int64_t id, std::int64_t inside, const ContainerRequest& request) {
  return json::object({{"run", container(id, inside, request)}});
}

ContainerRequest container_from(json::View start) {
  ContainerRequest request{.name = text(start["name"]),
                           .working_dir = text(start["workingDir"]),
                           .user = text(start["user"]),
                           .root = text(start["root"]),
                           .log = text(start["log"])};
  for (const json::View word : start["command"].items()) request.command.push_back(text(word));
  for (const auto [name, value] : start["env"].entries()) request.env[std::string(name)] = text(value);
  if (const std::int64_t group = number(start["group"]); group >= 0) request.group = group;
  for (const json::View mount : start["mounts"].items()) {
    request.mounts.push_back(
        {.source = text(mount["source"]), .target = text(mount["target"]), .read_only = flag(mount["readOnly"])});
  }
  return request;
}

json::Value probe_command(std::int64_t id, const ProbeRequest& request, const std::string& host) {
  json::Builder to;
  to.begin_object();
  to.key("probe").begin_object();
  to.key("id").integer(id);
  to.key("kind").string(request.kind == ProbeRequest::Kind::tcp ? "tcp" : "http");
  to.key("host").string(request.host.empty() ? host : request.host);
  to.key("port").integer(request.port);
  to.key("scheme").string(request.scheme);
  to.key("path").string(request.path);
  to.key("timeout").integer(request.timeout.count());
  to.key("headers").begin_array();
  for (const auto& [name, value] : request.headers) {
    to.begin_array().string(name).string(value).end();
  }
  to.end();
  to.end();
  to.end();
  return to.finish();
}

ProbeRequest probe_from(json::View probe) {
  ProbeRequest request{.kind = text(probe["kind"]) == "tcp" ? ProbeRequest::Kind::tcp : ProbeRequest::Kind::http,
                       .host = text(probe["host"]),
                       .port = static_cast<std::uint16_t>(number(probe["port"])),
                       .scheme = text(probe["scheme"]),
                       .path = text(probe["path"]),
                       .timeout = Duration(number(probe["timeout"]))};
  for (const json::View header : probe["headers"].items()) {
    request.headers.emplace_back(text(header[0]), text(header[1]));
  }
  return request;
}

std::optional<std::string> Lines::next() {
  const std::size_t end = text_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = text_.substr(0, end);
  text_.erase(0, end + 1);
  return line;
}

// Not by std::cout: what is printed elsewhere in this program must not come between.
void say(const json::Value& message) {
  const std::string line = json::write(message) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) ::_exit(1);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool read_more(Lines& lines) {
  std::array<char, 65536> piece{};
  const ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return false;
  lines.add({piece.data(), static_cast<std::size_t>(got)});
  return true;
}

std::optional<std::string> wait_for_line(Lines& lines) {
  while (true) {
    if (auto line = lines.next()) return line;
    if (!read_more(lines)) return std::nullopt;
  }
}

}  // namespace flyball::cluster::node
