#include "flyball/cache/pages.hpp"

#include <new>

#include <sys/mman.h>

namespace flyball::cache {
namespace {

constexpr std::size_t kRegion = std::size_t{1024} * 1024;

}  // namespace

char* Pages::map(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Two megabytes for the first byte of a block is not what we came for.
  (void)::madvise(memory, bytes, MADV_NOHUGEPAGE);
  return static_cast<char*>(memory);
}

void Pages::unmap(char* memory, std::size_t bytes) { (void)::munmap(memory, bytes); }

Pages::~Pages() {
  for (char* region : regions_) unmap(region, kRegion);
}

char* Pages::take() {
  if (free_.empty()) {
    // Room for all of them: giving back must not fail.
    free_.reserve((regions_.size() + 1) * (kRegion / kBlock));
    regions_.reserve(regions_.size() + 1);
    char* region = map(kRegion);
    regions_.push_back(region);
    for (std::size_t at = kRegion; at > 0; at -= kBlock) free_.push_back(region + at - kBlock);
  }
  char* block = free_.back();
  free_.pop_back();
  return block;
}

void Pages::give_back(char* block) {
  (void)::madvise(block, kBlock, MADV_DONTNEED);
  free_.push_back(block);
}

}  // namespace flyball::cache
