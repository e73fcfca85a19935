// Objects applied to a cluster and deleted from it, one after the other, with a line for each.
//
// Errors: Error that names the file and the object. Thread-safety: one thread.
#pragma once

#include <string>
#include <vector>

#include "cli/access.hpp"
#include "cli/documents.hpp"

namespace flyball::cli {

struct ApplyingOptions {
  bool force = false;    // take over fields that others own
  bool dry_run = false;  // the server says what it would do
};

// Server-side apply. After CustomResourceDefinitions it waits until the server serves them.
void apply_documents(Access& access, const std::vector<Document>& documents, const ApplyingOptions& options, Io& io);

// Waits until the object is gone. The deadline passing is an Error that says what holds it.
void wait_until_gone(Access& access, const client::Resource& resource, const kube::ObjectKey& key, const Stop& stop);

// The resource and the key of an object in a file, with the namespace of choice where it names none.
struct Place {
  client::Resource resource = {};
  kube::ObjectKey key = {};
};
Place place_of(Access& access, const Document& document);

}  // namespace flyball::cli
