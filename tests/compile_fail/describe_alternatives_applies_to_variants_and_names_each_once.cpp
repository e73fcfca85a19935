// Two alternatives, one name.
// expect-error: function '[a-z_: ]*alternatives_applies_to_variants_and_names_each_once
#include "flyball/reflect/describe.hpp"

struct Port {
  std::string name;
};
FLYBALL_DESCRIBE(Port, (name, "What it is called."))

struct Disk {
  std::string path;
};
FLYBALL_DESCRIBE(Disk, (path, "Where."))

struct Spec {
  std::variant<Port, Disk> source;
};
FLYBALL_DESCRIBE(Spec, (source, "A field.", alternatives("port")))
