// Laws of the codecs, for random objects of every built-in kind.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/json/parse.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/detail/arbitrary_for_test.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"
#include "flyball/reflect/object.hpp"

namespace flyball::kube {
namespace {

std::string json_of(const reflect::Object& object) {
  std::string text;
  json::TextWriter writer(text);
  reflect::encode_document(object.type(), object.get(), writer);
  writer.finish();
  return text;
}

reflect::Object arbitrary(const reflect::Type& type, std::uint64_t seed) {
  reflect::Object object(type);
  Arbitrary(seed).fill(type, object.get());
  return object;
}

// Each kind once, with a seed of its own: a failure names the kind and the seed.
template <class Law>
void for_every_kind(const char* name, Law law) {
  EXPECT_TRUE(rc::check(name, [&](std::uint64_t seed) {
    for (const reflect::TypeRef type : all_kinds()) {
      const reflect::KindInfo& info = *type().kind;
      RC_LOG() << info.api_version << " " << info.kind << "\n";
      law(arbitrary(type(), seed), type());
    }
  }));
}

TEST(CodecLawsTest, JsonReadsBackWhatItWrote) {
  for_every_kind("decode(encode(x)) == x", [](const reflect::Object& object, const reflect::Type& type) {
    const std::string text = json_of(object);
    reflect::Object again(type);
    reflect::decode(text, type, again.get(), {.strict = true});
    RC_ASSERT(json_of(again) == text);
  });
}

// Whether set_fields leaves out only what is empty and may be left out, here and in all that is inside.
bool shows_all_that_is_set(const reflect::Type& type, const void* value) {
  using reflect::Shape;
  if (type.shape == Shape::optional) {
    const void* inner = type.ops.get(value);
    return inner == nullptr || shows_all_that_is_set(type.element(), inner);
  }
  if (type.shape == Shape::list) {
    for (std::size_t i = 0; i < type.ops.count(value); ++i) {
      if (!shows_all_that_is_set(type.element(), type.ops.element(value, i))) return false;
    }
  }
  if (type.shape != Shape::structure) return true;
  for (std::size_t i = 0; i < type.fields.size(); ++i) {
    const reflect::Field& field = type.fields[i];
    const void* member = static_cast<const std::byte*>(value) + field.offset;
    const bool hidden = (type.set_fields(value) >> i & 1) == 0;
    if (hidden && (field.omit != reflect::Omit::when_empty || !is_empty(field.type(), member))) return false;
    if (!shows_all_that_is_set(field.type(), member)) return false;
  }
  return true;
}

TEST(CodecLawsTest, NoFieldIsPassedOverInWhichSomethingIsSet) {
  for_every_kind("set_fields(x)", [](const reflect::Object& object, const reflect::Type& type) {
    RC_ASSERT(shows_all_that_is_set(type, reflect::Object(type).get()));
    RC_ASSERT(shows_all_that_is_set(type, object.get()));
  });
}

TEST(CodecLawsTest, ProtobufReadsBackWhatItWrote) {
  for_every_kind("from_protobuf(to_protobuf(x)) == x", [](const reflect::Object& object, const reflect::Type& type) {
    if (type.proto == nullptr) return;
    const std::string bytes = to_protobuf(type, object.get());
    reflect::Object again(type);
    from_protobuf(bytes, type, again.get());
    RC_ASSERT(json_of(again) == json_of(object));
    RC_ASSERT(to_protobuf(type, again.get()) == bytes);
  });
}

TEST(CodecLawsTest, TheDynamicWayGivesTheSameBytesAsTheTypedOne) {
  for_every_kind("json_to_protobuf(encode(x)) == to_protobuf(x)",
                 [](const reflect::Object& object, const reflect::Type& type) {
                   if (type.proto == nullptr) return;
                   const std::string bytes = to_protobuf(type, object.get());
                   const json::Value value = json::parse(json_of(object));
                   RC_ASSERT(json_to_message(value, type, {.strict = true}) == open_envelope(bytes).object);
                 });
}

TEST(CodecLawsTest, DynamicJsonDecodesToTheSameObject) {
  for_every_kind("decode(protobuf_to_json(to_protobuf(x))) == x",
                 [](const reflect::Object& object, const reflect::Type& type) {
                   if (type.proto == nullptr) return;
                   const json::Value value = protobuf_to_json(to_protobuf(type, object.get()));
                   reflect::Object again(type);
                   reflect::decode(json::write(value), type, again.get(), {.strict = true});
                   RC_ASSERT(json_of(again) == json_of(object));
                 });
}

std::string pod_text() {
  std::ifstream file(FLYBALL_SOURCE_DIR "/tests/data/pod.json");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A real Pod: the order of Go's encoder, managed fields, sub-objects that are there but empty.
TEST(CodecLawsTest, ARealPodKeepsItsValueThroughEveryCodec) {
  const std::string text = pod_text();
  const auto pod = reflect::decode<core::v1::Pod>(text, {.strict = true});
  const std::string bytes = to_protobuf(pod);
  EXPECT_EQ(from_protobuf<core::v1::Pod>(bytes), pod);
  EXPECT_EQ(json_to_protobuf(json::parse(text), {.strict = true}), bytes);
  EXPECT_EQ(reflect::decode<core::v1::Pod>(json::write(protobuf_to_json(bytes))), pod);
}

}  // namespace
}  // namespace flyball::kube
