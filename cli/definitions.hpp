// CustomResourceDefinitions in a cluster: put there, and taken away with every object of them.
//
//   install_definitions(client, clock, documents, io.out);              // server-side apply, until they are served
//   uninstall_definitions(client, clock, documents, {.force = true}, io);
//
// Errors: those of the client, and Error when a definition is refused or does not go. Thread-safety: one thread.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/command.hpp"

#include "flyball/base/clock.hpp"
#include "flyball/client/client.hpp"
#include "flyball/json/value.hpp"

namespace flyball::cli {

void install_definitions(const client::Client& client, Clock& clock, const std::vector<json::Value>& definitions,
                         std::ostream& out);

struct UninstallOptions {
  bool force = false;                            // finalizers that nobody serves are taken away
  Duration patience = std::chrono::seconds(60);  // for objects that are being cleaned up
};

// First the objects, so that the operator can clean up after them; then the definitions.
void uninstall_definitions(const client::Client& client, Clock& clock, const std::vector<json::Value>& definitions,
                           const UninstallOptions& options, std::ostream& out);

// How many objects of these kinds there are.
std::size_t count_objects(const client::Client& client, const std::vector<json::Value>& definitions);

}  // namespace flyball::cli
