// Leaving out of an object what nobody reads: metadata.managedFields, which is a third of a Pod.
//
//   bytes = without_managed_fields(bytes, format, buffer);
//
// It works on the bytes and decodes nothing. Errors: InputError when the bytes are damaged.
// Thread-safety: a pure function.
#pragma once

#include <string>
#include <string_view>

#include "flyball/client/wire.hpp"

namespace flyball::cache {

// The same object without them, in `buffer`; `bytes` itself when it has none.
std::string_view without_managed_fields(std::string_view bytes, client::Format format, std::string& buffer);

}  // namespace flyball::cache
