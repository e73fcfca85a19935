// Small files, read whole.
#pragma once

#include <string>
#include <string_view>

namespace flyball::client::detail {

// Throws InputError that names the file and what the system says of it.
std::string read_file(const std::string& path);

// Without white space at both ends.
std::string trimmed(std::string_view text);

}  // namespace flyball::client::detail
