// A script of the differential suite: requests in a plain text file, one file per case.
//
//   # What the case shows, in a sentence.
//   === create
//   POST /api/v1/namespaces/{ns}/pods
//
//   apiVersion: v1
//   kind: Pod
//   metadata: {name: web}
//
//   === second
//   GET /api/v1/namespaces/{ns}/pods
//     ?resourceVersion={create.metadata.resourceVersion}
//   Accept: application/yaml
//
// README.md tells the whole format. Errors: InputError with the line. Thread-safety: values and pure functions.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/net/http.hpp"

namespace flyball::differential {

struct Step {
  enum class Kind {
    request,  // GET, POST, …
    watch,    // opens a watch that later steps read
    events,   // takes events from one
    until,    // a GET, asked again until it answers as wished
    forget,   // the server keeps no old version of anything
  };

  std::string name;
  Kind kind = Kind::request;
  std::string method = {};
  std::string target = {};
  net::Headers headers = {};  // without those that speak to the runner
  std::string body = {};      // as it stands in the file

  bool raw = false;                    // Body: raw
  std::string from = {};               // From: <step>
  std::vector<std::string> show = {};  // Show: code, spec, metadata.name

  std::string watch = {};      // events: which watch
  std::size_t count = 0;       // events: how many; 0: to the end of the stream
  bool bookmarks = false;      // events: bookmarks count
  std::string condition = {};  // until: "200", or "status.phase=Active"
};

struct Script {
  std::string about;  // the comment at its top
  std::vector<Step> steps;
};

Script parse_script(std::string_view text);

// The documents of a body: what stands between lines of three dashes.
std::vector<std::string> documents_of(std::string_view body);

// Replaces every `{words}` for which `lookup` has something (it answers null otherwise), and `{x*100}` by that many x.
std::string expand(std::string_view text, const std::function<const std::string*(std::string_view)>& lookup);

// What people write in a query, as it goes over the wire.
std::string encode_target(std::string_view target);

}  // namespace flyball::differential
