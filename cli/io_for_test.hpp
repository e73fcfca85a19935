// A command line, its answer and a folder of its own, for tests of commands.
//
//   TestIo io;                                       // an empty temporary folder, gone in the end
//   EXPECT_EQ(io.run({"init", "--domain", "example.com"}), kOk) << io.err();
//   EXPECT_THAT(io.out(), HasSubstr("flyball create api"));
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/run.hpp"

namespace flyball::cli {

class TestIo {
 public:
  TestIo() {
    std::string name = (std::filesystem::temp_directory_path() / "flyball-cli-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~TestIo() {
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }
  TestIo(const TestIo&) = delete;
  TestIo& operator=(const TestIo&) = delete;

  int run(const std::vector<std::string>& words) {
    out_.str("");
    err_.str("");
    in_.clear();
    in_.str(input);
    Io io{.in = in_,
          .out = out_,
          .err = err_,
          .terminal = terminal,
          .folder = folder_ / inside,
          .variable = [this](const char* name) { return variables[name]; }};
    return run_command(all_commands(), words, io);
  }

  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }
  const std::filesystem::path& folder() const { return folder_; }

  void write(const std::filesystem::path& path, const std::string& text) const {
    std::filesystem::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path) << text;
  }
  std::string read(const std::filesystem::path& path) const {
    std::ifstream file(folder_ / path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  // Every file, with what it holds.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
      const std::string name = std::filesystem::relative(entry.path(), folder_).string();
      if (entry.is_regular_file()) all[name] = read(name);
    }
    return all;
  }

  std::string input = {};                             // what somebody types
  bool terminal = false;                              // somebody sits there
  std::filesystem::path inside = {};                  // where in the folder the command is called
  std::map<std::string, std::string> variables = {};  // of the environment

 private:
  std::filesystem::path folder_;
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
};

}  // namespace flyball::cli
