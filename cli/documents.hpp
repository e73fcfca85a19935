// The objects in files, as -f names them: a file, a folder of .yaml, .yml and .json files, or - for standard input.
//
//   for (const Document& document : read_documents({"dist/install.yaml"}, io)) apply(document.object);
//
// Lists are taken apart. They come in the order in which they can be made: namespaces first, then
// CustomResourceDefinitions, then accounts and roles, then the rest as written, admission webhooks last.
//
// Errors: Error with the file and the line.
//
// Thread-safety: pure functions of the files.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

#include "flyball/json/value.hpp"

namespace flyball::cli {

struct Document {
  json::Value object = {};
  std::string source = {};  // for messages
};

std::vector<Document> read_documents(const std::vector<std::string>& paths, Io& io, bool recursive = false);

}  // namespace flyball::cli
