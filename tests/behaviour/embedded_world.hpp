// The world of the embedded server: one thread, virtual time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "world.hpp"

#include "flyball/testing/environment.hpp"

namespace flyball::behaviour {

class EmbeddedWorld final : public World {
 public:
  explicit EmbeddedWorld(std::optional<std::uint64_t> seed = {}) : seed_(seed) {}

  void declare(const Setup& setup, WorldOptions options = {}) override;
  void start() override { env().start(); }
  void stop() override { env().crash(); }
  void start_second() override;
  void end_first() override { env().end(); }
  std::string first_ended_with() override { return first_ended_with_; }
  const Client& person() override { return env().client(); }
  const std::string& ns() const override { return ns_; }
  std::string make_namespace(const std::string& name) override;
  void install(const json::Value& definition) override;
  void set_namespaces(std::vector<std::string> namespaces) override {
    run().cache().set_namespaces(std::move(namespaces));
  }
  void settle() override;
  void go_on(std::size_t steps) override;
  void until(const std::string& what, const std::function<bool()>& is_so) override;
  void cut_off() override;
  void connect_again() override { env().transport().set_down(false); }
  void forget_the_past() override;
  void server_down() override { cut_off(); }
  void server_up() override { connect_again(); }
  void wait(Duration time) override { advance(time); }
  OperatorRun& run() override { return env().run(); }
  const Metrics& metrics() override { return env().metrics(); }

  testing::Environment& env() { return env_.value(); }

 private:
  void advance(Duration time);
  // Lets the first replica go on; one that leads no more has ended.
  void of_the_first(const std::function<void()>& go_on);

  const std::string ns_ = "default";
  const std::optional<std::uint64_t> seed_;
  std::optional<testing::Environment> env_;
  std::string first_ended_with_;
  Random random_{2};
  std::unique_ptr<OperatorRun> second_;
};

}  // namespace flyball::behaviour
