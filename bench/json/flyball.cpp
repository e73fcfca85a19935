// The json room as a contestant.
#include "json/contestant.hpp"

#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace bench {

namespace {

namespace json = flyball::json;

std::uint64_t digest(json::View value) {
  switch (value.kind()) {
    case json::Kind::boolean: return digest_of(value.as_bool());
    case json::Kind::integer: return digest_of(value.as_int());
    case json::Kind::number: return digest_of(value.as_double());
    case json::Kind::string: return digest_of(value.as_string());
    case json::Kind::array: {
      std::uint64_t sum = 6;
      for (json::View element : value.items()) sum = mix(sum, digest(element));
      return sum;
    }
    case json::Kind::object: {
      std::uint64_t sum = 7;
      for (auto [key, member] : value.entries()) sum += mix(digest_of(key), digest(member));
      return sum;
    }
    default: return digest_of(nullptr);
  }
}

class FlyballDocument : public Document {
 public:
  explicit FlyballDocument(json::Value value) : value_(std::move(value)) {}

  std::uint64_t digest() const override { return bench::digest(value_); }

  std::uint64_t navigate() const override {
    std::uint64_t sum = 0;
    for (const Path& path : kPaths) {
      json::View at = value_;
      for (const auto step : path) at = is_index(step) ? at[step[0] - '0'] : at[step];
      sum += at.is_int() ? static_cast<std::uint64_t>(at.as_int()) : at.as_string().size();
    }
    return sum;
  }

  std::string write() const override { return json::write(value_); }
  std::unique_ptr<Document> copy() const override { return std::make_unique<FlyballDocument>(value_); }

  std::string edit(std::string_view image) const override {
    json::Draft draft(value_);
    draft.set("/spec/containers/0/image", image);
    return json::write(draft.build());
  }

  bool equals(const Document& other) const override {
    return value_ == dynamic_cast<const FlyballDocument&>(other).value_;
  }

 private:
  json::Value value_;
};

}  // namespace

Contestant flyball_contestant(const std::string& text) {
  return {.name = "flyball",
          .parse = [&text] { return std::make_unique<FlyballDocument>(json::parse(text)); },
          .parse_once = [&text] { return json::parse(text).size(); }};
}

}  // namespace bench
