#include "flyball/runtime/operator.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <set>

#include "flyball/json/yaml.hpp"
#include "flyball/runtime/context.hpp"
#include "flyball/runtime/version.hpp"

namespace flyball::runtime {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

void print_all(const std::vector<json::Value>& documents) {
  for (const json::Value& document : documents) std::cout << "---\n" << json::write_yaml(document);
}

}  // namespace

Operator::Operator(std::string name, std::string about)
    : name_(std::move(name)),
      image_(name_ + ":latest"),
      namespace_(name_ + "-system"),
      line_(operator_command_line(name_, about.empty() ? "A Kubernetes operator." : std::move(about), flags_)) {
  line_.flag("image", image_, {.value = "IMAGE", .help = "For manifests: the image that runs the operator."});
  line_.flag("operator-namespace", namespace_,
             {.value = "NAME", .help = "For manifests and rbac: the namespace the operator runs in."});
}

ControllerSpec& Operator::add(const client::Resource& resource) {
  auto spec = std::make_unique<ControllerSpec>();
  spec->name = lower(resource.kind.kind);
  spec->primary = resource;
  spec->source(resource).primary = true;
  return *controllers_.emplace_back(std::move(spec));
}

ControlBuilder Operator::control(std::string name, std::function<void(Context&)> function) {
  auto spec = std::make_unique<ControllerSpec>();
  spec->name = std::move(name);
  spec->run = std::move(function);
  return ControlBuilder(*controllers_.emplace_back(std::move(spec)));
}

std::string Operator::finalizer(const client::Resource& resource) const {
  return (resource.kind.group.empty() ? name_ : resource.kind.group) + "/" +
         (resource.kind.group.empty() ? "cleanup" : name_);
}

void Operator::check() const {
  std::set<std::string> names;
  std::set<std::string> cleaned;
  for (const auto& spec : controllers_) {
    if (!names.insert(spec->name).second) {
      throw Error("two controllers are called \"" + spec->name + "\"; give one of them another name with .name()");
    }
    if (!spec->has_cleanup) continue;
    const std::string kind = spec->primary->kind.to_string();
    if (!cleaned.insert(kind).second) {
      throw Error("two controllers have a cleanup of " + kind + ", and the finalizer " + finalizer(*spec->primary) +
                  " would go with the first that is done; let one of them clean up for both");
    }
  }
}

Rbac Operator::rbac() const {
  Rbac rbac;
  for (const auto& spec : controllers_) spec->add_to(rbac);
  rbac.leases();
  return rbac;
}

std::vector<json::Value> Operator::definitions() const {
  std::vector<json::Value> all;
  std::set<std::pair<std::string, std::string>> known;
  for (const Served& served : served_) {
    if (known.insert({served.kind.group, served.kind.kind}).second) all.push_back(served.definition());
  }
  for (const auto& spec : controllers_) {
    if (!spec->definition) continue;
    const kube::GroupVersionKind& kind = spec->primary->kind;
    if (known.insert({kind.group, kind.kind}).second) all.push_back(spec->definition());
  }
  return all;
}

RoleOptions Operator::roles() const {
  return {.name = name_, .namespace_ = namespace_, .namespaces = flags_.namespaces};
}

void Operator::print(const std::string& command) const {
  if (command == "version") {
    std::cout << name_ << ", with Flyball " << kVersion << "\n";
  } else if (command == "crd") {
    print_all(definitions());
  } else if (command == "rbac") {
    std::cout << rbac().yaml(roles());
  } else {
    print_all(manifests(roles(), image_));
  }
}

int Operator::run_command(int argc, const char* const* argv) {
  constexpr int kWrongUse = 2;
  Parsed parsed;
  try {
    parsed = line_.parse(argc, argv);
    if (!parsed.arguments.empty()) {
      throw InputError({}, parsed.command, "takes no arguments, and was given \"" + parsed.arguments.front() + "\"");
    }
    flags_.check();
  } catch (const Error& error) {
    std::cerr << name_ << ": " << error.what() << "\nTry `" << name_ << " --help`.\n";
    return kWrongUse;
  }
  try {
    if (parsed.help) {
      std::cout << line_.help();
    } else if (parsed.command.empty() || parsed.command == "run") {
      run_in_cluster();
    } else {
      print(parsed.command);
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << name_ << ": " << error.what() << "\n";
    return 1;
  }
}

}  // namespace flyball::runtime
