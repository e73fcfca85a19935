// Reads: get and list. Watches are in watch.hpp.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include <optional>
#include <string>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/options.hpp"
#include "flyball/net/http.hpp"

namespace flyball::apiserver {

net::Response get(Context& context);
net::Response list(Context& context);

// The stored object in the version asked for. Throws Refusal 404.
Bytes load_text(Context& context, std::string_view name);

// Whether an object is among those that are asked for.
bool selected(const ListOptions& options, json::View object);
bool selects_everything(const ListOptions& options);

// What follows the last page: "a continue token". Opaque to clients.
struct Continue {
  Revision revision = 0;  // -1: whatever is there now
  std::string after = {};
  std::string text() const;
  // Throws Refusal 400.
  static Continue parse(std::string_view text);
};

}  // namespace flyball::apiserver
