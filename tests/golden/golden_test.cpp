// The golden files of k8s.io/api: every kind as JSON and as protobuf, written by Go. Read where the Go client keeps
// modules, never copied. tests/golden/run finds them and starts this program.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/kube/metadata.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"
#include "flyball/reflect/object.hpp"

namespace flyball::kube {
namespace {

std::filesystem::path golden_directory() {
  const char* directory = std::getenv("FLYBALL_GOLDEN");
  return directory != nullptr ? directory : "";
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  if (!std::filesystem::is_directory(golden_directory())) return names;
  for (const auto& entry : std::filesystem::directory_iterator(golden_directory())) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

// The first place where two documents differ, for the message.
std::string difference(json::View a, json::View b, const std::string& path) {
  if (a == b) return "";
  if (a.is_object() && b.is_object()) {
    for (const auto& [key, value] : a.entries()) {
      if (!b.contains(key)) return path + "." + std::string(key) + " only on the left: " + json::summary(value);
      if (auto found = difference(value, b[key], path + "." + std::string(key)); !found.empty()) return found;
    }
    for (const auto& [key, value] : b.entries()) {
      if (!a.contains(key)) return path + "." + std::string(key) + " only on the right: " + json::summary(value);
    }
  }
  if (a.is_array() && b.is_array() && a.size() == b.size()) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (auto found = difference(a[i], b[i], path + "[" + std::to_string(i) + "]"); !found.empty()) return found;
    }
  }
  return path + ": " + json::write(a) + " is not " + json::write(b);
}

// Where the struct cannot say what Go's file says: the difference, and why.
const std::map<std::string, std::string> kExceptions = {
    // `spec` has no fields, and an encoder leaves out a plain sub-object in which nothing is set.
    {"internal.apiserver.k8s.io.v1alpha1.StorageVersion", ".spec only on the right: an object of 0"},
};

std::string expected_difference(const std::string& name) {
  const auto found = kExceptions.find(name);
  return found == kExceptions.end() ? "" : found->second;
}

class Golden : public testing::TestWithParam<std::string> {
 public:
  Golden()
      : text(contents(golden_directory() / (GetParam() + ".json"))),
        bytes(contents(golden_directory() / (GetParam() + ".pb"))),
        document(json::parse(text)) {}

  const reflect::Type& type() const {
    if (GetParam() == "core.v1.WatchEvent") return reflect::type_of<meta::v1::WatchEvent>();  // says no kind
    const auto* found = find_kind(document["apiVersion"].string_or(""), document["kind"].string_or(""));
    if (found == nullptr) throw Error("no table for " + GetParam());
    return *found;
  }

  const std::string text;
  const std::string bytes;
  const json::Value document;
};

std::string typed_json(const reflect::Type& type, const void* value) {
  std::string text;
  json::TextWriter writer(text);
  reflect::encode_document(type, value, writer);
  writer.finish();
  return text;
}

TEST_P(Golden, JsonDecodesStrictlyAndEncodesToTheSameValue) {
  reflect::Object object(type());
  reflect::decode(text, type(), object.get(), {.strict = true});
  EXPECT_EQ(difference(json::parse(typed_json(type(), object.get())), document, ""), expected_difference(GetParam()));
}

TEST_P(Golden, ProtobufDecodesAndEncodesToTheSameBytes) {
  reflect::Object object(type());
  from_protobuf(bytes, type(), object.get());
  EXPECT_TRUE(to_protobuf(type(), object.get()) == bytes);
}

TEST_P(Golden, ProtobufAndJsonMeetInTheStruct) {
  reflect::Object from_bytes(type());
  from_protobuf(bytes, type(), from_bytes.get());
  EXPECT_EQ(difference(json::parse(typed_json(type(), from_bytes.get())), document, ""),
            expected_difference(GetParam()));
  reflect::Object from_text(type());
  reflect::decode(text, type(), from_text.get());
  EXPECT_TRUE(to_protobuf(type(), from_text.get()) == bytes);
}

TEST_P(Golden, ProtobufBecomesTheSameDynamicValue) {
  const bool has_kind = document.contains("kind");
  const json::Value value = has_kind ? protobuf_to_json(bytes) : message_to_json(open_envelope(bytes).object, type());
  EXPECT_EQ(difference(value, document, ""), "");
}

TEST_P(Golden, DynamicValueBecomesTheSameProtobuf) {
  EXPECT_TRUE(json_to_message(document, type(), {.strict = true}) == open_envelope(bytes).object);
  if (!document.contains("kind")) return;
  EXPECT_TRUE(json_to_protobuf(document, {.strict = true}) == bytes);
}

TEST_P(Golden, MetadataIsTheSameFromBothEncodings) {
  const json::View meta = document["metadata"];
  if (!meta.contains("name")) return;  // a list, options: no ObjectMeta
  const Metadata a = metadata_of(text);
  const Metadata b = metadata_of(bytes);
  EXPECT_EQ(a.name, meta["name"].string_or(""));
  EXPECT_EQ(a.uid, meta["uid"].string_or(""));
  EXPECT_EQ(a.api_version, b.api_version);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.namespace_, b.namespace_);
  EXPECT_EQ(a.uid, b.uid);
  EXPECT_EQ(a.resource_version, b.resource_version);
  EXPECT_EQ(a.generation, b.generation);
  EXPECT_EQ(a.deletion_timestamp, b.deletion_timestamp);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.finalizers, b.finalizers);
  ASSERT_EQ(a.owners.size(), b.owners.size());
  for (std::size_t i = 0; i < a.owners.size(); ++i) EXPECT_EQ(a.owners[i].uid, b.owners[i].uid);
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, testing::ValuesIn(golden_names()), [](const auto& param) {
  std::string name = param.param;
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace flyball::kube
