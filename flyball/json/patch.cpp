#include "flyball/json/patch.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "flyball/json/diff.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/pointer.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {

namespace {

using Node = Draft::Node;

std::string quoted(std::string_view text) {
  std::string out;
  write_string(text, out, false);
  return out;
}

std::string elements(std::size_t count) { return std::to_string(count) + (count == 1 ? " element" : " elements"); }

bool is_container(View value) { return value.is_object() || value.is_array(); }

// True when no more than `levels` containers stand within each other. Recurses at most that deep.
bool depth_within(View value, std::size_t levels) {
  if (!is_container(value)) return true;
  if (levels == 0) return false;
  for (View element : value.items()) {
    if (!depth_within(element, levels - 1)) return false;
  }
  for (auto [key, member] : value.entries()) {
    if (!depth_within(member, levels - 1)) return false;
  }
  return true;
}

// An index the way Go's strconv.Atoi reads it: a sign and leading zeros are fine.
std::optional<std::int64_t> lenient_index(std::string_view part) {
  const bool plus = part.starts_with('+');
  if (plus) part.remove_prefix(1);
  if (part.empty() || (plus && part.front() == '-')) return std::nullopt;
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
  return index;
}

class Patcher {
 public:
  Patcher(View document, const PatchOptions& options) : options_(options), draft_(Draft::over(document)) {}

  Value apply(View patch) {
    const Node root = draft_.root();
    if (lenient() && !is_container(root.view())) {
      fail_whole("", "the document is " + summary(root.view()) + ": only an object or an array can be patched");
    }
    if (!patch.is_array() && !(lenient() && patch.is_null())) {
      fail_whole("patch", "expected a list of operations, found " + summary(patch) +
                              (patch.is_object() ? ": a single operation stands in [ ] too" : ""));
    }
    if (patch.size() > options_.max_operations) {
      fail_whole("patch", "has " + std::to_string(patch.size()) + " operations, more than the " +
                              std::to_string(options_.max_operations) + " allowed: split it");
    }
    for (View operation : patch.items()) {
      run(operation);
      ++index_;
    }
    Value result = draft_.build();
    if (moved_ && !depth_within(result, options_.max_depth)) fail_depth();
    return result;
  }

 private:
  // The last container on the way of a pointer, and the part that says where in it: parts()[depth - 1].
  struct Place {
    const Pointer& pointer;
    std::size_t depth;
    Node parent;

    const std::string& part() const { return pointer.parts()[depth - 1]; }
    Pointer above() const {
      return Pointer::of({pointer.parts().begin(), pointer.parts().begin() + static_cast<std::ptrdiff_t>(depth - 1)});
    }
  };

  bool lenient() const { return options_.rules == PatchRules::kubernetes; }

  void run(View operation) {
    operation_ = operation;
    op_.clear();
    path_.clear();
    if (!operation.is_object()) fail_field("", "expected an object with op and path, found " + summary(operation));
    op_ = text("op", "one of add, remove, replace, move, copy, test");
    path_ = text("path", "a JSON pointer such as \"/spec/replicas\"");
    if (op_ == "add") return add();
    if (op_ == "remove") return remove();
    if (op_ == "replace") return replace();
    if (op_ == "move") return move();
    if (op_ == "copy") return copy();
    if (op_ == "test") return test();
    fail_field(".op", "expected one of add, remove, replace, move, copy, test, found " + summary(operation["op"]));
  }

  void add() {
    const Pointer to = pointer("path");
    put(to, new_value(to));
  }

  void remove() {
    const Pointer at = pointer("path");
    take(place(at, "removed"));
  }

  void replace() {
    const Pointer to = pointer("path");
    Value value = new_value(to);
    if (to.is_root()) {
      if (lenient() && !is_container(value)) {
        fail("the whole document can only become an object or an array, not " + summary(value));
      }
      return draft_.root().set(std::move(value));
    }
    const Place at = place(to, "replaced");
    if (Node found = get(at)) return found.set(std::move(value));
    if (!lenient()) fail_missing(at);
    at.parent.is_object() ? void(Node(at.parent).set(to.back(), std::move(value))) : fail_missing(at);
  }

  void move() {
    const Pointer from = pointer("from");
    const Pointer to = pointer("path");
    if (!lenient() && from.contains(to) && from != to) {
      fail("a value cannot be moved into a part of itself");
    }
    if (from.is_root() && to.is_root() && !lenient()) return;
    const Node value = take(place(from, "moved"));
    moved_ = true;
    put(to, value);
  }

  void copy() {
    const Pointer from = pointer("from");
    const Pointer to = pointer("path");
    Node found;
    if (from.is_root() && !lenient()) {
      found = draft_.root();
    } else {
      const Place at = place(from, "copied");
      found = get(at);
      if (!found && (!lenient() || !at.parent.is_object())) fail_missing(at);
    }
    Value value = found ? found.value() : Value();
    check_depth(to, value);  // before anything walks it
    if (found) copied_ += write(value).size();
    if (copied_ > options_.max_copied_bytes) {
      fail("the copies of this patch add " + std::to_string(copied_) + " bytes, more than the " +
           std::to_string(options_.max_copied_bytes) + " allowed");
    }
    put(to, std::move(value));
  }

  void test() {
    const Pointer at = pointer("path");
    const View expected = operation_["value"];
    if (!expected.exists() && (!lenient() || at.is_root())) fail_field(".value", "is missing: what should be there?");
    Node found = draft_.root();
    if (!at.is_root()) {
      const Place where = place(at, "tested");
      found = get(where);
      const bool nothing = !found || found.kind() == Kind::null;
      if (lenient() && nothing && (!expected.exists() || expected.is_null())) {
        if (found || where.parent.is_object()) return;
      }
      if (!found) fail_missing(where);
    }
    if (!found.equals(expected)) fail_test(at, found, expected);
  }

  std::string text(const char* field, std::string_view expected) const {
    const View found = operation_[field];
    if (found.is_string()) return std::string(found.as_string());
    fail_field("." + std::string(field), found.exists()
                                             ? "expected " + std::string(expected) + ", found " + summary(found)
                                             : "is missing: expected " + std::string(expected));
  }

  Pointer pointer(const char* field) const {
    const std::string written = text(field, "a JSON pointer such as \"/spec/replicas\"");
    try {
      return Pointer(written, {.literal_tilde = lenient()});
    } catch (const PointerError& error) {
      fail_field("." + std::string(field), error.problem());
    }
  }

  Value new_value(const Pointer& to) const {
    const View value = operation_["value"];
    if (!value.exists() && (!lenient() || to.is_root())) fail_field(".value", "is missing: " + op_ + " needs one");
    check_depth(to, value);
    return Value(value);
  }

  // Follows the pointer down to its last container.
  Place place(const Pointer& to, std::string_view verb) {
    if (to.is_root()) fail("the whole document cannot be " + std::string(verb));
    Place at{to, 1, draft_.root()};
    check_container(at);
    while (at.depth != to.depth()) {
      Node next = get(at);
      if (!next) fail_missing(at);
      at.parent = next;
      ++at.depth;
      check_container(at);
    }
    return at;
  }

  void check_container(const Place& at) const {
    if (at.parent.is_object() || at.parent.is_array()) return;
    const bool null = at.parent.kind() == Kind::null;
    fail(name_of(at) + " is " + summary(at.parent.view()) +
         (null && writes_new() ? ": replace it with an object first" : ", which has no members"));
  }

  static std::string name_of(const Place& at) {
    const std::string path = at.above().path();
    return path.empty() ? "the document" : path;
  }

  Node get(const Place& at) const {
    if (at.parent.is_object()) return at.parent[at.part()];
    const auto index = index_in(at, at.parent.size());
    return index ? at.parent[*index] : Node();
  }

  // The index the last part means in an array where `size` places exist.
  std::optional<std::size_t> index_in(const Place& at, std::size_t size) const {
    const std::string& part = at.part();
    if (!lenient()) {
      const auto index = index_of_part(part);
      return index && *index < size ? index : std::nullopt;
    }
    auto index = lenient_index(part);
    if (index && *index < 0) *index += static_cast<std::int64_t>(size);
    if (!index || *index < 0 || *index >= static_cast<std::int64_t>(size)) return std::nullopt;
    return static_cast<std::size_t>(*index);
  }

  Node take(Place at) {
    if (at.parent.is_object()) {
      if (Node taken = at.parent.erase(at.part())) return taken;
    } else if (const auto index = index_in(at, at.parent.size())) {
      return at.parent.erase(*index);
    }
    fail_missing(at);
  }

  void put(const Pointer& to, Draft::Content content) {
    if (to.is_root() && !lenient()) return draft_.root().set(std::move(content));
    Place at = place(to, "written with " + op_ + (op_ == "add" ? ": use replace" : ""));
    if (at.parent.is_object()) {
      at.parent.set(to.back(), std::move(content));
    } else if (to.back() == "-") {
      at.parent.append(std::move(content));
    } else if (const auto index = index_in(at, at.parent.size() + 1)) {
      at.parent.insert(*index, std::move(content));
    } else {
      fail_missing(at);
    }
  }

  void check_depth(const Pointer& to, View value) const {
    const std::size_t used = to.depth();
    if (used > options_.max_depth || !depth_within(value, options_.max_depth - used)) fail_depth();
  }

  [[noreturn]] void fail_missing(const Place& at) const {
    const std::string name = name_of(at);
    const std::string& part = at.part();
    const std::size_t size = at.parent.size();
    if (at.parent.is_object()) fail(name + " has no member " + quoted(part) + hint(at));
    const bool index = lenient() ? lenient_index(part).has_value() : index_of_part(part).has_value();
    if (!index && part != "-") fail(name + " is an array, and " + quoted(part) + " is not an index");
    const bool adds = at.depth == at.pointer.depth() && at.pointer.to_string() == path_ && writes_new();
    fail(name + " has " + elements(size) + ": there is no " + (part == "-" ? "element \"-\"" : "index " + part) +
         (adds ? " to add at; \"-\" appends" : ""));
  }

  bool writes_new() const { return op_ == "add" || op_ == "move" || op_ == "copy"; }

  // The usual mistake is to add below something that is not there yet.
  std::string hint(const Place& at) const {
    const bool on_the_way = writes_new() && at.depth != at.pointer.depth();
    if (on_the_way) return ": add that first";
    const auto members = at.parent.members();
    if (members.empty()) return ", it is empty";
    std::string text = "; it has ";
    constexpr std::size_t kMost = 5;
    for (std::size_t i = 0; i < std::min(members.size(), kMost); ++i)
      text += (i == 0 ? "" : ", ") + std::string(members[i].key);
    return text + (members.size() > kMost ? ", …" : "");
  }

  // Names the first place where the two differ.
  [[noreturn]] void fail_test(const Pointer& at, Node node, View expected) const {
    const Value found = node.value();
    const auto changes = diff(expected, found);
    const Change& first = changes.front();
    std::vector<std::string> parts = at.parts();
    parts.insert(parts.end(), first.pointer.parts().begin(), first.pointer.parts().end());
    const std::string place = first.pointer.is_root() ? "" : " at " + Pointer::of(std::move(parts)).path();
    fail("the test failed" + place + ": expected " + summary(first.from) + ", found " + summary(first.to));
  }

  [[noreturn]] void fail_depth() const {
    fail("the result would be nested deeper than the " + std::to_string(options_.max_depth) + " levels allowed");
  }

  [[noreturn]] void fail(const std::string& problem) const {
    const auto shown = [](std::string_view pointer) { return pointer.empty() ? "\"\"" : std::string(pointer); };
    const std::string_view from = operation_["from"].string_or("");
    const bool two_places = op_ == "move" || op_ == "copy";
    fail_field("", op_ + " " + (two_places ? shown(from) + " to " : "") + shown(path_) + ": " + problem);
  }

  [[noreturn]] void fail_field(const std::string& field, std::string problem) const {
    throw PatchError(index_, op_, path_, "patch[" + std::to_string(index_) + "]" + field, std::move(problem));
  }

  [[noreturn]] static void fail_whole(std::string path, std::string problem) {
    throw PatchError(PatchError::kWhole, "", "", std::move(path), std::move(problem));
  }

  const PatchOptions& options_;
  Draft draft_;
  std::size_t copied_ = 0;
  bool moved_ = false;

  // The operation at hand.
  std::size_t index_ = 0;
  View operation_;
  std::string op_;
  std::string path_;
};

}  // namespace

Value apply_patch(View document, View patch, const PatchOptions& options) {
  return Patcher(document, options).apply(patch);
}

}  // namespace flyball::json
