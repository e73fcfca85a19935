#include <algorithm>
#include <array>

#include "flyball/base/detail/regex_parse.hpp"

namespace flyball::detail {
namespace {

constexpr char32_t kLast = 0x10FFFF;

struct Named {
  std::string_view name;
  Regex::Class characters;
};

const std::array<Named, 15>& named_classes() {
  static const std::array<Named, 15> classes = {{
      {"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
      {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
      {"ascii", {{0, 0x7F}}},
      {"blank", {{'\t', '\t'}, {' ', ' '}}},
      {"cntrl", {{0, 0x1F}, {0x7F, 0x7F}}},
      {"digit", {{'0', '9'}}},
      {"graph", {{'!', '~'}}},
      {"lower", {{'a', 'z'}}},
      {"print", {{' ', '~'}}},
      {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
      {"space", {{'\t', '\r'}, {' ', ' '}}},
      {"perl space", {{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}}},
      {"upper", {{'A', 'Z'}}},
      {"word", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
      {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
  }};
  return classes;
}

// Exact for ASCII and Latin-1; by blocks beyond.
const std::array<Named, 24>& unicode_classes() {
  static const std::array<Named, 24> classes = {{
      {"L",
       {{'A', 'Z'},       {'a', 'z'},         {0xAA, 0xAA},       {0xB5, 0xB5},      {0xBA, 0xBA},     {0xC0, 0xD6},
        {0xD8, 0xF6},     {0xF8, 0x2C1},      {0x370, 0x373},     {0x376, 0x1FFF},   {0x2C00, 0x2DFF}, {0x3005, 0x3006},
        {0x3031, 0x3035}, {0x3041, 0xD7FF},   {0xF900, 0xFDFF},   {0xFE70, 0xFEFC},  {0xFF21, 0xFF3A}, {0xFF41, 0xFF5A},
        {0xFF66, 0xFFDC}, {0x10000, 0x1CFFF}, {0x1E000, 0x1EFFF}, {0x20000, 0x323AF}}},
      {"Lu", {{'A', 'Z'}, {0xC0, 0xD6}, {0xD8, 0xDE}, {0x391, 0x3AB}, {0x400, 0x42F}}},
      {"Ll", {{'a', 'z'}, {0xB5, 0xB5}, {0xDF, 0xF6}, {0xF8, 0xFF}, {0x3AC, 0x3CE}, {0x430, 0x45F}}},
      {"Lo", {{0xAA, 0xAA}, {0xBA, 0xBA}, {0x5D0, 0x64A}, {0x3041, 0xD7FF}, {0x20000, 0x323AF}}},
      {"M", {{0x300, 0x36F}, {0x483, 0x489}, {0x591, 0x5BD}, {0x20D0, 0x20F0}, {0xFE00, 0xFE0F}}},
      {"N", {{'0', '9'}, {0xB2, 0xB3}, {0xB9, 0xB9}, {0xBC, 0xBE}, {0x660, 0x669}, {0x2070, 0x2079}, {0x2150, 0x2189}}},
      {"Nd", {{'0', '9'}, {0x660, 0x669}, {0x6F0, 0x6F9}, {0x966, 0x96F}, {0xFF10, 0xFF19}}},
      {"P",
       {{'!', '#'},
        {'%', '*'},
        {',', '/'},
        {':', ';'},
        {'?', '@'},
        {'[', ']'},
        {'_', '_'},
        {'{', '{'},
        {'}', '}'},
        {0xA1, 0xA1},
        {0xA7, 0xA7},
        {0xAB, 0xAB},
        {0xB6, 0xB7},
        {0xBB, 0xBB},
        {0xBF, 0xBF},
        {0x2010, 0x2027},
        {0x2030, 0x205E},
        {0x3001, 0x3003}}},
      {"Pc", {{'_', '_'}, {0x203F, 0x2040}}},
      {"Pd", {{'-', '-'}, {0x2010, 0x2015}}},
      {"S", {{'$', '$'},     {'+', '+'},       {'<', '>'},       {'^', '^'},       {'`', '`'},
             {'|', '|'},     {'~', '~'},       {0xA2, 0xA6},     {0xA8, 0xA9},     {0xAC, 0xAC},
             {0xAE, 0xB1},   {0xB4, 0xB4},     {0xB8, 0xB8},     {0xD7, 0xD7},     {0xF7, 0xF7},
             {0x2C2, 0x2DF}, {0x20A0, 0x20C0}, {0x2100, 0x214F}, {0x2190, 0x2BFF}, {0x1F000, 0x1FAFF}}},
      {"Sc", {{'$', '$'}, {0xA2, 0xA5}, {0x20A0, 0x20C0}}},
      {"Sm", {{'+', '+'}, {'<', '>'}, {'|', '|'}, {'~', '~'}, {0xAC, 0xAC}, {0xB1, 0xB1}, {0x2200, 0x22FF}}},
      {"Sk", {{'^', '^'}, {'`', '`'}, {0xA8, 0xA8}, {0xAF, 0xAF}, {0xB4, 0xB4}, {0x2C2, 0x2DF}}},
      {"So", {{0xA6, 0xA6}, {0xA9, 0xA9}, {0xAE, 0xAE}, {0xB0, 0xB0}, {0x2190, 0x21FF}, {0x1F000, 0x1FAFF}}},
      {"Z", {{' ', ' '}, {0xA0, 0xA0}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x3000, 0x3000}}},
      {"Zs", {{' ', ' '}, {0xA0, 0xA0}, {0x2000, 0x200A}, {0x202F, 0x202F}, {0x3000, 0x3000}}},
      {"C", {{0, 0x1F}, {0x7F, 0x9F}, {0xAD, 0xAD}, {0x200B, 0x200F}, {0xD800, 0xF8FF}}},
      {"Cc", {{0, 0x1F}, {0x7F, 0x9F}}},
      {"Latin", {{'A', 'Z'}, {'a', 'z'}, {0xAA, 0xAA}, {0xBA, 0xBA}, {0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x2B8}}},
      {"Greek", {{0x370, 0x3E1}, {0x3F0, 0x3FF}, {0x1F00, 0x1FFE}}},
      {"Cyrillic", {{0x400, 0x52F}, {0x1C80, 0x1C88}}},
      {"Han", {{0x2E80, 0x2FD5}, {0x3005, 0x3007}, {0x3400, 0x9FFF}, {0xF900, 0xFAD9}, {0x20000, 0x323AF}}},
      {"Any", {{0, kLast}}},
  }};
  return classes;
}

template <class Table>
std::optional<Regex::Class> find(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Named::name);
  if (found == table.end()) return std::nullopt;
  return found->characters;
}

}  // namespace

void normalize(Regex::Class& characters) {
  std::ranges::sort(characters);
  Regex::Class merged;
  for (const auto& [low, high] : characters) {
    if (!merged.empty() && low <= merged.back().second + 1) {
      merged.back().second = std::max(merged.back().second, high);
    } else {
      merged.emplace_back(low, high);
    }
  }
  characters = std::move(merged);
}

Regex::Class negated(Regex::Class characters) {
  normalize(characters);
  Regex::Class rest;
  char32_t next = 0;
  for (const auto& [low, high] : characters) {
    if (low > next) rest.emplace_back(next, low - 1);
    next = high + 1;
  }
  if (next <= kLast) rest.emplace_back(next, kLast);
  return rest;
}

std::optional<Regex::Class> named_class(std::string_view name) { return find(named_classes(), name); }
std::optional<Regex::Class> unicode_class(std::string_view name) { return find(unicode_classes(), name); }

}  // namespace flyball::detail
