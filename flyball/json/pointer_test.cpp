#include "flyball/json/pointer.hpp"

#include <gtest/gtest.h>

#include "flyball/json/detail/alike_for_test.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::json {
namespace {

TEST(PointerTest, FindsWhatTheExamplesOfTheRfcFind) {
  const Value document = parse(R"({"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5,
                                   "k\"l": 6, " ": 7, "m~n": 8})");
  EXPECT_EQ(find(document, ""), document);
  EXPECT_EQ(find(document, "/foo"), parse(R"(["bar", "baz"])"));
  EXPECT_EQ(find(document, "/foo/0").as_string(), "bar");
  EXPECT_EQ(find(document, "/").as_int(), 0);
  EXPECT_EQ(find(document, "/a~1b").as_int(), 1);
  EXPECT_EQ(find(document, "/c%d").as_int(), 2);
  EXPECT_EQ(find(document, "/e^f").as_int(), 3);
  EXPECT_EQ(find(document, "/g|h").as_int(), 4);
  EXPECT_EQ(find(document, "/i\\j").as_int(), 5);
  EXPECT_EQ(find(document, "/k\"l").as_int(), 6);
  EXPECT_EQ(find(document, "/ ").as_int(), 7);
  EXPECT_EQ(find(document, "/m~0n").as_int(), 8);
}

TEST(PointerTest, FindsNothingWhereThereIsNothing) {
  const Value document = parse(R"({"list": [1], "text": "x", "null": null})");
  for (const char* text : {"/none", "/list/1", "/list/-", "/list/00", "/list/-1", "/list/+0", "/list/x", "/list/",
                           "/list/18446744073709551616", "/text/0", "/null/a", "/list/0/a"}) {
    EXPECT_FALSE(find(document, text).exists()) << text;
  }
  EXPECT_TRUE(find(document, "/null").is_null());
}

TEST(PointerTest, FindInATemporaryKeepsTheBuffer) {
  const Value image = find(parse(R"({"spec": {"image": "nginx"}})"), "/spec/image");
  EXPECT_EQ(image.as_string(), "nginx");
}

TEST(PointerTest, IsBuiltFromPartsThatNeedNoEscaping) {
  // [snippet: pointer]
  const Value pod = parse(R"({"metadata": {"annotations": {"example.com/owner": "team-a"}},
                              "spec": {"containers": [{"name": "web", "image": "nginx"}]}})");
  EXPECT_EQ(find(pod, "/spec/containers/0/image").as_string(), "nginx");
  EXPECT_FALSE(find(pod, "/spec/containers/7/image").exists());

  const Pointer owner = Pointer("/metadata/annotations") / "example.com/owner";
  EXPECT_EQ(owner.to_string(), "/metadata/annotations/example.com~1owner");
  EXPECT_EQ(owner.path(), R"(metadata.annotations["example.com/owner"])");
  EXPECT_EQ(find(pod, owner).as_string(), "team-a");
  // [end]
  EXPECT_EQ((Pointer() / "a" / 3 / "").to_string(), "/a/3/");
  EXPECT_EQ(Pointer::of({"~", "/", "~1"}).to_string(), "/~0/~1/~01");
}

TEST(PointerTest, KnowsItsRelatives) {
  const Pointer pointer("/a/b");
  EXPECT_EQ(pointer.parent(), Pointer("/a"));
  EXPECT_EQ(Pointer("").parent(), Pointer());
  EXPECT_EQ(pointer.back(), "b");
  EXPECT_TRUE(Pointer().is_root());
  EXPECT_TRUE(Pointer("/a").contains(pointer));
  EXPECT_TRUE(pointer.contains(pointer));
  EXPECT_FALSE(pointer.contains(Pointer("/a")));
  EXPECT_FALSE(Pointer("/a").contains(Pointer("/ab")));
  EXPECT_LT(Pointer("/a"), pointer);
}

TEST(PointerTest, TakesATildeLiterallyWhenTold) {
  EXPECT_EQ(Pointer("/a~2/~", {.literal_tilde = true}), Pointer::of({"a~2", "~"}));
  EXPECT_EQ(Pointer("/~01~1", {.literal_tilde = true}), Pointer::of({"~1/"}));
}

TEST(PointerTest, SaysWhatIsWrongAndWhatToWrite) {
  const std::pair<const char*, const char*> wrong[] = {
      {"a", R"(the JSON pointer "a" does not begin with '/': did you mean "/a"?)"},
      {"spec/replicas", R"(the JSON pointer "spec/replicas" does not begin with '/': did you mean "/spec/replicas"?)"},
      {"spec.replicas", R"(the JSON pointer "spec.replicas" does not begin with '/': did you mean "/spec/replicas"?)"},
      {"#/spec", R"(the JSON pointer "#/spec" is a URL fragment: leave the '#' away)"},
      {" /a", R"(the JSON pointer " /a" does not begin with '/': did you mean "/ /a"?)"},
      {"/a~2b", R"(the JSON pointer "/a~2b" holds "~2" (byte 3): write ~0 for '~' and ~1 for '/')"},
      {"/a~", R"(the JSON pointer "/a~" holds a '~' at the end of a part (byte 3): write ~0 for '~' and ~1 for '/')"},
      {"/~/b", R"(the JSON pointer "/~/b" holds a '~' at the end of a part (byte 2): write ~0 for '~' and ~1 for '/')"},
      {"/~~0", R"(the JSON pointer "/~~0" holds "~~" (byte 2): write ~0 for '~' and ~1 for '/')"},
  };
  for (const auto& [text, message] : wrong) {
    try {
      const Pointer pointer(text);
      ADD_FAILURE() << text << " was taken as " << pointer.to_string();
    } catch (const PointerError& error) {
      EXPECT_STREQ(error.what(), message);
    }
  }
}

TEST(PointerTest, ReadsBackWhatItWrote) {
  EXPECT_TRUE(rc::check([] {
    const auto parts = *rc::gen::container<std::vector<std::string>>(alike::key());
    const Pointer pointer = Pointer::of(parts);
    RC_ASSERT(Pointer(pointer.to_string()) == pointer);
    RC_ASSERT(pointer.parts() == parts);
  }));
}

}  // namespace
}  // namespace flyball::json
