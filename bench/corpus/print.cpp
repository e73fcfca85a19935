// What a corpus is like.   corpus_print NAME COUNT [SEED] [dump]: sizes and a digest, or the objects, one on a line
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "corpus/corpus.hpp"
#include "corpus/digest.hpp"

int main(int argc, char** argv) try {
  if (argc < 3) {
    std::cerr << "usage: corpus_print NAME COUNT [SEED] [dump]\n";
    return 2;
  }
  const auto corpus = bench::make_corpus(argv[1], std::strtoull(argv[2], nullptr, 10),
                                         argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  const bool dump = argc > 4 && std::string_view(argv[4]) == "dump";
  bench::ContentDigest digest;
  std::size_t json = 0;
  std::size_t protobuf = 0;
  for (std::size_t slot = 0; slot < corpus->count(); ++slot) {
    const bench::ObjectState state{.slot = slot, .version = 1000 + slot};
    const std::string text = corpus->json(state);
    digest.add(text);
    json += text.size();
    if (corpus->resource().protobuf) protobuf += corpus->protobuf(state).size();
    if (dump) std::cout << text << "\n";
  }
  if (dump) return 0;
  const std::size_t count = std::max<std::size_t>(1, corpus->count());
  std::cout << corpus->count() << " " << corpus->resource().plural << ": " << json / count << " B of JSON, "
            << protobuf / count << " B of protobuf each, digest " << digest.text() << "\n";
} catch (const std::exception& error) {
  std::cerr << "corpus_print: " << error.what() << "\n";
  return 1;
}
