#include "flyball/json/split.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

constexpr std::string_view kTricky[] = {
    R"({"a":"}]{[","b":"\"}","c":"\\","d":["\\\"]",{"e":{}}]})",
    R"({})",
    R"([[],[[]],"[[["])",
    R"({"long":"0123456789012345678901234567890123456789012345678901234567890\\\\\\\"}}}}","x":1})",
    R"({"slashes":"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"})",
};

std::vector<std::string> split_documents(std::string_view text, std::size_t piece) {
  DocumentSplitter splitter;
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    splitter.feed(text.substr(at, piece), [&](std::string_view item) { found.emplace_back(item); });
  }
  splitter.finish();
  return found;
}

struct SplitList {
  std::vector<std::string> items;
  Value rest;
};

SplitList split_list(std::string_view text, std::size_t piece) {
  ListSplitter splitter;
  SplitList list;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    splitter.feed(text.substr(at, piece), [&](std::string_view item) { list.items.emplace_back(item); });
  }
  list.rest = splitter.finish();
  return list;
}

template <class Splitter>
std::string error_of(Splitter splitter, std::string_view text) {
  try {
    splitter.feed(text, [](std::string_view) {});
    splitter.finish();
  } catch (const ParseError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SplitTest, FindsTheSameDocumentsHoweverTheStreamIsCut) {
  std::string stream;
  std::vector<std::string> expected;
  for (std::string_view document : kTricky) {
    stream += std::string(document) + "\n";
    expected.emplace_back(document);
  }
  for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
    EXPECT_EQ(split_documents(stream, piece), expected) << "in pieces of " << piece;
  }
}

TEST(SplitTest, NeedsNoBlanksBetweenDocuments) {
  EXPECT_EQ(split_documents("{}[1]{\"a\":2}", 100), (std::vector<std::string>{"{}", "[1]", "{\"a\":2}"}));
}

TEST(SplitTest, SplitsAListAndKeepsTheRest) {
  std::string text = R"({"kind":"PodList","metadata":{"items":["not these"],"resourceVersion":"7"}, "items" : [ )";
  std::vector<std::string> expected;
  for (std::string_view item : kTricky) {
    if (!expected.empty()) text += " ,\n";
    text += item;
    expected.emplace_back(item);
  }
  text += R"( ],"apiVersion":"v1"})";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const SplitList list = split_list(text, piece);
    EXPECT_EQ(list.items, expected) << "in pieces of " << piece;
    EXPECT_EQ(
        write(list.rest),
        R"({"kind":"PodList","metadata":{"items":["not these"],"resourceVersion":"7"},"items":[],"apiVersion":"v1"})");
  }
}

TEST(SplitTest, TakesAListAsItComesInFromTheNetwork) {
  const std::vector<std::string> chunks = {R"({"kind":"PodList","items":[{"metadata":{"na)", R"(me":"web-0"}},{"met)",
                                           R"(adata":{"name":"web-1"}}],"metadata":{"resourceVersion":"42"}})"};
  // [snippet: split-list]
  json::ListSplitter list;
  std::vector<std::string> names;
  for (const std::string& chunk : chunks) {
    list.feed(chunk, [&](std::string_view item) {
      const json::Value pod = json::parse(item);  // one Pod; nothing else is held
      names.emplace_back(pod["metadata"]["name"].as_string());
    });
  }
  const json::Value rest = list.finish();  // the list without its items
  // [end]
  EXPECT_EQ(names, (std::vector<std::string>{"web-0", "web-1"}));
  EXPECT_EQ(write(rest), R"({"kind":"PodList","items":[],"metadata":{"resourceVersion":"42"}})");
}

TEST(SplitTest, AListMayHaveNoItemsOrNullOrNoneAtAll) {
  EXPECT_TRUE(split_list(R"({"items":[]})", 3).items.empty());
  EXPECT_TRUE(split_list(R"({"items":[ ],"kind":"x"})", 3).items.empty());
  EXPECT_EQ(write(split_list(R"({"items":null})", 3).rest), R"({"items":null})");
  EXPECT_EQ(write(split_list(R"({"kind":"items"})", 3).rest), R"({"kind":"items"})");
}

TEST(SplitTest, CutsRandomDocumentsWhereTheyEnd) {
  std::mt19937 random(7);
  const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  for (int round = 0; round < 300; ++round) {
    std::string stream;
    std::vector<std::string> expected;
    for (int n = pick(6); n >= 0; --n) {
      std::string noise;
      for (int i = pick(150); i > 0; --i) noise += "{}[]\"\\x ,:"[pick(10)];
      const std::string document = write(object({{noise, array({noise, object(), 1})}}));
      stream += document + std::string(static_cast<std::size_t>(pick(3)), '\n');
      expected.push_back(document);
    }
    EXPECT_EQ(split_documents(stream, static_cast<std::size_t>(1 + pick(200))), expected);
  }
}

TEST(SplitTest, HoldsNoMoreThanOneItem) {
  DocumentSplitter splitter;
  std::string document = "{\"a\":\"" + std::string(1000, 'x') + "\"}";
  std::size_t most = 0;
  for (int i = 0; i < 1000; ++i) {
    for (std::size_t at = 0; at < document.size(); at += 100) {
      splitter.feed(std::string_view(document).substr(at, 100), [](std::string_view) {});
      most = std::max(most, splitter.pending());
    }
  }
  EXPECT_LE(most, document.size());
  EXPECT_EQ(splitter.pending(), 0U);
}

TEST(SplitTest, SaysWhatIsWrongWithAStream) {
  EXPECT_EQ(error_of(DocumentSplitter(), "{} x"), "byte 3 of the stream: expected an object or an array, found 'x'");
  EXPECT_EQ(error_of(DocumentSplitter(), "{} {\"a\":"), "the stream ended within a document, 5 bytes into it");
  EXPECT_EQ(error_of(DocumentSplitter({.size = 4}), "{\"a\":1}"),
            "an item of the stream has more than the 4 bytes allowed");
  EXPECT_EQ(error_of(ListSplitter(), R"({"items":[{},,{}]})"), "items[1]: expected an object, found ','");
  EXPECT_EQ(error_of(ListSplitter(), R"({"items":[{} {}]})"), "items[1]: expected ',' or ']' after an item, found '{'");
  EXPECT_EQ(error_of(ListSplitter(), R"({"items":[{},]})"), "items[1]: expected an object, found ']'");
  EXPECT_EQ(error_of(ListSplitter(), R"({"items":[1]})"), "items[0]: expected an object, found '1'");
  EXPECT_EQ(error_of(ListSplitter(), R"({"items":[{}, {"a")"), "items[1]: the stream ended within the items");
  EXPECT_EQ(error_of(ListSplitter(), R"({"items":[]])"),
            "line 1, column 12: items: expected ',' or '}' after a member, found ']'");
  EXPECT_EQ(error_of(ListSplitter("items", {.size = 10}), R"({"kind":"PodList"})"),
            "the list without its items has more than the 10 bytes allowed");
}

}  // namespace
}  // namespace flyball::json
