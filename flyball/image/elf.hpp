// What an executable's header says: for which machine it is, and whether it runs without anything else.
//
//   const ElfFacts facts = elf_facts(bytes);
//   if (!facts.interpreter.empty()) ...                  // it needs a loader, and shared libraries
//
// Errors: Error for what is not a 64-bit little-endian ELF file, or ends early.
//
// Thread-safety: a pure function.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flyball::image {

struct ElfFacts {
  std::string architecture = {};  // as images name it; empty: unknown
  std::string interpreter = {};   // the loader; empty: none is needed
  std::size_t loaded = 0;         // bytes from the start that the kernel needs
};

ElfFacts elf_facts(std::string_view program);

}  // namespace flyball::image
