// The typed codecs on a Pod of 12 kB: JSON, protobuf, and metadata alone. bench/codec_run puts Go and Rust beside it.
//
//   kube_bench --encode json|protobuf     the Pod, decoded and encoded again: proof that everybody does the same work
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>

#include "flyball/json/parse.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/metadata.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"

namespace {

using namespace flyball;
using kube::core::v1::Pod;

const std::string& pod_text() {
  static const std::string text = [] {
    std::ifstream file(FLYBALL_SOURCE_DIR "/tests/data/pod.json");
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
  }();
  return text;
}

const Pod& pod() {
  static const Pod pod = reflect::decode<Pod>(pod_text());
  return pod;
}

const std::string& pod_bytes() {
  static const std::string bytes = kube::to_protobuf(pod());
  return bytes;
}

void count(benchmark::State& state, const std::string& bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(bytes.size()));
}

void json_decode_pod(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(reflect::decode<Pod>(pod_text()));
  count(state, pod_text());
}
BENCHMARK(json_decode_pod);

void json_encode_pod(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(reflect::encode(pod()));
  count(state, pod_text());
}
BENCHMARK(json_encode_pod);

void protobuf_decode_pod(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(kube::from_protobuf<Pod>(pod_bytes()));
  count(state, pod_bytes());
}
BENCHMARK(protobuf_decode_pod);

void protobuf_encode_pod(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(kube::to_protobuf(pod()));
  count(state, pod_bytes());
}
BENCHMARK(protobuf_encode_pod);

void protobuf_metadata(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(kube::metadata_of(pod_bytes()));
}
BENCHMARK(protobuf_metadata);

void json_metadata(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(kube::metadata_of(pod_text()));
}
BENCHMARK(json_metadata);

void protobuf_to_dynamic_json(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(kube::protobuf_to_json(pod_bytes()));
  count(state, pod_bytes());
}
BENCHMARK(protobuf_to_dynamic_json);

void dynamic_json_to_protobuf(benchmark::State& state) {
  const json::Value value = json::parse(pod_text());
  for (auto _ : state) benchmark::DoNotOptimize(kube::json_to_protobuf(value));
  count(state, pod_bytes());
}
BENCHMARK(dynamic_json_to_protobuf);

void copy_pod(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Pod(pod()));
}
BENCHMARK(copy_pod);

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--encode") {
    const bool protobuf = std::string_view(argv[2]) == "protobuf";
    std::cout << (protobuf ? kube::to_protobuf(kube::from_protobuf<Pod>(pod_bytes())) : reflect::encode(pod()));
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
