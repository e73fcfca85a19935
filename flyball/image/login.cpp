#include "flyball/image/login.hpp"

#include <cstdlib>
#include <filesystem>

#include "flyball/base/error.hpp"
#include "flyball/base/process.hpp"
#include "flyball/image/image.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/bytes.hpp"

namespace flyball::image {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDockerHub = "https://index.docker.io/v1/";

// Under which names a file may speak of a host.
std::vector<std::string> keys_of(const std::string& host) {
  if (host == "docker.io") return {kDockerHub, "docker.io", "index.docker.io"};
  return {host, "https://" + host, "https://" + host + "/v1/", "https://" + host + "/v2/", "http://" + host};
}

std::optional<Login> login_of(json::View entry, const std::string& file) {
  if (const auto token = entry["identitytoken"].string_or(""); !token.empty()) {
    return Login{.identity_token = Secret(std::string(token))};
  }
  const std::string_view packed = entry["auth"].string_or("");
  if (packed.empty()) return std::nullopt;
  const auto text = kube::from_base64(packed);
  const std::size_t colon = text ? text->find(':') : std::string::npos;
  if (colon == std::string::npos) throw Error(file + ": an `auth` is not the base64 of USER:PASSWORD");
  return Login{.user = text->substr(0, colon), .password = Secret(text->substr(colon + 1))};
}

}  // namespace

Logins::Logins(Clock& clock, const std::function<std::string(const char*)>& variable) : clock_(clock) {
  const auto add = [&](const char* name, const char* below) {
    const std::string value = variable(name);
    if (!value.empty()) files_.push_back(value + below);
  };
  add("REGISTRY_AUTH_FILE", "");
  add("DOCKER_CONFIG", "/config.json");
  add("HOME", "/.docker/config.json");
  add("XDG_RUNTIME_DIR", "/containers/auth.json");
}

Logins Logins::from_environment(Clock& clock) {
  return {clock, [](const char* name) {
            const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
            return std::string(value == nullptr ? "" : value);
          }};
}

std::optional<Login> Logins::find(const std::string& host, const Stop& stop) const {
  for (const std::string& file : files_) {
    std::error_code none;
    if (!fs::is_regular_file(file, none)) continue;
    if (auto login = find_in(file, host, stop)) return login;
  }
  return std::nullopt;
}

std::optional<Login> Logins::find_in(const std::string& file, const std::string& host, const Stop& stop) const {
  json::Value config;
  try {
    config = json::parse(read_file(file), {.duplicates = json::Duplicates::last_wins});
  } catch (const InputError& error) {
    throw Error(file + ": " + error.what());
  }
  for (const std::string& key : keys_of(host)) {
    const std::string_view helper = config["credHelpers"][key].string_or("");
    if (!helper.empty()) return ask_helper(std::string(helper), key, stop);
  }
  for (const std::string& key : keys_of(host)) {
    if (auto login = login_of(config["auths"][key], file)) return login;
  }
  const std::string_view store = config["credsStore"].string_or("");
  return store.empty() ? std::nullopt : ask_helper(std::string(store), keys_of(host).front(), stop);
}

std::optional<Login> Logins::ask_helper(const std::string& helper, const std::string& host, const Stop& stop) const {
  const std::string program = "docker-credential-" + helper;
  const RunResult result = run(clock_, {program, "get"}, {.input = host + "\n"}, stop);
  const std::string said = result.out + result.error;
  if (said.find("credentials not found") != std::string::npos) return std::nullopt;
  if (!result.status.ok()) throw Error(program + " " + result.status.text() + ": " + said.substr(0, said.find('\n')));
  try {
    const json::Value answer = json::parse(result.out);
    const std::string user(answer["Username"].as_string());
    Secret secret{std::string(answer["Secret"].as_string())};
    if (user == "<token>") return Login{.identity_token = std::move(secret)};
    return Login{.user = user, .password = std::move(secret)};
  } catch (const Error&) {
    // What it printed may hold the secret: nothing of it goes on.
    throw Error(program + " printed no Username and Secret for " + host);
  }
}

}  // namespace flyball::image
