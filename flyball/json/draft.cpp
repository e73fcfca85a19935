#include "flyball/json/draft.hpp"

#include <cassert>
#include <deque>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "flyball/json/builder.hpp"
#include "flyball/json/detail/chunks.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {

// A child of an opened container: a view until somebody asks for a handle to it.
struct Draft::Slot {
  View view;
  Item* item = nullptr;
};

struct Draft::Object {
  struct Entry {
    std::string_view key;
    Slot slot;
    bool erased = false;
  };
  static constexpr std::size_t kSmall = 24;

  std::vector<Entry> entries;  // erased ones stay as gaps, so that places do not move
  std::size_t gaps = 0;
  std::unordered_map<std::string_view, std::size_t> places;  // only in large objects

  std::size_t size() const { return entries.size() - gaps; }

  void index() {
    places.clear();
    if (entries.size() <= kSmall) return;
    places.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) places.emplace(entries[i].key, i);
  }

  Entry* find(std::string_view key) {
    if (!places.empty()) {
      const auto found = places.find(key);
      return found == places.end() ? nullptr : &entries[found->second];
    }
    for (auto& entry : entries) {
      if (!entry.erased && entry.key == key) return &entry;
    }
    return nullptr;
  }

  Entry& add(std::string_view key) {
    entries.push_back({key, {}, false});
    if (!places.empty()) {
      places.emplace(key, entries.size() - 1);
    } else if (entries.size() > kSmall) {
      close_gaps();
    }
    return entries.back();
  }

  void erase(Entry& entry) {
    places.erase(entry.key);
    entry.erased = true;
    ++gaps;
    if (entries.size() > kSmall && gaps > entries.size() / 2) close_gaps();
  }

 private:
  void close_gaps() {
    std::erase_if(entries, [](const Entry& entry) { return entry.erased; });
    gaps = 0;
    index();
  }
};

struct Draft::Array {
  Chunks<Slot> slots;
};

// What a Node points to. At most one of `object` and `array` is there: the container was opened and `view` is absent.
struct Draft::Item {
  View view;
  std::unique_ptr<Object> object;
  std::unique_ptr<Array> array;
  bool attached = true;
};

struct Draft::State {
  Item* root = nullptr;
  std::deque<Item> items;    // flat: freeing a deep draft does not recurse
  std::deque<Value> owners;  // whatever views and keys point into

  Item* item(View view) {
    items.emplace_back().view = view;
    return &items.back();
  }

  Item* item(Slot& slot) {
    if (slot.item == nullptr) slot.item = item(slot.view);
    return slot.item;
  }

  View keep(Value value) {
    owners.push_back(std::move(value));
    return owners.back();
  }

  Slot slot(Content& content) {
    if (!content.erased_.exists()) return {keep(std::move(content.value_)), nullptr};
    assert(content.erased_.state_ == this && "the node belongs to another draft");
    assert(!content.erased_.item_->attached && "erase the node before it is put elsewhere");
    content.erased_.item_->attached = true;
    return {View(), content.erased_.item_};
  }

  void detach(Slot& slot) { item(slot)->attached = false; }

  static Object* open_object(Item& item) {
    if (item.object == nullptr && item.view.is_object()) {
      item.object = std::make_unique<Object>();
      item.object->entries.reserve(item.view.size());
      for (auto [key, value] : item.view.entries()) item.object->entries.push_back({key, {value}, false});
      item.object->index();
      item.view = View();
    }
    return item.object.get();
  }

  static Array* open_array(Item& item) {
    if (item.array == nullptr && item.view.is_array()) {
      item.array = std::make_unique<Array>();
      for (View element : item.view.items()) item.array->slots.push_back({element});
      item.view = View();
    }
    return item.array.get();
  }

  static Value build(Item& top);
  static bool equal(Item& item, View other);
};

namespace {

// How messages name the place `depth` parts down the pointer.
std::string place_name(const Pointer& pointer, std::size_t depth) {
  std::vector<std::string> parts(pointer.parts().begin(), pointer.parts().begin() + static_cast<std::ptrdiff_t>(depth));
  const std::string path = Pointer::of(std::move(parts)).path();
  return path.empty() ? "the document" : path;
}

}  // namespace

// A walk with its own stack: patches can nest deeper than a thread's stack allows.
Value Draft::State::build(Item& top) {
  struct Frame {
    Item* item;
    std::size_t at = 0;  // the next entry, or the next slot of the chunk
    std::size_t chunk = 0;
  };
  Builder builder(top.view.exists() ? top.view.encoded_size() : 256);
  std::vector<Frame> open;

  const auto put = [&](Slot& slot) {
    if (slot.item == nullptr) {
      builder.value(slot.view);
    } else if (slot.item->object != nullptr) {
      builder.begin_object();
      open.push_back({slot.item});
    } else if (slot.item->array != nullptr) {
      builder.begin_array();
      open.push_back({slot.item});
    } else {
      builder.value(slot.item->view);
    }
  };
  const auto next = [](Frame& frame, Builder& to) -> Slot* {
    if (frame.item->object != nullptr) {
      auto& entries = frame.item->object->entries;
      while (frame.at < entries.size() && entries[frame.at].erased) ++frame.at;
      if (frame.at == entries.size()) return nullptr;
      auto& entry = entries[frame.at++];
      to.key(entry.key);
      return &entry.slot;
    }
    auto& chunks = frame.item->array->slots.chunks();
    if (frame.chunk < chunks.size() && frame.at == chunks[frame.chunk].size()) {
      ++frame.chunk;
      frame.at = 0;
    }
    return frame.chunk == chunks.size() ? nullptr : &chunks[frame.chunk][frame.at++];
  };

  Slot start{View(), &top};
  put(start);
  while (!open.empty()) {
    if (Slot* slot = next(open.back(), builder)) {
      put(*slot);
    } else {
      builder.end();
      open.pop_back();
    }
  }
  return builder.finish();
}

bool Draft::State::equal(Item& item, View other) {
  const auto same = [](const Slot& slot, View value) {
    return slot.item == nullptr ? slot.view == value : equal(*slot.item, value);
  };
  if (item.object != nullptr) {
    if (!other.is_object() || other.size() != item.object->size()) return false;
    for (auto [key, value] : other.entries()) {
      const auto* entry = item.object->find(key);
      if (entry == nullptr || !same(entry->slot, value)) return false;
    }
    return true;
  }
  if (item.array != nullptr) {
    if (!other.is_array() || other.size() != item.array->slots.size()) return false;
    auto theirs = other.items().begin();
    for (const auto& chunk : item.array->slots.chunks()) {
      for (const auto& slot : chunk) {
        if (!same(slot, *theirs++)) return false;
      }
    }
    return true;
  }
  return item.view == other;
}

Draft::Draft() : Draft(object()) {}

Draft::Draft(Value value) : Draft(std::make_unique<State>()) {
  state_->root = state_->item(state_->keep(std::move(value)));
}

Draft::Draft(std::unique_ptr<State> state) : state_(std::move(state)) {}
Draft::Draft(Draft&&) noexcept = default;
Draft& Draft::operator=(Draft&&) noexcept = default;
Draft::~Draft() = default;

Draft Draft::over(View borrowed) {
  Draft draft(std::make_unique<State>());
  draft.state_->root = draft.state_->item(borrowed.exists() ? borrowed : draft.state_->keep(Value()));
  return draft;
}

Draft::Node Draft::root() { return {state_.get(), state_->root}; }

Draft::Node Draft::find(const Pointer& pointer) {
  Node node = root();
  for (const auto& part : pointer.parts()) {
    if (node.is_object()) {
      node = node[part];
    } else {
      const auto index = index_of_part(part);
      node = index ? node[*index] : Node();
    }
    if (!node) break;
  }
  return node;
}

Draft::Node Draft::way_to_parent(const Pointer& pointer) {
  Node node = root();
  for (std::size_t depth = 0;; ++depth) {
    if (node.kind() == Kind::null) node.set(object());
    if (!node.is_object() && !node.is_array()) {
      throw InputError({}, pointer.path(),
                       place_name(pointer, depth) + " is " + summary(node.view()) + ", which has no members");
    }
    if (depth + 1 == pointer.depth()) return node;
    const auto& part = pointer.parts()[depth];
    const auto index = index_of_part(part);
    Node next = node.is_object() ? node[part] : index ? node[*index] : Node();
    if (!next && node.is_array()) {
      throw InputError({}, pointer.path(),
                       place_name(pointer, depth) + " has " + std::to_string(node.size()) +
                           " elements, none of them is \"" + part + "\"");
    }
    node = next ? next : node.set(part, object());
  }
}

Draft::Node Draft::put(const Pointer& pointer, Content content, bool inserting) {
  if (pointer.is_root()) {
    root().set(std::move(content));
    return root();
  }
  Node parent = way_to_parent(pointer);
  if (parent.is_object()) return parent.set(pointer.back(), std::move(content));
  if (pointer.back() == "-") return parent.append(std::move(content));
  const auto index = index_of_part(pointer.back());
  if (index && inserting && *index <= parent.size()) return parent.insert(*index, std::move(content));
  Node element = index && !inserting ? parent[*index] : Node();
  if (!element) {
    throw InputError({}, pointer.path(),
                     place_name(pointer, pointer.depth() - 1) + " has " + std::to_string(parent.size()) +
                         " elements: there is no place \"" + pointer.back() + "\"; to append, use \"-\"");
  }
  element.set(std::move(content));
  return element;
}

Draft::Node Draft::set(const Pointer& pointer, Content content) { return put(pointer, std::move(content), false); }

Draft::Node Draft::insert(const Pointer& pointer, Content content) { return put(pointer, std::move(content), true); }

Draft::Node Draft::erase(const Pointer& pointer) {
  if (pointer.is_root()) throw InputError({}, "", "the whole document cannot be erased: set it to another value");
  Node parent = find(pointer.parent());
  if (parent.is_object()) return parent.erase(pointer.back());
  const auto index = index_of_part(pointer.back());
  return parent.is_array() && index ? parent.erase(*index) : Node();
}

Value Draft::build() { return State::build(*state_->root); }

Kind Draft::Node::kind() const {
  if (!exists()) return Kind::absent;
  if (item_->object != nullptr) return Kind::object;
  return item_->array != nullptr ? Kind::array : item_->view.kind();
}

View Draft::Node::view() const { return exists() ? item_->view : View(); }

Value Draft::Node::value() const {
  if (!exists()) return Value().slice(View());
  return State::build(*item_);
}

bool Draft::Node::equals(View other) const { return exists() ? State::equal(*item_, other) : !other.exists(); }

std::size_t Draft::Node::size() const {
  if (!exists()) return 0;
  if (item_->object != nullptr) return item_->object->size();
  return item_->array != nullptr ? item_->array->slots.size() : item_->view.size();
}

Draft::Node Draft::Node::operator[](std::string_view key) const {
  Object* object = exists() ? State::open_object(*item_) : nullptr;
  auto* entry = object == nullptr ? nullptr : object->find(key);
  return entry == nullptr ? Node() : Node(state_, state_->item(entry->slot));
}

Draft::Node Draft::Node::operator[](std::size_t index) const {
  Array* array = exists() ? State::open_array(*item_) : nullptr;
  if (array == nullptr || index >= array->slots.size()) return {};
  return {state_, state_->item(array->slots[index])};
}

std::vector<Draft::Member> Draft::Node::members() const {
  std::vector<Member> members;
  Object* object = exists() ? State::open_object(*item_) : nullptr;
  if (object == nullptr) return members;
  members.reserve(object->size());
  for (auto& entry : object->entries) {
    if (!entry.erased) members.push_back({entry.key, Node(state_, state_->item(entry.slot))});
  }
  return members;
}

std::vector<Draft::Node> Draft::Node::elements() const {
  std::vector<Node> elements;
  Array* array = exists() ? State::open_array(*item_) : nullptr;
  if (array == nullptr) return elements;
  elements.reserve(array->slots.size());
  for (auto& chunk : array->slots.chunks()) {
    for (auto& slot : chunk) elements.push_back(Node(state_, state_->item(slot)));
  }
  return elements;
}

void Draft::Node::set(Content content) {
  assert(exists());
  const Slot slot = state_->slot(content);
  if (slot.item == nullptr) {
    item_->object.reset();
    item_->array.reset();
    item_->view = slot.view;
    return;
  }
  item_->object = std::move(slot.item->object);
  item_->array = std::move(slot.item->array);
  item_->view = slot.item->view;
  slot.item->view = state_->keep(Value());  // the old handle is left with a null of its own
}

Draft::Node Draft::Node::set(std::string_view key, Content content) {
  assert(exists());
  Object* object = State::open_object(*item_);
  if (object == nullptr) throw TypeError("expected an object to set a member of, found " + summary(value()));
  auto* entry = object->find(key);
  if (entry == nullptr) {
    entry = &object->add(state_->keep(Value(key)).as_string());
  } else if (entry->slot.item != nullptr) {
    entry->slot.item->attached = false;
  }
  entry->slot = state_->slot(content);
  return {state_, state_->item(entry->slot)};
}

Draft::Node Draft::Node::ensure_object(std::string_view key) {
  Node member = (*this)[key];
  return member && member.kind() != Kind::null ? member : set(key, object());
}

Draft::Node Draft::Node::ensure_array(std::string_view key) {
  Node member = (*this)[key];
  return member && member.kind() != Kind::null ? member : set(key, array());
}

Draft::Node Draft::Node::append(Content content) { return insert(size(), std::move(content)); }

Draft::Node Draft::Node::insert(std::size_t index, Content content) {
  assert(exists());
  Array* array = State::open_array(*item_);
  if (array == nullptr) throw TypeError("expected an array to insert into, found " + summary(value()));
  if (index > array->slots.size()) {
    throw std::out_of_range("the array has " + std::to_string(array->slots.size()) +
                            " elements, nothing can be inserted at " + std::to_string(index));
  }
  Slot slot = state_->slot(content);
  Item* item = state_->item(slot);
  array->slots.insert(index, slot);
  return {state_, item};
}

Draft::Node Draft::Node::erase(std::string_view key) {
  assert(exists());
  Object* object = State::open_object(*item_);
  auto* entry = object == nullptr ? nullptr : object->find(key);
  if (entry == nullptr) return {};
  state_->detach(entry->slot);
  Item* item = entry->slot.item;
  object->erase(*entry);
  return {state_, item};
}

Draft::Node Draft::Node::erase(std::size_t index) {
  assert(exists());
  Array* array = State::open_array(*item_);
  if (array == nullptr || index >= array->slots.size()) return {};
  Slot slot = array->slots.erase(index);
  state_->detach(slot);
  return {state_, slot.item};
}

}  // namespace flyball::json
