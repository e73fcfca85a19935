// Wrong YAML, and exactly what a person is told.
#include <string>

#include <gtest/gtest.h>

#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::json {
namespace {

struct Wrong {
  std::string text;
  const char* message;
};

const std::vector<Wrong>& wrong_documents() {
  static const std::vector<Wrong> documents = {
      {"", "the text holds no YAML document"},
      {"# nothing\n", "the text holds no YAML document"},
      // Keys.
      {"a: 1\na: 2\n", R"(line 2, column 1: a: the key "a" stands twice, first on line 1)"},
      {"spec:\n  ports:\n  - port: 80\n    port: 81\n",
       R"(line 4, column 5: spec.ports[0].port: the key "port" stands twice, first on line 3)"},
      {"1: a\n'1': b\n", R"(line 2, column 1: 1: the key "1" stands twice, first on line 1)"},
      {": 1\n", "line 1, column 1: a key must be a string, found nothing or null before the ':'"},
      {"[1]: 2\n", "line 1, column 1: a key must be a string, found a list"},
      {"image: {{ x }}\n",
       "line 1, column 9: image: a key must be a string, found a map; put text like '{{ name }}' in quotes"},
      {"18446744073709551615: a\n",
       "line 1, column 1: a key must be a string, found 18446744073709551615; put it in quotes"},
      {"a: b\nc\n", "line 2, column 1: c: expected ':' after the key"},
      {"a: b\nc\n d\n", "line 2, column 1: [\"c d\"]: expected ':' after the key"},
      // Indentation and structure.
      {"a:\n\tb: 1\n", "line 2, column 2: a: a tab indents this line; YAML takes only spaces"},
      {"-\ta\n", "line 1, column 3: a tab indents this line; YAML takes only spaces"},
      {"metadata:\n  labels:\n    app: web\n   tier: x\n",
       "line 4, column 4: metadata.labels: this does not belong to the map above it; check the indentation"},
      {"a: 1\n- b\n", "line 2, column 1: a: this does not belong to the map above it; check the indentation"},
      {"- a\nb: 1\n",
       "line 2, column 1: this stands after the end of the document; check the indentation, or put a line '---' "
       "between "
       "documents"},
      {"a: b: c\n",
       "line 1, column 5: a: a ': ' cannot stand here; put a value that holds ': ' in quotes, or check the "
       "indentation"},
      {"a: - b\n", "line 1, column 4: a: a list item ('- ') cannot start here; put it on a line of its own"},
      {"a: ? b\n", "line 1, column 4: a: a key ('? ') cannot start here; put it on a line of its own"},
      {"a: 1\n---\nb: 2\n", "line 3, column 1: a second document starts here, and only one was expected"},
      // Flow style.
      {"a: [1, 2\nb: 3\n", "line 2, column 2: a[1]: expected ',' or ']': the '[' before this is not closed"},
      {"a: {b: 1\n", "line 2, column 1: a.b: expected ',' or '}': the '{' before this is not closed"},
      {"a: ]\n", "line 1, column 4: a: this bracket closes nothing that is open"},
      {"[1,,2]\n", "line 1, column 4: [0]: expected a value before ','"},
      // Quotes and escapes.
      {"a: 'b\n", "line 2, column 1: a: the quoted string is not closed before the text ends"},
      {"a: \"b", "line 1, column 6: a: the quoted string is not closed before the text ends"},
      {"a: '", "line 1, column 4: a: the quoted string is not closed before the text ends"},
      {"a: \"b\n---\nc\"\n",
       "line 2, column 1: a: a quoted string runs into the document marker '---' or '...'; close the quotes"},
      {"a: \"\\q\"\n",
       R"(line 1, column 7: a: "\q" is not an escape YAML knows; in single quotes a backslash is itself)"},
      {"a: \"\\x4\"\n", "line 1, column 9: a: the escape needs hexadecimal digits"},
      {"a: \"\\ud83d\"\n", "line 1, column 11: a: the escape is not a Unicode character"},
      {"a: @b\n", "line 1, column 4: a: a plain value cannot start with this character; put the value in quotes"},
      {"a: |x\n  y\n", "line 1, column 5: a: only a comment may follow '|' or '>' on their line"},
      {"a: |0\n y\n", "line 1, column 6: a: the indentation of a block of text is a digit from 1 to 9"},
      // Characters.
      {"a: \xff\n", "line 1, column 4: the byte 0xFF is not valid UTF-8 here"},
      {"a: 1\nb: \x01\n",
       "line 2, column 4: the control character U+0001 is not allowed in YAML; write it as an escape in double quotes"},
      // Values.
      {"spec:\n  cpu: .inf\n", "line 2, column 8: spec.cpu: JSON has no number like .inf; put it in quotes"},
      {"a: !!int abc\n", R"(line 1, column 4: a: the tag !!int does not fit the string "abc", which is !!str)"},
      {"a: !!binary '?'\n", "line 1, column 4: a: !!binary takes base64, and this is not"},
      {"a: !!binary /w==\n",
       "line 1, column 4: a: !!binary holds bytes that are not text; leave the tag out to keep base64"},
      {"a: !!str !!int 1\n", "line 1, column 10: a: a value can have only one tag"},
      // Anchors, aliases, merges.
      {"a: *x\n", "line 1, column 4: a: the alias names an anchor that is not defined above it"},
      {"a: &x [*x]\n", "line 1, column 8: a[0]: the alias stands inside the value it stands for"},
      {"a: *\n", "line 1, column 5: a: expected the name of an anchor after '*'; put a value that starts so in quotes"},
      {"a:\n  <<: 1\n", "line 2, column 7: a: '<<' takes a map, an alias of one, or a list of these"},
  };
  return documents;
}

TEST(WrongYaml, IsRefusedWithAMessageThatSaysWhereAndWhatToDo) {
  for (const Wrong& wrong : wrong_documents()) {
    try {
      ADD_FAILURE() << "accepted: " << wrong.text << " as " << write(parse_yaml(wrong.text));
    } catch (const ParseError& error) {
      EXPECT_STREQ(error.what(), wrong.message) << wrong.text;
    }
  }
}

}  // namespace
}  // namespace flyball::json
