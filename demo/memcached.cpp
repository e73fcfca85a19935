// The demo: two structs, and what follows from them. Their definition for Kubernetes, the answer to a manifest with
// mistakes, the answer to the corrected one, and the Deployment an operator makes of it.
//
// Every step is checked; the exit status is 1 when one does not give what it should.
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <flyball/flyball.hpp>
#include <flyball/kube/apps/v1.hpp>
#include <flyball/kube/core/v1.hpp>
#include <unistd.h>

using namespace flyball;
namespace apps = kube::apps::v1;

// clang-format off: these are the lines of docs/architecture.md
struct MemcachedSpec {
  int32_t size = 1;
  std::string image = "memcached:1.6";
};
FLYBALL_DESCRIBE(MemcachedSpec,
    (size, "How many memcached pods to run.", minimum(1), maximum(10)),
    (image, "The image every pod runs."))

struct MemcachedStatus {
  std::vector<std::string> nodes;
  Conditions conditions;
};
FLYBALL_DESCRIBE(MemcachedStatus,
    (nodes, "Names of the pods that are ready."),
    (conditions, "Where the cache stands."))

using Memcached = CustomResource<"cache.example.com", "v1alpha1", "Memcached", MemcachedSpec, MemcachedStatus>;
// clang-format on

apps::Deployment deployment_for(const Memcached& m) {
  const Labels labels{{"app", "memcached"}, {"memcached_cr", m.metadata.name}};
  return {
      .metadata = {.name = m.metadata.name},
      .spec = {.replicas = m.spec.size,
               .selector = {.matchLabels = labels},
               .template_ = {.metadata = {.labels = labels},
                             .spec = {.containers = {{.name = "memcached",
                                                      .image = m.spec.image,
                                                      .ports = {{.name = "memcached", .containerPort = 11211}}}}}}},
  };
}

namespace {

constexpr std::string_view kWrong = R"(apiVersion: cache.example.com/v1alpha1
kind: Memcached
metadata:
  name: sessions
  lables:
    app: shop
spec:
  size: "3"
  image: 1.6
  sise: 4
)";

constexpr std::string_view kRight = R"(apiVersion: cache.example.com/v1alpha1
kind: Memcached
metadata:
  name: sessions
  labels:
    app: shop
spec:
  size: 3
)";

const bool kColour = isatty(STDOUT_FILENO) != 0;

std::string painted(std::string_view code, std::string_view text) {
  if (!kColour) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}
std::string red(std::string_view text) { return painted("31", text); }
std::string green(std::string_view text) { return painted("32", text); }
std::string cyan(std::string_view text) { return painted("36", text); }
std::string faint(std::string_view text) { return painted("2", text); }
std::string bold(std::string_view text) { return painted("1", text); }

void headline(std::string_view text) { std::cout << "\n" << bold(text) << "\n\n"; }

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// A line of YAML with its key in colour.
std::string yaml_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::string(line);
  const std::size_t start = line.find_first_not_of(" -");
  return std::string(line.substr(0, start)) + cyan(line.substr(start, colon - start)) + std::string(line.substr(colon));
}

void show(std::string_view yaml) {
  for (const std::string_view line : lines_of(yaml)) std::cout << "  " << yaml_line(line) << "\n";
}

// With line numbers, and under the place of each mistake a caret and what is said of it.
void show(std::string_view yaml, const std::vector<InputError>& mistakes) {
  std::size_t number = 0;
  for (const std::string_view line : lines_of(yaml)) {
    const std::string label = std::to_string(++number);
    std::cout << faint(std::string(4 - label.size(), ' ') + label + " │ ") << yaml_line(line) << "\n";
    for (const InputError& mistake : mistakes) {
      if (mistake.position().line != number) continue;
      std::cout << faint("     │ ") << std::string(mistake.position().column - 1, ' ') << red("╰ " + mistake.problem())
                << "\n";
    }
  }
}

bool all_as_expected = true;

void expect(bool holds, std::string_view what) {
  std::cout << "  " << (holds ? green("✓") : red("✗ WRONG:")) << " " << what << "\n";
  all_as_expected = all_as_expected && holds;
}

void define_it() {
  headline("1. Two C++ structs give Kubernetes this definition");
  const json::Value definition = crd<Memcached>();
  show(json::write_yaml(definition));
  std::cout << "\n";
  const json::View spec = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
  expect(spec["properties"]["size"]["default"].as_int() == MemcachedSpec().size,
         "types, defaults, bounds and descriptions are those of the structs");
}

void read_the_wrong_one() {
  headline("2. Somebody writes a manifest, and every mistake in it is told");
  try {
    reflect::decode_yaml<Memcached>(kWrong, {.strict = true});
    expect(false, "the mistakes are found");
  } catch (const reflect::DecodeError& error) {
    show(kWrong, error.problems());
    std::cout << "\n";
    expect(error.problems().size() == 4, "four mistakes, each at its place, with what to do");
  }
}

Memcached read_the_right_one() {
  headline("3. Corrected, it is a plain C++ value");
  show(kRight, {});
  const auto m = reflect::decode_yaml<Memcached>(kRight, {.strict = true});
  std::cout << "\n  m.metadata.name  " << m.metadata.name << "\n  m.spec.size      " << m.spec.size
            << "\n  m.spec.image     " << m.spec.image << faint("   the default") << "\n\n";
  expect(m.spec.size == 3 && m.spec.image == "memcached:1.6", "what was written, and the default for the rest");
  expect(semantic_equal(m, reflect::decode<Memcached>(reflect::encode(m))),
         "written as JSON and read again it is the same");
  return m;
}

void make_the_deployment(const Memcached& m) {
  headline("4. And this is the Deployment an operator makes of it");
  const apps::Deployment deployment = deployment_for(m);
  const std::string yaml = json::write_yaml(json::parse(reflect::encode(deployment)));
  show(yaml);
  std::cout << "\n";
  expect(reflect::decode_yaml<apps::Deployment>(yaml, {.strict = true}) == deployment,
         "it reads back as the same value");
}

}  // namespace

int main() {
  try {
    define_it();
    read_the_wrong_one();
    make_the_deployment(read_the_right_one());
  } catch (const Error& error) {
    expect(false, error.what());
  }
  std::cout << "\n"
            << (all_as_expected ? green("Every step did what it should.") : red("A step went wrong.")) << "\n"
            << faint("The source is demo/memcached.cpp: the structs, and all of this.") << "\n";
  return all_as_expected ? 0 : 1;
}
