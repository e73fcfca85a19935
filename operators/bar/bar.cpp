// Bar: the smallest operator that does something. It keeps what a Bar says in a ConfigMap of the same name.
#include <flyball/flyball.hpp>
#include <flyball/kube/core/v1.hpp>

using namespace flyball;
namespace core = kube::core::v1;

struct BarSpec {
  std::string foo;
};
FLYBALL_DESCRIBE(BarSpec, (foo, "What the ConfigMap says.", optional))

struct BarStatus {
  std::string configMap;
};
FLYBALL_DESCRIBE(BarStatus, (configMap, "Where it says it.", optional))

using Bar = CustomResource<"foo.abc.com", "v1", "Bar", BarSpec, BarStatus>;

void reconcile(Context& ctx, Bar& bar) {
  ctx.log().info("reconciling");  // … object=default/bar-sample
  ctx.apply(core::ConfigMap{.metadata = {.name = bar.metadata.name}, .data = {{"foo", bar.spec.foo}}});
  bar.status.configMap = bar.metadata.name;
}

void setup(Operator& op) { op.reconcile<Bar>(reconcile).owns<core::ConfigMap>(); }

int main(int argc, char** argv) {
  Operator op("bar-operator", "Keeps what a Bar says in a ConfigMap.");
  setup(op);
  return op.main(argc, argv);
}
