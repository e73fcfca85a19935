// nlohmann, RapidJSON, Boost.JSON and simdjson as contestants, each used the way its own documentation shows.
#include "json/contestant.hpp"
#include "json/on_demand.hpp"
#include <boost/json/src.hpp>
#include <nlohmann/json.hpp>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <simdjson.h>

namespace bench {

namespace {

constexpr std::size_t index_of(std::string_view step) { return static_cast<std::size_t>(step[0] - '0'); }

class NlohmannDocument : public Document {
 public:
  explicit NlohmannDocument(nlohmann::json value) : value_(std::move(value)) {}

  static std::uint64_t digest(const nlohmann::json& value) {
    using nlohmann::detail::value_t;
    switch (value.type()) {
      case value_t::boolean: return digest_of(value.get<bool>());
      case value_t::number_integer:
      case value_t::number_unsigned: return digest_of(value.get<std::int64_t>());
      case value_t::number_float: return digest_of(value.get<double>());
      case value_t::string: return digest_of(std::string_view(value.get_ref<const std::string&>()));
      case value_t::array: {
        std::uint64_t sum = 6;
        for (const auto& element : value) sum = mix(sum, digest(element));
        return sum;
      }
      case value_t::object: {
        std::uint64_t sum = 7;
        for (const auto& [key, member] : value.items()) sum += mix(digest_of(std::string_view(key)), digest(member));
        return sum;
      }
      default: return digest_of(nullptr);
    }
  }
  std::uint64_t digest() const override { return digest(value_); }

  std::uint64_t navigate() const override {
    std::uint64_t sum = 0;
    for (const Path& path : kPaths) {
      const nlohmann::json* at = &value_;
      for (const auto step : path) at = is_index(step) ? &(*at)[index_of(step)] : &*at->find(step);
      sum += at->is_number() ? at->get<std::uint64_t>() : at->get_ref<const std::string&>().size();
    }
    return sum;
  }

  std::string write() const override { return value_.dump(); }
  std::unique_ptr<Document> copy() const override { return std::make_unique<NlohmannDocument>(value_); }
  std::string edit(std::string_view image) const override {
    nlohmann::json copy = value_;
    copy["spec"]["containers"][0]["image"] = image;
    return copy.dump();
  }
  bool equals(const Document& other) const override {
    return value_ == dynamic_cast<const NlohmannDocument&>(other).value_;
  }

 private:
  nlohmann::json value_;
};

template <class Doc>
class RapidDocument : public Document {
 public:
  using Value = typename Doc::ValueType;
  RapidDocument() = default;

  static std::uint64_t digest(const Value& value) {
    if (value.IsNull()) return digest_of(nullptr);
    if (value.IsBool()) return digest_of(value.GetBool());
    if (value.IsInt64()) return digest_of(static_cast<std::int64_t>(value.GetInt64()));
    if (value.IsNumber()) return digest_of(value.GetDouble());
    if (value.IsString()) return digest_of(std::string_view(value.GetString(), value.GetStringLength()));
    if (value.IsArray()) {
      std::uint64_t sum = 6;
      for (const auto& element : value.GetArray()) sum = mix(sum, digest(element));
      return sum;
    }
    std::uint64_t sum = 7;
    for (const auto& member : value.GetObject()) sum += mix(digest(member.name), digest(member.value));
    return sum;
  }
  std::uint64_t digest() const override { return digest(document_); }

  std::uint64_t navigate() const override {
    std::uint64_t sum = 0;
    for (const Path& path : kPaths) {
      const Value* at = &document_;
      for (const auto step : path) {
        at = is_index(step) ? &(*at)[static_cast<rapidjson::SizeType>(index_of(step))]
                            : &at->FindMember(Value(rapidjson::StringRef(step.data(), step.size())))->value;
      }
      sum += at->IsNumber() ? at->GetUint64() : at->GetStringLength();
    }
    return sum;
  }

  static std::string write(const Doc& document) {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    document.Accept(writer);
    return {buffer.GetString(), buffer.GetSize()};
  }
  std::string write() const override { return write(document_); }

  std::unique_ptr<Document> copy() const override {
    auto copy = std::make_unique<RapidDocument>();
    copy->document_.CopyFrom(document_, copy->document_.GetAllocator());
    return copy;
  }
  std::string edit(std::string_view image) const override {
    Doc copy;
    copy.CopyFrom(document_, copy.GetAllocator());
    copy["spec"]["containers"][0]["image"].SetString(image.data(), static_cast<rapidjson::SizeType>(image.size()),
                                                     copy.GetAllocator());
    return write(copy);
  }
  bool equals(const Document& other) const override {
    return document_ == dynamic_cast<const RapidDocument&>(other).document_;
  }

  Doc document_;
};

using RapidPool = RapidDocument<rapidjson::Document>;
using RapidMalloc = RapidDocument<rapidjson::GenericDocument<rapidjson::UTF8<>, rapidjson::CrtAllocator>>;

template <class Rapid>
Contestant rapid(std::string name, const std::string& text) {
  return {.name = std::move(name),
          .parse =
              [&text] {
                auto document = std::make_unique<Rapid>();
                document->document_.Parse(text.data(), text.size());
                return document;
              },
          .parse_once =
              [&text] {
                Rapid document;
                document.document_.Parse(text.data(), text.size());
                return std::uint64_t{document.document_.MemberCount()};
              }};
}

class BoostDocument : public Document {
 public:
  explicit BoostDocument(boost::json::value value) : value_(std::move(value)) {}

  static std::uint64_t digest(const boost::json::value& value) {
    using boost::json::kind;
    switch (value.kind()) {
      case kind::bool_: return digest_of(value.get_bool());
      case kind::int64: return digest_of(value.get_int64());
      case kind::uint64: return digest_of(static_cast<double>(value.get_uint64()));
      case kind::double_: return digest_of(value.get_double());
      case kind::string: return digest_of(std::string_view(value.get_string().data(), value.get_string().size()));
      case kind::array: {
        std::uint64_t sum = 6;
        for (const auto& element : value.get_array()) sum = mix(sum, digest(element));
        return sum;
      }
      case kind::object: {
        std::uint64_t sum = 7;
        for (const auto& member : value.get_object())
          sum += mix(digest_of(std::string_view(member.key().data(), member.key().size())), digest(member.value()));
        return sum;
      }
      default: return digest_of(nullptr);
    }
  }
  std::uint64_t digest() const override { return digest(value_); }

  std::uint64_t navigate() const override {
    std::uint64_t sum = 0;
    for (const Path& path : kPaths) {
      const boost::json::value* at = &value_;
      for (const auto step : path) {
        at = is_index(step) ? &at->get_array()[index_of(step)]
                            : at->get_object().if_contains(boost::json::string_view(step.data(), step.size()));
      }
      sum += at->is_int64() ? static_cast<std::uint64_t>(at->get_int64()) : at->get_string().size();
    }
    return sum;
  }

  std::string write() const override { return boost::json::serialize(value_); }
  std::unique_ptr<Document> copy() const override { return std::make_unique<BoostDocument>(value_); }
  std::string edit(std::string_view image) const override {
    boost::json::value copy = value_;
    copy.at("spec").at("containers").at(0).at("image") = boost::json::string_view(image.data(), image.size());
    return boost::json::serialize(copy);
  }
  bool equals(const Document& other) const override {
    return value_ == dynamic_cast<const BoostDocument&>(other).value_;
  }

 private:
  boost::json::value value_;
};

class SimdDocument : public Document {
 public:
  static std::uint64_t digest(simdjson::dom::element value) {
    using simdjson::dom::element_type;
    switch (value.type()) {
      case element_type::BOOL: return digest_of(bool(value));
      case element_type::INT64: return digest_of(std::int64_t(value));
      case element_type::UINT64: return digest_of(double(std::uint64_t(value)));
      case element_type::DOUBLE: return digest_of(double(value));
      case element_type::STRING: return digest_of(std::string_view(value));
      case element_type::ARRAY: {
        std::uint64_t sum = 6;
        simdjson::dom::array array = value;
        for (auto element : array) sum = mix(sum, digest(element));
        return sum;
      }
      case element_type::OBJECT: {
        std::uint64_t sum = 7;
        simdjson::dom::object object = value;
        for (auto member : object) sum += mix(digest_of(member.key), digest(member.value));
        return sum;
      }
      default: return digest_of(nullptr);
    }
  }
  std::uint64_t digest() const override { return digest(document_.root()); }

  std::uint64_t navigate() const override {
    std::uint64_t sum = 0;
    for (const Path& path : kPaths) {
      simdjson::dom::element at = document_.root();
      for (const auto step : path) {
        if (is_index(step)) {
          at = simdjson::dom::array(at).at(index_of(step));
        } else {
          at = simdjson::dom::object(at).at_key(step);
        }
      }
      sum += at.is_int64() ? std::uint64_t(std::int64_t(at)) : std::string_view(at).size();
    }
    return sum;
  }

  std::string write() const override { return simdjson::minify(document_.root()); }
  std::unique_ptr<Document> copy() const override { return nullptr; }
  std::string edit(std::string_view) const override { return {}; }
  bool equals(const Document&) const override { return false; }

  simdjson::dom::document document_;
};

}  // namespace

Contestant nlohmann_contestant(const std::string& text) {
  return {.name = "nlohmann",
          .parse = [&text] { return std::make_unique<NlohmannDocument>(nlohmann::json::parse(text)); },
          .parse_once = [&text] { return std::uint64_t{nlohmann::json::parse(text).size()}; }};
}

Contestant rapidjson_contestant(const std::string& text) { return rapid<RapidPool>("RapidJSON", text); }
Contestant rapidjson_malloc_contestant(const std::string& text) { return rapid<RapidMalloc>("RapidJSON malloc", text); }

Contestant boost_contestant(const std::string& text) {
  const auto parsed = [&text] { return boost::json::parse(boost::json::string_view(text.data(), text.size())); };
  return {.name = "Boost.JSON",
          .parse = [parsed] { return std::make_unique<BoostDocument>(parsed()); },
          .parse_once = [parsed] { return std::uint64_t{parsed().get_object().size()}; }};
}

Contestant simdjson_dom_contestant(const std::string& text) {
  auto parser = std::make_shared<simdjson::dom::parser>();
  auto padded = std::make_shared<simdjson::padded_string>(text);
  return {.name = "simdjson DOM",
          .parse =
              [parser, padded] {
                auto document = std::make_unique<SimdDocument>();
                parser->parse_into_document(document->document_, *padded).error();
                return document;
              },
          .parse_once =
              [parser, padded] {
                simdjson::dom::element root = parser->parse(*padded);
                return std::uint64_t{simdjson::dom::object(root).size()};
              },
          .edits = false};
}

Contestant simdjson_on_demand_contestant(const std::string& text) {
  return on_demand("simdjson on-demand (" + kKernel + ")", text);
}

std::uint64_t simdjson_on_demand_digest(const std::string& text) { return on_demand_digest(text); }

}  // namespace bench
