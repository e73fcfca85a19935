// A custom resource with every shape a description knows, for the room's tests.
#pragma once

#include <charconv>

#include "flyball/json/reader.hpp"
#include "flyball/json/text_writer.hpp"
#include "flyball/reflect/describe.hpp"

namespace database_example {

// "64Mi" on the wire.
struct Mebibytes {
  std::int64_t count = 0;
  friend bool operator==(const Mebibytes&, const Mebibytes&) = default;
};

}  // namespace database_example

template <>
struct flyball::reflect::Scalar<database_example::Mebibytes> {
  static constexpr std::string_view kName = "Mebibytes";
  static constexpr std::string_view kSchema = R"({"type":"string","pattern":"^[0-9]+Mi$"})";
  static void decode(json::Reader& from, database_example::Mebibytes& to) {
    if (from.peek() != json::Kind::string) from.fail("expected a size like \"64Mi\", found " + std::string(from.raw()));
    const std::string text(from.string());
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, to.count);
    if (error == std::errc() && to.count >= 0 && std::string_view(at, end) == "Mi") return;
    from.fail("expected a size like \"64Mi\", found \"" + text + "\"");
  }
  static void encode(const database_example::Mebibytes& from, json::TextWriter& to) {
    to.string(std::to_string(from.count) + "Mi");
  }
  static bool empty(const database_example::Mebibytes& of) { return of.count == 0; }
};

namespace database_example {

enum class Engine { postgres, mysql, sqlite };
FLYBALL_ENUM(Engine, (postgres, "PostgreSQL"), (mysql, "MySQL"), (sqlite, "SQLite"))

struct Percent {
  std::int32_t value = 0;
  friend bool operator==(const Percent&, const Percent&) = default;
};
FLYBALL_WRAP(Percent, value, "A share of the whole.", minimum(0), maximum(100))

struct Metadata {
  std::string name;
  std::string namespace_;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> annotations;
  friend bool operator==(const Metadata&, const Metadata&) = default;
};
FLYBALL_DESCRIBE(Metadata, (name, "Its name."), (namespace_, "Where it lives.", optional), (labels, "To select it by."),
                 (annotations, "Notes."))

struct Port {
  std::string name;
  std::int32_t containerPort = 0;
  bool exposed = false;
  friend bool operator==(const Port&, const Port&) = default;
};
FLYBALL_DESCRIBE(Port, (name, "What it is called.", min_length(1)),
                 (containerPort, "Which.", minimum(1), maximum(65535)), (exposed, "Reachable from outside."))

struct Volume {
  std::string claim;
  Mebibytes size{64};
  friend bool operator==(const Volume&, const Volume&) = default;
};
FLYBALL_DESCRIBE(Volume, (claim, "The claim it comes from."), (size, "How large."))

struct Memory {
  std::uint32_t pages = 0;
  friend bool operator==(const Memory&, const Memory&) = default;
};
FLYBALL_DESCRIBE(Memory, (pages, "How many.", optional))

struct Backup {
  std::string schedule = "@daily";
  std::uint64_t keepBytes = 0;
  std::vector<std::string> targets;
  friend bool operator==(const Backup&, const Backup&) = default;
};
FLYBALL_DESCRIBE(Backup, (schedule, "When."), (keepBytes, "How much to keep.", optional), (targets, "Where to."))

struct Scheduling {
  std::map<std::string, std::string> nodeSelector;
  std::string priorityClassName;
  friend bool operator==(const Scheduling&, const Scheduling&) = default;
};
FLYBALL_DESCRIBE(Scheduling, (nodeSelector, "Which nodes."), (priorityClassName, "How urgent.", optional))

struct Shard {
  std::string range;
  std::vector<Shard> split;
  flyball::Box<Shard> mirror;
  friend bool operator==(const Shard&, const Shard&) = default;
};
FLYBALL_DESCRIBE(Shard, (range, "Which keys."), (split, "Its parts."), (mirror, "Its copy."))

struct DatabaseSpec {
  Engine engine = Engine::postgres;
  std::int32_t replicas = 1;
  std::string image = "postgres:17";
  double cacheRatio = 0.25;
  std::optional<std::int64_t> maxConnections;
  std::vector<Port> ports;
  std::map<std::string, Percent> weights;
  std::map<std::string, std::vector<std::int32_t>> slots;
  std::variant<std::monostate, Volume, Memory> storage;
  flyball::Box<Backup> backup;
  Backup archive{.schedule = "@yearly", .keepBytes = 1024, .targets = {"tape"}};
  Scheduling scheduling;
  Mebibytes memory{256};
  Shard shards;
  bool paused = false;
  flyball::json::Value settings;
  std::string class_;
  friend bool operator==(const DatabaseSpec&, const DatabaseSpec&) = default;
};
FLYBALL_DESCRIBE(DatabaseSpec, (engine, "Which server."), (replicas, "How many.", minimum(1), maximum(9)),
                 (image, "What to run."), (cacheRatio, "Share of the memory.", minimum(0), maximum(1)),
                 (maxConnections, "At most."), (ports, "Doors.", list_type("map"), list_map_key("name")),
                 (weights, "By zone."), (slots, "By node.", items(items(minimum(0)))),
                 (storage, "Where the data is.", alternatives("volume", "memory")), (backup, "Copies."),
                 (archive, "Copies for ever."), (scheduling, "Where it runs.", inlined), (memory, "How much."),
                 (shards, "Parts.", optional), (paused, "Hold."),
                 (settings, "Passed on as they are.", preserve_unknown),
                 (class_, "Of service.", optional, json_name("serviceClass")))

struct Database {
  std::string apiVersion;
  std::string kind;
  Metadata metadata;
  DatabaseSpec spec;
  friend bool operator==(const Database&, const Database&) = default;
};
FLYBALL_DESCRIBE(Database, (apiVersion, "The version of this form."), (kind, "Database."), (metadata, "Who it is."),
                 (spec, "What is wanted."))

}  // namespace database_example
