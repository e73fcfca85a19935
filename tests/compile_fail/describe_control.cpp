// The positive control of the describe_* cases: everything they get wrong, right.
#include "flyball/reflect/describe.hpp"

enum class Mode { on, off };
FLYBALL_ENUM(Mode, (on, "On"), (off, "Off"))

struct Percent {
  int32_t value = 0;
};
FLYBALL_WRAP(Percent, value, "A share.", minimum(0), maximum(100))

struct Port {
  std::string name;
  int32_t number = 0;
};
FLYBALL_DESCRIBE(Port, (self, "A door.", struct_type("atomic")), (name, "What it is called.", pattern("^[a-z()]+$")),
                 (number, "Which.", minimum(1), exclusive_maximum(65536), multiple_of(1)))

struct Common {
  std::map<std::string, std::string> labels;
};
FLYBALL_DESCRIBE(Common, (labels, "Labels.", map_type("atomic"), min_properties(0), max_properties(9),
                          items(min_length(0), max_length(63))))

struct Spec {
  std::vector<Port> ports;
  std::vector<std::string> hosts;
  std::variant<std::monostate, Port, Common> source;
  Common common;
  Mode mode = Mode::on;
  std::optional<Percent> share;
  std::optional<int32_t> size;
  flyball::json::Value object;
  std::string class_;
};
FLYBALL_DESCRIBE(Spec, (self, "Right.", exactly_one_of("share", "size"), rule("true", {.reason = "FieldValueInvalid"})),
                 (ports, "Doors.", list_type("map"), list_map_key("name"), min_items(1), max_items(3)),
                 (hosts, "Hosts.", list_type("set"), unique_items), (source, "From.", alternatives("port", "common")),
                 (common, "Common.", inlined), (mode, "Mode."), (share, "Share.", nullable), (size, "Size."),
                 (object, "Any object.", embedded_resource, preserve_unknown), (class_, "Class.", json_name("klass")))
