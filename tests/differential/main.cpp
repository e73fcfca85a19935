// flyball_differential_tests [--record | --check] [case…]: without a flag, every case is a test of our own server.
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "suite.hpp"
#include "target.hpp"
#include <gtest/gtest.h>

#include "flyball/base/clock.hpp"
#include "flyball/base/error.hpp"

namespace flyball::differential {
namespace {

RealClock& real_clock() {
  static RealClock clock;
  return clock;
}

class CaseTest : public ::testing::Test {
 public:
  CaseTest(std::string directory, std::string name) : directory_(std::move(directory)), name_(std::move(name)) {}

  void TestBody() override {
    const std::string wrong = verify(real_clock(), directory_, name_);
    if (!wrong.empty()) ADD_FAILURE() << name_ << " is not answered as by kube-apiserver:\n" << wrong;
  }

 private:
  const std::string directory_;
  const std::string name_;
};

void register_cases(const std::string& directory) {
  if (embedded_target(real_clock()) == nullptr) {
    std::cerr << "differential: no embedded server yet: its cases are not run\n";
    return;
  }
  for (const std::string& name : case_names(directory)) {
    [[maybe_unused]] const auto slash = name.find('/');
#ifndef __clang_analyzer__  // it takes what RegisterTest keeps for good as lost
    ::testing::RegisterTest(("Differential_" + name.substr(0, slash)).c_str(), name.substr(slash + 1).c_str(), nullptr,
                            nullptr, __FILE__, __LINE__, [directory, name] { return new CaseTest(directory, name); });
#endif
  }
}

// `--record list/ watch/from_zero` does what it says with the cases whose names begin so.
int with_the_real_server(const std::string& mode, const Filters& filters, const std::string& directory) {
  for (const std::string& filter : filters) {
    if (case_names(directory, {filter}).empty()) throw Error("there is no case whose name begins with " + filter);
  }
  const int wrong = (mode == "--record" ? record : check)(real_clock(), directory, filters);
  if (wrong != 0) std::cerr << "differential: " << wrong << " cases are wrong\n";
  return wrong == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  const std::string directory = FLYBALL_DIFFERENTIAL_DIR;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && (arguments[0] == "--record" || arguments[0] == "--check")) {
    return with_the_real_server(arguments[0], {arguments.begin() + 1, arguments.end()}, directory);
  }
  ::testing::InitGoogleTest(&argc, argv);
  register_cases(directory);
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace flyball::differential

int main(int argc, char** argv) {
  try {
    return flyball::differential::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "differential: " << error.what() << '\n';
    return 1;
  }
}
