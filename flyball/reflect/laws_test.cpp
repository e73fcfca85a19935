// Laws of the codec, tried on random values of a resource with every shape.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/json/detail/arbitrary_for_test.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/reflect/decode_yaml.hpp"
#include "flyball/reflect/detail/database_for_test.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::reflect {
namespace {

using namespace database_example;

template <class T>
T any() {
  return *rc::gen::arbitrary<T>();
}
template <>
std::string any<std::string>() {
  return *json::arbitrary::text();
}
template <>
double any<double>() {
  // JSON has neither infinities nor NaN.
  return static_cast<double>(any<std::int64_t>()) / 1024;
}

bool now_and_then() { return *rc::gen::inRange(0, 3) == 0; }
std::size_t a_few() { return *rc::gen::inRange<std::size_t>(0, 4); }

template <class T, class Make>
std::vector<T> list_of(Make make) {
  std::vector<T> list;
  for (std::size_t i = a_few(); i != 0; --i) list.push_back(make());
  return list;
}
template <class T, class Make>
std::map<std::string, T> map_of(Make make) {
  std::map<std::string, T> map;
  for (std::size_t i = a_few(); i != 0; --i) map.insert_or_assign(any<std::string>(), make());
  return map;
}

Mebibytes any_size() { return {*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 40)}; }
Port any_port() { return {any<std::string>(), any<std::int32_t>(), any<bool>()}; }
Backup any_backup() { return {any<std::string>(), any<std::uint64_t>(), list_of<std::string>(any<std::string>)}; }

Shard any_shard(int depth) {
  Shard shard{any<std::string>(), {}, {}};
  if (depth == 0) return shard;
  shard.split = list_of<Shard>([&] { return any_shard(depth - 1); });
  if (now_and_then()) shard.mirror = any_shard(depth - 1);
  return shard;
}

DatabaseSpec any_spec() {
  DatabaseSpec spec;
  spec.engine = *rc::gen::element(Engine::postgres, Engine::mysql, Engine::sqlite);
  spec.replicas = any<std::int32_t>();
  spec.image = any<std::string>();
  spec.cacheRatio = any<double>();
  if (now_and_then()) spec.maxConnections = any<std::int64_t>();
  spec.ports = list_of<Port>(any_port);
  spec.weights = map_of<Percent>([] { return Percent{any<std::int32_t>()}; });
  spec.slots = map_of<std::vector<std::int32_t>>([] { return list_of<std::int32_t>(any<std::int32_t>); });
  if (now_and_then()) spec.storage = Volume{any<std::string>(), any_size()};
  if (now_and_then()) spec.storage = Memory{any<std::uint32_t>()};
  if (now_and_then()) spec.backup = any_backup();
  if (now_and_then()) spec.archive = now_and_then() ? Backup{"", 0, {}} : any_backup();
  spec.scheduling = {map_of<std::string>(any<std::string>), any<std::string>()};
  spec.memory = any_size();
  spec.shards = any_shard(2);
  spec.paused = any<bool>();
  // As read from a text: there a whole number is an integer, also when a double wrote it.
  spec.settings = json::parse(json::write(any<json::Value>()));
  spec.class_ = any<std::string>();
  return spec;
}

rc::Gen<Database> databases() {
  return rc::gen::exec([] {
    const auto words = [] { return map_of<std::string>(any<std::string>); };
    return Database{
        any<std::string>(), any<std::string>(), {any<std::string>(), any<std::string>(), words(), words()}, any_spec()};
  });
}

}  // namespace
}  // namespace flyball::reflect

namespace database_example {
// NOLINTNEXTLINE(readability-identifier-naming): rapidcheck's name
static void showValue(const Database& value, std::ostream& to) { to << flyball::reflect::encode(value); }
}  // namespace database_example

namespace flyball::reflect {
namespace {

TEST(CodecLaws, WhatIsEncodedDecodesToTheSameValue) {
  EXPECT_TRUE(rc::check([] {
    const Database database = *databases();
    RC_ASSERT(decode<Database>(encode(database), {.strict = true}) == database);
  }));
}

TEST(CodecLaws, TheSameValueHasOneEncoding) {
  EXPECT_TRUE(rc::check([] {
    const Database database = *databases();
    const std::string text = encode(database);
    RC_ASSERT(encode(decode<Database>(text)) == text);
  }));
}

TEST(CodecLaws, YamlCarriesTheSameValueAsJson) {
  EXPECT_TRUE(rc::check([] {
    Database database = *databases();
    database.spec.backup.reset();  // YAML's numbers end at 64 bits with sign
    database.spec.archive.keepBytes /= 2;
    const std::string text = json::write_yaml(json::parse(encode(database)));
    RC_ASSERT(decode_yaml<Database>(text, {.strict = true}) == database);
  }));
}

}  // namespace
}  // namespace flyball::reflect
