// Playground: a cluster in a box for the demo: `flyball dev` and the operator as processes of their own, and a person
// with an administrator's client.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <flyball/base/condition.hpp>
#include <flyball/base/process.hpp>
#include <flyball/client/load_config.hpp>
#include <flyball/flyball.hpp>
#include <flyball/net/http_client.hpp>

namespace demo {

class Playground {
 public:
  // Starts the cluster. `folder` is for its kubeconfig and the logs.
  Playground(std::filesystem::path programs, std::filesystem::path folder)
      : programs_(std::move(programs)), folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    start({});
    // Processes that share the machine's network would share the port too.
    if (!has_processes()) start({"--node=status"});
    config_ = flyball::client::load_config(clock_, {.kubeconfig = kubeconfig()});
    person_.emplace(flyball::Client::connect(config_, clock_, random_, {.field_manager = "person"}));
  }

  // Whether pods are processes here, each with a network of its own; if not, the greeting says why.
  bool has_processes() const { return greeting_.find("each with a network") != std::string::npos; }

  std::string kubeconfig() const { return (folder_ / "kubeconfig").string(); }
  std::string program(const std::string& name) const { return (programs_ / name).string(); }
  // What it said of itself when it was ready.
  const std::string& greeting() const { return greeting_; }
  int cluster_process() const { return cluster_->id(); }
  const flyball::Client& person() const { return *person_; }
  flyball::TimePoint now() const { return clock_.now(); }

  void run_operator(const std::string& name, const std::vector<std::string>& arguments) {
    std::vector<std::string> command{program(name), "--kubeconfig=" + kubeconfig()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    operator_.emplace(clock_, command,
                      flyball::ProcessOptions{.out = flyball::Redirect::to_null(), .error = log_file(name + ".log")});
  }
  std::string operator_log(const std::string& name) const { return content(folder_ / (name + ".log")); }

  // Looks again and again until it holds, and lets `show` show how far it is; false after `most`.
  bool becomes(const std::function<bool()>& holds, const std::function<void()>& show,
               flyball::Duration most = std::chrono::seconds(30)) {
    const flyball::TimePoint end = clock_.after(most);
    while (!holds()) {
      if (clock_.now() >= end) return false;
      show();
      flyball::pause_until(clock_, clock_.after(std::chrono::milliseconds(50)), {});
    }
    return true;
  }
  void pause(flyball::Duration time) { flyball::pause_until(clock_, clock_.after(time), {}); }

  void stop_operator() {
    if (operator_) operator_->terminate(std::chrono::seconds(10));
  }
  flyball::ExitStatus stop_cluster() { return cluster_->terminate(std::chrono::seconds(10)); }
  // Until Ctrl-C, for those who want to look around.
  void wait() { cluster_->wait({}); }

  // The lines that begin with one of these words.
  std::vector<std::string> fetch_lines(const std::string& url, const std::vector<std::string>& words) {
    flyball::net::HttpClient http(clock_);
    const flyball::Stop soon = flyball::Stop().with_deadline(clock_, clock_.after(std::chrono::seconds(5)));
    std::istringstream text(http.send(flyball::net::Url::parse(url), {}, soon).body);
    std::vector<std::string> found;
    for (std::string line; std::getline(text, line);) {
      const bool wanted = std::ranges::any_of(words, [&](const auto& word) { return line.starts_with(word); });
      if (wanted) found.push_back(line);
    }
    return found;
  }

  static std::string content(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

 private:
  flyball::Redirect log_file(const std::string& name) const {
    return flyball::Redirect::to_file((folder_ / name).string());
  }
  void start(const std::vector<std::string>& flags) {
    std::vector<std::string> command{program("flyball"), "dev", "--port=0", "--kubeconfig=" + kubeconfig()};
    command.insert(command.end(), flags.begin(), flags.end());
    cluster_.reset();
    cluster_.emplace(
        clock_, command,
        flyball::ProcessOptions{.out = flyball::Redirect::to_pipe(), .error = log_file("flyball-dev.log")});
    greeting_ += read_until("Ctrl-C");
  }
  std::string read_until(const std::string& word) {
    const flyball::Stop soon = flyball::Stop().with_deadline(clock_, clock_.after(std::chrono::seconds(30)));
    std::string text;
    while (text.find(word) == std::string::npos) {
      const std::string more = cluster_->read(soon);
      if (more.empty()) throw flyball::Error("flyball dev ended: " + content(folder_ / "flyball-dev.log"));
      text += more;
    }
    return text;
  }

  const std::filesystem::path programs_;
  const std::filesystem::path folder_;
  flyball::RealClock clock_;
  flyball::Random random_ = flyball::Random::from_os();
  std::optional<flyball::Process> cluster_;
  std::string greeting_;
  flyball::client::Config config_;
  std::optional<flyball::Client> person_;
  std::optional<flyball::Process> operator_;
};

}  // namespace demo
