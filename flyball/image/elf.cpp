#include "flyball/image/elf.hpp"

#include <algorithm>
#include <cstdint>

#include "flyball/base/error.hpp"
#include "flyball/image/build.hpp"

namespace flyball::image {
namespace {

constexpr std::size_t kHeader = 64;
constexpr std::size_t kProgramHeader = 56;
constexpr std::uint64_t kInterpreter = 3;

std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t size) {
  if (at > bytes.size() || size > bytes.size() - at) throw Error("the executable ends in the middle of its headers");
  std::uint64_t value = 0;
  for (std::size_t i = size; i > 0; --i) value = (value << 8U) | static_cast<unsigned char>(bytes[at + i - 1]);
  return value;
}

std::string architecture_of(std::uint64_t machine) {
  switch (machine) {
    case 62: return "amd64";
    case 183: return "arm64";
    case 243: return "riscv64";
    case 21: return "ppc64le";
    default: return "";
  }
}

}  // namespace

ElfFacts elf_facts(std::string_view program) {
  if (program.size() < kHeader ||
      !program.starts_with("\x7f"
                           "ELF") ||
      program[4] != 2 || program[5] != 1) {
    throw Error("it is not a 64-bit Linux executable");
  }
  ElfFacts facts{.architecture = architecture_of(number(program, 18, 2))};
  const std::uint64_t table = number(program, 32, 8);
  const std::uint64_t count = number(program, 56, 2);
  if (number(program, 54, 2) != kProgramHeader || table > program.size())
    throw Error("the executable has no program headers");
  facts.loaded = std::max(kHeader, table + count * kProgramHeader);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t header = table + i * kProgramHeader;
    const std::uint64_t begin = number(program, header + 8, 8);
    const std::uint64_t size = number(program, header + 32, 8);
    if (begin > program.size() || size > program.size() - begin) throw Error("the executable ends in the middle");
    facts.loaded = std::max<std::size_t>(facts.loaded, begin + size);
    if (number(program, header, 4) != kInterpreter) continue;
    facts.interpreter = program.substr(begin, size);
    facts.interpreter.resize(std::min(facts.interpreter.find('\0'), facts.interpreter.size()));
  }
  return facts;
}

std::string stripped(std::string_view program) {
  std::string part(program.substr(0, elf_facts(program).loaded));
  // No section headers: where they would stand, how many, and which of them has the names.
  std::fill_n(part.begin() + 40, 8, '\0');
  std::fill_n(part.begin() + 60, 4, '\0');
  return part;
}

}  // namespace flyball::image
