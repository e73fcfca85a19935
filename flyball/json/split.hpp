// Splitting a stream of JSON into its parts before anything is parsed.
//
// A LIST of 100,000 Pods is a gigabyte of text; a watch never ends. Both are cut into items as the bytes come in, and
// each item is parsed, or stored, alone. What is held at any time is one item, however long the stream.
//
//   json::ListSplitter list;
//   while (auto chunk = body.read()) list.feed(*chunk, [&](std::string_view item) { store(json::parse(item)); });
//   json::Value rest = list.finish();              // the list itself: kind, apiVersion, metadata and empty items
//
//   json::DocumentSplitter watch;                  // one event after the other
//   watch.feed(chunk, [&](std::string_view event) { handle(json::parse(event)); });
//
// The splitters find where items end and nothing more: a mistake inside an item shows when the item is parsed. An item
// is given as a view into the chunk when it lies in it whole, else from the splitter's own buffer; it is good only
// during the call.
//
// Thread-safety: none; a splitter belongs to one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "flyball/json/detail/bracket_scan.hpp"
#include "flyball/json/reader.hpp"
#include "flyball/json/value.hpp"

namespace flyball::json {

using OnItem = std::function<void(std::string_view item)>;

// One object or array of a stream, which may come in several pieces.
class PendingItem {
 public:
  // Takes the item's next piece from `at` on and returns where it stopped; hands the item over when it is complete.
  const char* take(const char* at, const char* end, const Limits& limits, const OnItem& each);

  // An item has begun and not ended.
  bool pending() const { return pending_; }
  std::size_t size() const { return bytes_.size(); }

 private:
  BracketScan scan_;
  std::string bytes_;
  bool pending_ = false;
};

// Objects and arrays one after the other, with nothing or white space between them.
class DocumentSplitter {
 public:
  // `limits.size` bounds one document. Throws ParseError when something else stands between two documents.
  explicit DocumentSplitter(const Limits& limits = {}) : limits_(limits) {}

  void feed(std::string_view chunk, const OnItem& each);
  // The stream has ended: throws ParseError when it ended within a document.
  void finish() const;

  // Bytes of the document that has begun but not ended.
  std::size_t pending() const { return item_.size(); }

 private:
  Limits limits_;
  PendingItem item_;
  std::size_t consumed_ = 0;  // bytes of the stream before the current chunk, for errors
};

// The items, objects or arrays, of one object that holds them in an array: by default the member `items`.
class ListSplitter {
 public:
  // `limits.size` bounds one item, and all that is not items.
  explicit ListSplitter(std::string member = "items", const Limits& limits = {});

  void feed(std::string_view chunk, const OnItem& each);
  // The stream has ended: gives the list with the items taken out. Throws ParseError when it is not complete.
  Value finish() const;

 private:
  enum class Place { outside, key, after_key, after_colon, first_item, after_item, next_item };

  // Each takes what it can of the chunk from `at` on.
  const char* outside(const char* at, const char* end);
  const char* items(const char* at, const char* end, const OnItem& each);
  void keep(std::string_view text);
  [[noreturn]] void fail(std::string problem) const;

  // Constant after construction.
  std::string member_;
  Limits limits_;

  Place place_ = Place::outside;
  std::string envelope_;       // the text of the list without its items
  std::size_t depth_ = 0;      // of the envelope
  bool in_string_ = false;     // within a string of the envelope
  bool escaped_ = false;       // behind a backslash in it
  bool key_next_ = false;      // a string that begins now is the name of a member of the list
  std::size_t key_start_ = 0;  // where that name begins in the envelope
  std::size_t items_seen_ = 0;
  PendingItem item_;
};

}  // namespace flyball::json
