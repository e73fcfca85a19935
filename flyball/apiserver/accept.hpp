// Accept: how an answer shall look, as the client's Accept header asks for it.
//
//   const Accept accept = negotiate(call, {.protobuf = true});
//   accept.format      // Encoding::protobuf
//   accept.as          // Shape::table, when the client prints
//
// The first clause (by its quality) that can be served counts; when none can, the client gets 406.
//
// Thread-safety: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "flyball/apiserver/call.hpp"

namespace flyball::apiserver {

enum class Encoding : std::uint8_t { json, yaml, protobuf };
// What becomes of the objects: as they are, only their metadata, rows to print.
enum class Projection : std::uint8_t { object, metadata, table };

struct Accept {
  Encoding format = Encoding::json;
  Projection as = Projection::object;
  std::string version = "v1";  // of meta.k8s.io, for metadata and tables
  bool pretty = false;

  // "application/json", with the projection's parameters.
  std::string content_type() const;
  // The same for a stream of events.
  std::string stream_type() const;
};

struct AcceptOptions {
  bool protobuf = true;     // built-in kinds have it, custom resources do not
  bool projections = true;  // tables and metadata make sense
};

Accept negotiate(const Call& call, const AcceptOptions& options = {});
// The same where a wrong header must not matter: the Status of a refusal.
Accept negotiate_status(const Call& call);

// The clauses of an Accept header, best first: "application/json;as=Table" and the like.
struct AcceptClause {
  std::string type = {};  // "application/json"
  std::vector<std::pair<std::string, std::string>> params = {};
  double quality = 1.0;
  std::string_view param(std::string_view name) const noexcept;
};
std::vector<AcceptClause> parse_accept(std::string_view header);

}  // namespace flyball::apiserver
