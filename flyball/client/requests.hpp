// How options stand in a request: as its query, or as its body.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "flyball/client/options.hpp"
#include "flyball/net/url.hpp"

namespace flyball::client {

// Label and field selector of lists, watches and deletions.
void add_selectors(const ListOptions& options, net::Query& query);

void add_write_options(const WriteOptions& options, const std::string& default_manager, net::Query& query);

// A DeleteOptions object, as JSON.
std::string delete_body(const DeleteOptions& options);

// "application/merge-patch+json" and its like.
std::string_view patch_content_type(PatchType type);

std::string with_query(std::string path, const net::Query& query);

}  // namespace flyball::client
