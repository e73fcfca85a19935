// The json room beside nlohmann, RapidJSON, Boost.JSON and simdjson, on one realistic 12.6 kB Pod.
//
// Before any number counts, every contestant must hold the same document: the digests of all keys, strings and numbers
// must agree, also after an edit and a round trip through its own text. `tools/bench` prints the table.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "json/contestant.hpp"
#include <benchmark/benchmark.h>
#include <malloc.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace {

using bench::Contestant;
using bench::Document;

constexpr std::string_view kImage = "registry.example.com/shop/checkout:v2.14.4-rc.1";

std::vector<Contestant> contestants(const std::string& text) {
  return {bench::flyball_contestant(text),
          bench::nlohmann_contestant(text),
          bench::rapidjson_contestant(text),
          bench::rapidjson_malloc_contestant(text),
          bench::boost_contestant(text),
          bench::simdjson_dom_contestant(text),
          bench::simdjson_on_demand_contestant(text),
          bench::simdjson_on_demand_native_contestant(text)};
}

// The text a contestant wrote, brought to one form by a parser that is not its own.
std::string canonical(const std::string& text) {
  return flyball::json::write(flyball::json::parse(text), {.sort_keys = true});
}

bool check(const std::string& text) {
  bool good = true;
  const auto expect = [&good](bool holds, const std::string& name, const char* what) {
    if (!holds) std::fprintf(stderr, "json_bench: %s differs in %s\n", name.c_str(), what);
    good = good && holds;
  };
  const auto all = contestants(text);
  const auto ours = all.front().parse();
  expect(bench::simdjson_on_demand_digest(text) == ours->digest(), "simdjson on-demand", "what it reads");
  for (const auto& contestant : all) {
    if (!contestant.keeps) continue;
    const auto document = contestant.parse();
    expect(document->digest() == ours->digest(), contestant.name, "what it holds");
    expect(document->navigate() == ours->navigate(), contestant.name, "what navigation finds");
    expect(canonical(document->write()) == canonical(text), contestant.name, "what it writes");
    if (!contestant.edits) continue;
    expect(canonical(document->edit(kImage)) == canonical(ours->edit(kImage)), contestant.name, "the edited text");
    expect(document->digest() == ours->digest(), contestant.name, "the original after an edit of a copy");
    expect(document->equals(*document->copy()), contestant.name, "equality with its copy");
  }
  return good;
}

// Bytes that malloc has handed out, with its own headers.
std::size_t bytes_in_use() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::size_t bytes_held(const Contestant& contestant) {
  constexpr std::size_t kCopies = 1000;
  std::vector<std::unique_ptr<Document>> documents(kCopies);
  contestant.parse();  // what the library sets up once does not count
  const std::size_t before = bytes_in_use();
  for (auto& document : documents) document = contestant.parse();
  return (bytes_in_use() - before) / kCopies;
}

template <class Work>
void add(const std::string& what, const std::string& who, Work work) {
  benchmark::RegisterBenchmark((what + "/" + who).c_str(), [work](benchmark::State& state) { work(state); });
}

template <class Call>
auto repeated(Call call) {
  return [call](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(call());
  };
}

void add_all(const Contestant& contestant, std::size_t text_size) {
  const std::string& who = contestant.name;
  add("parse", who, [contestant, text_size](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(contestant.parse_once());
    state.SetBytesProcessed(static_cast<std::int64_t>(text_size) * state.iterations());
  });
  if (!contestant.keeps) return;
  const std::shared_ptr<Document> document = contestant.parse();
  add("navigate", who, repeated([document] { return document->navigate(); }));
  add("serialise", who, repeated([document] { return document->write(); }));
  add("bytes held", who, [contestant](benchmark::State& state) {
    const std::size_t bytes = bytes_held(contestant);
    for (auto _ : state) benchmark::ClobberMemory();
    state.counters["bytes"] = static_cast<double>(bytes);
  });
  if (!contestant.edits) return;
  add("copy, edit, serialise", who, repeated([document] { return document->edit(kImage); }));
  add("copy", who, repeated([document] { return document->copy(); }));
  const std::shared_ptr<Document> other = contestant.parse();
  add("compare equal", who, repeated([document, other] { return document->equals(*other); }));
}

}  // namespace

int main(int argc, char** argv) {
  std::ifstream file(FLYBALL_SOURCE_DIR "/tests/data/pod.json", std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.empty() || !check(text)) {
    std::fprintf(stderr, "json_bench: no figures, the contestants do not agree\n");
    return 1;
  }
  for (const auto& contestant : contestants(text)) add_all(contestant, text.size());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
