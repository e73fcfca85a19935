#include "flyball/client/exec_credentials.hpp"

#include <algorithm>
#include <utility>

#include <unistd.h>

#include "flyball/base/process.hpp"
#include "flyball/client/detail/files.hpp"
#include "flyball/client/detail/refreshed.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/time.hpp"
#include "flyball/net/certificate.hpp"

namespace flyball::client {
namespace {

constexpr std::string_view kGroup = "client.authentication.k8s.io/";
constexpr std::size_t kShownBytes = 2000;

class ExecCredentials final : public detail::RefreshedCredentials {
 public:
  ExecCredentials(Clock& clock, ExecPlugin plugin, ExecOptions options)
      : RefreshedCredentials(clock), clock_(clock), plugin_(std::move(plugin)), options_(std::move(options)) {}

 private:
  Held fetch(const Stop& stop) override {
    options_.log.debug("running the credential plugin", "command", plugin_.command);
    const bool terminal = options_.terminal.value_or(::isatty(STDIN_FILENO) == 1);
    if (plugin_.interactive == Interactive::always && !terminal) {
      fail(
          "it wants to ask (interactiveMode: Always) and there is no terminal; run this from one, or use credentials "
          "that need no person");
    }
    const bool may_ask = terminal && plugin_.interactive != Interactive::never;
    return read(run_plugin(may_ask, stop));
  }

  std::string run_plugin(bool may_ask, const Stop& stop) {
    const Duration timeout = may_ask ? options_.interactive_timeout : options_.timeout;
    const Stop bounded = stop.with_deadline(clock_, clock_.after(timeout));
    std::vector<std::string> command = {plugin_.command};
    command.insert(command.end(), plugin_.args.begin(), plugin_.args.end());
    std::map<std::string, std::string> environment = plugin_.environment;
    environment["KUBERNETES_EXEC_INFO"] = exec_info(may_ask);
    try {
      return may_ask ? run_at_terminal(std::move(command), std::move(environment), bounded)
                     : run_alone(std::move(command), std::move(environment), bounded);
    } catch (const Stopped&) {
      stop.throw_if_stopped();
      fail("it has not ended within its time");
    }
  }

  std::string run_alone(std::vector<std::string> command, std::map<std::string, std::string> environment,
                        const Stop& stop) {
    const RunResult result = [&] {
      try {
        return run(clock_, std::move(command), {.environment = std::move(environment)}, stop);
      } catch (const Stopped&) {
        throw;
      } catch (const Error& error) {
        fail_to_start(error);
      }
    }();
    if (!result.status.ok()) fail("it " + result.status.text() + said(result.error));
    return result.out;
  }

  std::string run_at_terminal(std::vector<std::string> command, std::map<std::string, std::string> environment,
                              const Stop& stop) {
    std::optional<Process> process;
    try {
      // In our process group: another one may not read from the terminal.
      process.emplace(clock_, std::move(command),
                      ProcessOptions{.environment = std::move(environment),
                                     .in = Redirect::to_ours(),
                                     .out = Redirect::to_pipe(),
                                     .own_group = false});
    } catch (const Error& error) {
      fail_to_start(error);
    }
    std::string out;
    for (std::string piece; !(piece = process->read(stop)).empty();) out += piece;
    const ExitStatus status = process->wait(stop);
    if (!status.ok()) fail("it " + status.text() + "; what it said is above");
    return out;
  }

  std::string exec_info(bool may_ask) const {
    json::Builder info;
    info.begin_object();
    info.key("kind").string("ExecCredential");
    info.key("apiVersion").string(plugin_.api_version);
    info.key("spec").begin_object();
    if (plugin_.cluster) info.key("cluster").value(*plugin_.cluster);
    info.key("interactive").boolean(may_ask);
    info.end().end();
    return json::write(info.finish(), {.escape_html = false});
  }

  Held read(const std::string& out) const {
    const json::Value credential = [&] {
      try {
        return json::parse(out, {.duplicates = json::Duplicates::last_wins});
      } catch (const InputError& error) {
        fail("what it printed is not JSON: " + std::string(error.what()) + "; expected an ExecCredential");
      }
    }();
    const std::string_view version = credential["apiVersion"].string_or("");
    if (credential["kind"].string_or("") != "ExecCredential") {
      fail("what it printed is no ExecCredential: its kind is " + json::summary(credential["kind"]));
    }
    if (version != plugin_.api_version) {
      fail("it speaks \"" + std::string(version) + "\" and the kubeconfig says \"" + plugin_.api_version +
           "\"; set apiVersion of its entry to the first, or update the plugin");
    }
    return held_in(credential["status"]);
  }

  Held held_in(json::View status) const {
    Held held{.token = Secret(text_in(status, "token"))};
    const std::string certificate = text_in(status, "clientCertificateData");
    const std::string key = text_in(status, "clientKeyData");
    if (certificate.empty() != key.empty()) {
      fail("it printed " + std::string(key.empty() ? "clientCertificateData without clientKeyData"
                                                   : "clientKeyData without clientCertificateData"));
    }
    if (!certificate.empty()) {
      held.certificate = ClientCertificate{certificate, Secret(key)};
      held.until = end_of(certificate);
    }
    if (held.token.empty() && !held.certificate) {
      fail("what it printed has neither status.token nor status.clientCertificateData");
    }
    if (const std::string until = text_in(status, "expirationTimestamp"); !until.empty()) {
      try {
        held.until = std::min(held.until, kube::Time::parse(until).as<WallTime>());
      } catch (const InputError& error) {
        fail("status.expirationTimestamp: " + error.problem());
      }
    }
    return held;
  }

  WallTime end_of(const std::string& certificate) const {
    try {
      return net::read_certificate(certificate).not_after;
    } catch (const InputError& error) {
      fail("status.clientCertificateData: " + error.problem());
    }
  }

  std::string text_in(json::View status, std::string_view name) const {
    const json::View found = status[name];
    if (!found.exists() || found.is_null()) return {};
    // The kind alone: the value is likely to be a secret.
    if (!found.is_string()) {
      fail("status." + std::string(name) + " is " + std::string(json::describe(found.kind())) + "; expected a string");
    }
    return std::string(found.as_string());
  }

  static std::string said(const std::string& error) {
    std::string text = detail::trimmed(error);
    if (text.size() > kShownBytes) text = "..." + text.substr(text.size() - kShownBytes);
    return text.empty() ? " and said nothing" : ": " + text;
  }

  [[noreturn]] void fail_to_start(const Error& error) const {
    fail(std::string("it cannot be run: ") + error.what() +
         (plugin_.install_hint.empty() ? "" : "\n" + detail::trimmed(plugin_.install_hint)));
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error("the credential plugin \"" + plugin_.command + "\" gave no credentials: " + problem);
  }

  // Constant after construction.
  Clock& clock_;
  const ExecPlugin plugin_;
  const ExecOptions options_;
};

}  // namespace

std::shared_ptr<Credentials> exec_credentials(Clock& clock, ExecPlugin plugin, ExecOptions options) {
  const std::string& version = plugin.api_version;
  if (version != std::string(kGroup) + "v1" && version != std::string(kGroup) + "v1beta1") {
    const bool old = version == std::string(kGroup) + "v1alpha1";
    throw InputError({}, "apiVersion",
                     "\"" + version +
                         "\" is not spoken here; expected \"client.authentication.k8s.io/v1\" or "
                         "\"client.authentication.k8s.io/v1beta1\"" +
                         (old ? " (v1alpha1 was removed in Kubernetes 1.24: have the tool that wrote this entry write "
                                "it again)"
                              : ""));
  }
  return std::make_shared<ExecCredentials>(clock, std::move(plugin), std::move(options));
}

}  // namespace flyball::client
