// json::Draft: editing a json::Value, which itself never changes.
//
//   json::Draft draft(deployment);                                      // copies nothing
//   draft.set("/spec/replicas", 3);                                     // by JSON Pointer; makes parents as needed
//   draft.erase("/metadata/managedFields");
//   for (json::Draft::Node c : draft.root()["spec"]["template"]["spec"]["containers"].elements()) {
//     if (!c["imagePullPolicy"]) c.set("imagePullPolicy", "Always");    // by node: find, set, append, erase, move
//   }
//   json::Value edited = draft.build();
//
// A draft is a tree whose untouched parts are views into the value it started from. Going through a container opens
// it, which costs one slot per child; nothing below is looked at. An edit thus costs the fan-out of its path, and
// build() copies every untouched part in one piece. Members keep their order, new ones come last.
//
// Thread-safety: none; a draft belongs to one thread.
// Lifetime: the draft keeps every Value it was given alive. A Node is a handle, good as long as its draft (also after
// the draft was moved). A node that was erased or replaced with its parent may still be read and used, its edits then
// just do not show in the draft.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "flyball/json/pointer.hpp"
#include "flyball/json/value.hpp"

namespace flyball::json {

class Draft {
 public:
  class Node;
  struct Member;
  class Content;

  // Starts from `value`; without one from an empty object.
  Draft();
  explicit Draft(Value value);
  // Starts from a value that the caller keeps alive as long as the draft.
  static Draft over(View borrowed);
  Draft(Draft&&) noexcept;
  Draft& operator=(Draft&&) noexcept;
  ~Draft();

  Node root();
  // What `pointer` leads to; an absent node when it leads nowhere.
  Node find(const Pointer& pointer);

  // Puts a value there: a member is added or replaced, an element replaced, the part "-" appends. Parents that are
  // absent or null become objects. Throws InputError when the way leads through a scalar or to no element.
  Node set(const Pointer& pointer, Content content);
  // As set, but an index inserts before the element that stands there; an index of the array's size appends.
  Node insert(const Pointer& pointer, Content content);
  // Takes out what stands there and gives it back; an absent node when there was nothing. Not of the root.
  Node erase(const Pointer& pointer);

  // The edited document as a value.
  Value build();

 private:
  struct Slot;
  struct Object;
  struct Array;
  struct Item;
  struct State;
  explicit Draft(std::unique_ptr<State> state);
  Node way_to_parent(const Pointer& pointer);
  Node put(const Pointer& pointer, Content content, bool inserting);

  std::unique_ptr<State> state_;  // on the heap: nodes point to it
};

// A place in the draft. Cheap to copy. An absent node (found nothing) is false, has kind absent and no children.
class Draft::Node {
 public:
  Node() = default;

  Kind kind() const;
  bool exists() const { return item_ != nullptr; }
  explicit operator bool() const { return exists(); }
  bool is_object() const { return kind() == Kind::object; }
  bool is_array() const { return kind() == Kind::array; }

  // A scalar's value, or an untouched container's; absent for a container that was opened. Good until the next edit.
  View view() const;
  // The value as it stands now, containers included: what build() makes of this part.
  Value value() const;
  // Deep equality with a value, without building.
  bool equals(View other) const;

  // How many members or elements; 0 for a scalar.
  std::size_t size() const;
  // The member or element; absent when there is none or this is no such container.
  Node operator[](std::string_view key) const;
  Node operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  Node operator[](std::size_t index) const;
  Node operator[](int index) const { return index < 0 ? Node() : (*this)[static_cast<std::size_t>(index)]; }
  // All of them, in order. The list is a copy: edits while passing over it are fine.
  std::vector<Member> members() const;
  std::vector<Node> elements() const;

  // Replaces this value as a whole. This and all functions below assert that the node exists.
  void set(Content content);
  // Adds or replaces a member. Throws TypeError unless this is an object. Returns the member.
  Node set(std::string_view key, Content content);
  // The member, made an empty object (array) when it is absent or null. Throws TypeError unless this is an object.
  Node ensure_object(std::string_view key);
  Node ensure_array(std::string_view key);

  // Throw TypeError unless this is an array; std::out_of_range when the index is beyond its size.
  Node append(Content content);
  Node insert(std::size_t index, Content content);

  // Takes a member or an element out and gives it back, absent when there was none. What is given back can be put
  // elsewhere in the same draft, which copies nothing: `to.set("name", from.erase("oldName"))`.
  Node erase(std::string_view key);
  Node erase(const char* key) { return erase(std::string_view(key)); }
  Node erase(std::size_t index);
  Node erase(int index) { return index < 0 ? Node() : erase(static_cast<std::size_t>(index)); }

 private:
  friend class Draft;
  Node(State* state, Item* item) : state_(state), item_(item) {}
  State* state_ = nullptr;
  Item* item_ = nullptr;
};

struct Draft::Member {
  std::string_view key;
  Node node;
};

// What can be put into a draft: anything a Value can be made of (a Value is shared, a View is copied), or a node that
// was erased from the same draft.
class Draft::Content {
 public:
  template <class T>
    requires(std::constructible_from<Value, T> && !std::same_as<std::remove_cvref_t<T>, Node> &&
             !std::same_as<std::remove_cvref_t<T>, Content>)
  Content(T&& value) : value_(Value(std::forward<T>(value))) {}
  Content(Node erased) : erased_(erased) {}

 private:
  friend class Draft;
  friend class Node;
  Value value_;
  Node erased_;
};

}  // namespace flyball::json
