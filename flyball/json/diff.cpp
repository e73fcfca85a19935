#include "flyball/json/diff.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "flyball/json/builder.hpp"
#include "flyball/json/detail/key_index.hpp"
#include "flyball/json/path.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {

namespace {

using Elements = std::span<const View>;

// What to do with the next elements of two arrays.
enum class Step : std::uint8_t { keep, remove, add };

// Beyond this many cells the table of the longest common subsequence costs more than a shorter patch is worth.
constexpr std::size_t kMostCells = 250'000;

// The steps from `from` to `to` that keep the longest common subsequence; removals come before additions.
std::vector<Step> align(Elements from, Elements to) {
  const auto hashes = [](Elements elements) {
    std::vector<std::uint64_t> all;
    for (View element : elements) all.push_back(element.hash());
    return all;
  };
  const auto a = hashes(from);
  const auto b = hashes(to);
  const auto same = [&](std::size_t i, std::size_t j) { return a[i] == b[j] && from[i] == to[j]; };

  const std::size_t width = to.size() + 1;
  std::vector<std::uint32_t> length((from.size() + 1) * width);  // common elements from [i], [j] to the end
  for (std::size_t i = from.size(); i-- != 0;) {
    for (std::size_t j = to.size(); j-- != 0;) {
      length[i * width + j] = same(i, j) ? length[(i + 1) * width + j + 1] + 1
                                         : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
  }

  std::vector<Step> steps;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i != from.size() || j != to.size()) {
    if (i != from.size() && j != to.size() && same(i, j)) {
      steps.push_back(Step::keep);
      ++i;
      ++j;
    } else if (j == to.size() || (i != from.size() && length[(i + 1) * width + j] >= length[i * width + j + 1])) {
      steps.push_back(Step::remove);
      ++i;
    } else {
      steps.push_back(Step::add);
      ++j;
    }
  }
  return steps;
}

class Differ {
 public:
  std::vector<Change> run(View from, View to) {
    compare(from, to);
    return std::move(changes_);
  }

 private:
  void compare(View from, View to) {
    if (from.is_object() && to.is_object()) return compare_objects(from, to);
    if (from.is_array() && to.is_array()) return compare_arrays(from, to);
    if (!(from == to)) report(ChangeKind::changed, from, to);
  }

  void compare_objects(View from, View to) {
    const KeyIndex before(from);
    const KeyIndex after(to);
    for (auto [key, value] : from.entries()) {
      const View now = after.find(key);
      const At at(*this, key);
      now.exists() ? compare(value, now) : report(ChangeKind::removed, value, View());
    }
    for (auto [key, value] : to.entries()) {
      if (before.find(key).exists()) continue;
      const At at(*this, key);
      report(ChangeKind::added, View(), value);
    }
  }

  void compare_arrays(View from_array, View to_array) {
    const std::vector<View> from_elements(from_array.items().begin(), from_array.items().end());
    const std::vector<View> to_elements(to_array.items().begin(), to_array.items().end());
    Elements from = from_elements;
    Elements to = to_elements;
    std::size_t index = 0;
    while (!from.empty() && !to.empty() && from.front() == to.front()) {
      from = from.subspan(1);
      to = to.subspan(1);
      ++index;
    }
    while (!from.empty() && !to.empty() && from.back() == to.back()) {
      from = from.first(from.size() - 1);
      to = to.first(to.size() - 1);
    }
    if (from.size() * to.size() > kMostCells) return replace_run(from, to, index);
    compare_aligned(from, to, index);
  }

  // Between two elements that are kept, the runs of removed and added ones face each other.
  void compare_aligned(Elements from, Elements to, std::size_t index) {
    std::size_t removed = 0;
    std::size_t added = 0;
    const auto flush = [&] {
      replace_run(from.first(removed), to.first(added), index);
      from = from.subspan(removed);
      to = to.subspan(added);
      removed = added = 0;
    };
    for (const Step step : align(from, to)) {
      if (step == Step::remove) {
        ++removed;
      } else if (step == Step::add) {
        ++added;
      } else {
        flush();
        from = from.subspan(1);
        to = to.subspan(1);
        ++index;
      }
    }
    flush();
  }

  // Pairs are compared, what is left over is removed or added. Moves `index` behind the run.
  void replace_run(Elements from, Elements to, std::size_t& index) {
    const std::size_t pairs = std::min(from.size(), to.size());
    for (std::size_t i = 0; i < pairs; ++i, ++index) {
      const At at(*this, index);
      compare(from[i], to[i]);
    }
    for (View gone : from.subspan(pairs)) {
      const At at(*this, index);
      report(ChangeKind::removed, gone, View());
    }
    for (View added : to.subspan(pairs)) {
      const At at(*this, index++);
      report(ChangeKind::added, View(), added);
    }
  }

  void report(ChangeKind kind, View from, View to) { changes_.push_back({kind, Pointer::of(parts_), path_, from, to}); }

  // One level further down, for as long as it lives.
  class At {
   public:
    At(Differ& differ, std::string_view key) : At(differ) {
      differ.parts_.emplace_back(key);
      append_member(differ.path_, key);
    }
    At(Differ& differ, std::size_t index) : At(differ) {
      differ.parts_.push_back(std::to_string(index));
      append_index(differ.path_, index);
    }
    ~At() {
      differ_.parts_.pop_back();
      differ_.path_.resize(length_);
    }
    At(const At&) = delete;
    At& operator=(const At&) = delete;

   private:
    explicit At(Differ& differ) : differ_(differ), length_(differ.path_.size()) {}
    Differ& differ_;
    std::size_t length_;
  };

  std::vector<std::string> parts_;
  std::string path_;
  std::vector<Change> changes_;
};

std::string shown(View value) {
  constexpr std::size_t kLongest = 100;
  std::string text = write(value, {.escape_html = false});
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest;
  while ((static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not in the middle of a character
  return text.substr(0, end) + "…";
}

}  // namespace

std::vector<Change> diff(View from, View to) {
  const View null = Value();  // in static storage
  return Differ().run(from.exists() ? from : null, to.exists() ? to : null);
}

Value to_json_patch(const std::vector<Change>& changes) {
  Builder patch;
  patch.begin_array();
  for (const Change& change : changes) {
    const bool removed = change.kind == ChangeKind::removed;
    patch.begin_object();
    patch.key("op").string(removed ? "remove" : change.kind == ChangeKind::added ? "add" : "replace");
    patch.key("path").string(change.pointer.to_string());
    if (!removed) patch.key("value").value(change.to);
    patch.end();
  }
  return patch.end().finish();
}

std::string print(const std::vector<Change>& changes) {
  std::string text;
  for (const Change& change : changes) {
    text += change.path.empty() && change.pointer.is_root() ? "the document" : change.path;
    text += ": ";
    switch (change.kind) {
      case ChangeKind::added: text += "added " + shown(change.to); break;
      case ChangeKind::removed: text += "removed " + shown(change.from); break;
      case ChangeKind::changed: text += shown(change.from) + " → " + shown(change.to); break;
    }
    text += '\n';
  }
  return text;
}

}  // namespace flyball::json
