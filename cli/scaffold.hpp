// The files of a project and of its kinds, as texts. Pure: the same project gives the same files.
//
//   add_project(project, plan);                    // flyball init
//   add_api(project, api, plan);                   // flyball create api
//   paths_of(project, api);                        // what belongs to that kind: flyball delete api
//
// Thread-safety: pure functions.
#pragma once

#include <map>
#include <string>

#include "cli/file_plan.hpp"
#include "cli/project.hpp"

namespace flyball::cli {

using Files = std::map<std::string, std::string>;

// Everything that `init` makes.
Files project_files(const Project& project);
// What a kind in one version adds: types, sample, and, with the first version, controller and test.
Files api_files(const Project& project, const Api& api);
// The files that list the kinds: src/apis.cpp and flyball.yaml.
Files list_files(const Project& project);

}  // namespace flyball::cli
