// Building a project: CMake, with the Flyball that belongs to this command.
//
//   build_project(project, io, {.tests = true});
//   const auto documents = documents_of(project, io, {"crd"});         // what the operator prints about itself
//
// At a terminal the build shows its progress; elsewhere it is silent unless it fails.
//
// Errors: Error with the compiler's words. Thread-safety: one thread.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/process.hpp"
#include "cli/project.hpp"

#include "flyball/json/value.hpp"

namespace flyball::cli {

struct BuildOptions {
  bool tests = false;  // all targets, not only the operator
};

void build_project(const Project& project, Io& io, const BuildOptions& options = {});

// The YAML documents that the project's operator prints for these words.
std::vector<json::Value> documents_of(const Project& project, const Words& words);

}  // namespace flyball::cli
