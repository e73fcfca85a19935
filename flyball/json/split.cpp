#include "flyball/json/split.hpp"

#include "flyball/json/parse.hpp"

namespace flyball::json {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

const char* skip_blanks(const char* at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
  return at;
}

bool opens(char c) { return c == '{' || c == '['; }

std::string quoted(char c) { return std::string("'") + c + "'"; }

std::string_view text(const char* from, const char* to) { return {from, static_cast<std::size_t>(to - from)}; }

}  // namespace

const char* PendingItem::take(const char* at, const char* end, const Limits& limits, const OnItem& each) {
  if (!pending_) scan_.reset();
  const char* stop = scan_.run(at, end);
  pending_ = !scan_.done();
  if (bytes_.size() + static_cast<std::size_t>(stop - at) > limits.size) {
    throw ParseError({}, "",
                     "an item of the stream has more than the " + std::to_string(limits.size) + " bytes allowed");
  }
  if (!pending_ && bytes_.empty()) {
    each(text(at, stop));
    return stop;
  }
  bytes_.append(at, stop);
  if (!pending_) {
    each(bytes_);
    bytes_.clear();
  }
  return stop;
}

void DocumentSplitter::feed(std::string_view chunk, const OnItem& each) {
  const char* at = chunk.data();
  const char* end = at + chunk.size();
  while (at != end) {
    if (!item_.pending()) {
      at = skip_blanks(at, end);
      if (at == end) break;
      if (!opens(*at)) {
        const auto offset = consumed_ + static_cast<std::size_t>(at - chunk.data());
        throw ParseError(
            {}, "",
            "byte " + std::to_string(offset) + " of the stream: expected an object or an array, found " + quoted(*at));
      }
    }
    at = item_.take(at, end, limits_, each);
  }
  consumed_ += chunk.size();
}

void DocumentSplitter::finish() const {
  if (!item_.pending()) return;
  throw ParseError({}, "", "the stream ended within a document, " + std::to_string(item_.size()) + " bytes into it");
}

ListSplitter::ListSplitter(std::string member, const Limits& limits) : member_(std::move(member)), limits_(limits) {}

void ListSplitter::fail(std::string problem) const {
  std::string path = member_ + "[" + std::to_string(items_seen_) + "]";
  throw ParseError({}, std::move(path), std::move(problem));
}

void ListSplitter::keep(std::string_view text) {
  if (envelope_.size() + text.size() > limits_.size) {
    throw ParseError({}, "",
                     "the list without its items has more than the " + std::to_string(limits_.size) + " bytes allowed");
  }
  envelope_ += text;
}

void ListSplitter::feed(std::string_view chunk, const OnItem& each) {
  const char* at = chunk.data();
  const char* end = at + chunk.size();
  while (at != end) at = place_ < Place::first_item ? outside(at, end) : items(at, end, each);
}

// Byte by byte: what is not items is small. Watches for `"items": [` among the members of the outermost object.
const char* ListSplitter::outside(const char* at, const char* end) {
  const char* start = at;
  for (; at != end; ++at) {
    const char byte = *at;
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (byte == '\\') {
        escaped_ = true;
      } else if (byte == '"') {
        in_string_ = false;
        if (place_ == Place::key) {
          keep(text(start, at));
          start = at;
          const bool found = std::string_view(envelope_).substr(key_start_) == member_;
          place_ = found ? Place::after_key : Place::outside;
        }
      }
      continue;
    }
    if (is_blank(byte)) continue;
    if (place_ == Place::after_key) {
      place_ = byte == ':' ? Place::after_colon : Place::outside;
      if (place_ == Place::after_colon) continue;
    } else if (place_ == Place::after_colon) {
      place_ = Place::outside;
      if (byte == '[') {
        keep(text(start, at + 1));
        place_ = Place::first_item;
        return at + 1;
      }
    }
    switch (byte) {
      case '"':
        in_string_ = true;
        if (key_next_ && depth_ == 1) {
          keep(text(start, at + 1));
          start = at + 1;
          key_start_ = envelope_.size();
          place_ = Place::key;
        }
        key_next_ = false;
        break;
      case '{':
      case '[':
        ++depth_;
        key_next_ = byte == '{';
        break;
      case '}':
      case ']':
        if (depth_ != 0) --depth_;
        key_next_ = false;
        break;
      case ',': key_next_ = true; break;
      default: break;
    }
  }
  keep(text(start, at));
  return at;
}

const char* ListSplitter::items(const char* at, const char* end, const OnItem& each) {
  if (!item_.pending()) {
    at = skip_blanks(at, end);
    if (at == end) return at;
    if (*at == ']' && place_ != Place::next_item) {
      keep("]");
      place_ = Place::outside;
      return at + 1;
    }
    if (place_ == Place::after_item) {
      if (*at != ',') fail("expected ',' or ']' after an item, found " + quoted(*at));
      place_ = Place::next_item;
      return at + 1;
    }
    if (!opens(*at)) fail("expected an object, found " + quoted(*at));
  }
  at = item_.take(at, end, limits_, each);
  if (!item_.pending()) {
    ++items_seen_;
    place_ = Place::after_item;
  }
  return at;
}

Value ListSplitter::finish() const {
  if (place_ >= Place::first_item) fail("the stream ended within the items");
  return parse(envelope_, {.limits = limits_});
}

}  // namespace flyball::json
