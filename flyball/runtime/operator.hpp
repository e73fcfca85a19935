// Operator: the program. It holds what was declared, and main() does everything else.
//
//   int main(int argc, char** argv) {
//     Operator op("memcached-operator");
//     op.reconcile<Memcached>(reconcile).owns<apps::Deployment>().reads<core::Pod>();
//     return op.main(argc, argv);                          // run | manifests | crd | rbac | version
//   }
//
// A reconcile is any function of (Context&, T&): context.hpp says what it may do, reconcile_builder.hpp what else can
// be declared. An operator may have many, one for each kind.
//
// A controller that is not about objects of one kind works on keys:
//
//   op.control("nodes-to-zones", [](Context& ctx) { balance(ctx, ctx.key().name); })
//       .watches<core::Node>([](const cache::Change& change) { return keys_of_zone(change); });
//
// To run one inside another program, or in a test: operator_run.hpp, testing/environment.hpp.
//
// Thread-safety: declared by one thread, before it runs. Lifetime: outlives its runs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "flyball/json/value.hpp"
#include "flyball/kube/crd.hpp"
#include "flyball/kube/custom_resource.hpp"
#include "flyball/runtime/command_line.hpp"
#include "flyball/runtime/controller_spec.hpp"
#include "flyball/runtime/operator_flags.hpp"
#include "flyball/runtime/rbac.hpp"
#include "flyball/runtime/reconcile_builder.hpp"

namespace flyball::runtime {

namespace detail {

template <class T>
inline constexpr bool kIsCustom = false;
template <kube::Text Group, kube::Text Version, kube::Text Kind, class Spec, class Status>
inline constexpr bool kIsCustom<kube::CustomResource<Group, Version, Kind, Spec, Status>> = true;

}  // namespace detail

class Operator {
 public:
  // The name is its field manager, its ServiceAccount and what stands in its events: "memcached-operator".
  explicit Operator(std::string name, std::string about = {});
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  template <class T, class F>
    requires std::invocable<F&, Context&, T&>
  ReconcileBuilder<T> reconcile(F function) {
    ControllerSpec& spec = add(client::resource_of<T>());
    auto functions = std::make_shared<detail::Functions<T>>();
    functions->reconcile = std::move(function);
    functions->finalizer = finalizer(client::resource_of<T>());
    spec.run = [functions](Context& context) { detail::TypedPass<T>(context, *functions).run(); };
    spec.writes_status = detail::HasStatus<T> && client::resource_of<T>().status;
    if constexpr (detail::kIsCustom<T>) spec.definition = [] { return kube::crd<T>(); };
    return {spec, std::move(functions)};
  }

  // The definition of a kind that has more than one version, or no reconcile here: serves<v1::Shop, v1beta1::Shop>().
  // The first version is the one that is stored.
  template <class Stored, class... Others>
  void serves() {
    served_.push_back({client::resource_of<Stored>().kind, [] { return kube::crd<Stored, Others...>(); }});
  }

  // A pass is over a key; the maps of what it watches make them.
  ControlBuilder control(std::string name, std::function<void(Context&)> function);

  // What else the command line of the program knows: op.flags().flag("image", image, {.help = "…"}).
  CommandLine& flags() { return line_; }
  // Before main() reads the command line: what the flags are when they are not given.
  OperatorFlags& defaults() { return flags_; }

  // The exit code: 0, 1 when it could not run or lost its leadership, 2 when it was called wrongly.
  // (Inline, so that a test that includes the operator's file may call its main() by another name: -Dmain=…)
  int main(int argc, const char* const* argv) { return run_command(argc, argv); }
  int run_command(int argc, const char* const* argv);

  // Throws Error for what cannot run together: two controllers of one name, two cleanups of one kind.
  void check() const;

  const std::string& name() const { return name_; }
  const std::vector<std::unique_ptr<ControllerSpec>>& controllers() const { return controllers_; }
  Rbac rbac() const;
  // The CustomResourceDefinitions of the kinds it reconciles, unless they belong to somebody else, and of those it
  // serves. One for each kind.
  std::vector<json::Value> definitions() const;
  // All that it needs in a cluster, in the order to apply it.
  std::vector<json::Value> manifests(const RoleOptions& roles, const std::string& image) const;

 private:
  struct Served {
    kube::GroupVersionKind kind;
    std::function<json::Value()> definition;
  };

  ControllerSpec& add(const client::Resource& resource);
  std::string finalizer(const client::Resource& resource) const;
  RoleOptions roles() const;
  void print(const std::string& command) const;
  void run_in_cluster() const;

  const std::string name_;
  OperatorFlags flags_;
  std::string image_;
  std::string namespace_;
  CommandLine line_;
  std::vector<std::unique_ptr<ControllerSpec>> controllers_;
  std::vector<Served> served_;
};

}  // namespace flyball::runtime

namespace flyball {
using runtime::Operator;
}  // namespace flyball
