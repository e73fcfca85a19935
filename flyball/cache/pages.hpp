// Pages: blocks of memory of one size, straight from the system and straight back to it.
//
//   Pages pages;
//   char* block = pages.take();            // Pages::kBlock bytes
//   pages.give_back(block);                // its memory is the system's again
//
// What malloc gets back it mostly keeps, and what lies beside it keeps it there; a cache of which a half is gone should
// be half as large. Addresses are taken a region at a time and kept for the next block, so that the system has few
// mappings to look after; memory comes with the first byte that is written.
//
// Errors: std::bad_alloc. Thread-safety: none; its owner guards it. Lifetime: blocks die with it.
#pragma once

#include <cstddef>
#include <vector>

namespace flyball::cache {

class Pages {
 public:
  static constexpr std::size_t kBlock = std::size_t{32} * 1024;

  Pages() = default;
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  char* take();
  void give_back(char* block);

  // A piece of any size, with a mapping of its own: for what is much larger than a page.
  static char* map(std::size_t bytes);
  static void unmap(char* memory, std::size_t bytes);

 private:
  std::vector<char*> regions_;
  std::vector<char*> free_;
};

}  // namespace flyball::cache
