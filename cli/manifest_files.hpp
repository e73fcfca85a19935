// The files of config/ and dist/, made from what an operator says of itself. Pure: the same words give the same bytes.
//
//   const Files files = manifest_files(project, documents_of(project, {"manifests"}));
//
// config/ is a kustomize layout (`kubectl apply -k config/default`); dist/install.yaml is the same in one file;
// dist/chart/ is the same as a Helm chart. Everything begins with kMadeBy and belongs to flyball, but the chart's
// Chart.yaml and values.yaml, which are made once and yours from then on (kOnce).
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "cli/project.hpp"
#include "cli/scaffold.hpp"

#include "flyball/json/value.hpp"

namespace flyball::cli {

inline constexpr std::string_view kMadeBy = "# Made by `flyball manifests`, anew each time.\n";
inline constexpr std::string_view kOnce[] = {"dist/chart/Chart.yaml", "dist/chart/values.yaml"};

// `documents` is what the operator's `manifests` prints: definitions, Namespace, ServiceAccount, roles, Deployment.
Files manifest_files(const Project& project, const std::vector<json::Value>& documents);

// The chart alone, of the same documents.
Files chart_files(const Project& project, const std::vector<json::Value>& documents,
                  const std::vector<json::Value>& extras);

}  // namespace flyball::cli
