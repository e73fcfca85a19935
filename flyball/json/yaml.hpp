// YAML in and out, with the meaning Kubernetes gives it (sigs.k8s.io/yaml: YAML 1.1 scalars, JSON values).
//
//   json::Value pod = json::parse_yaml(text);                         // exactly one document
//   for (json::Value object : json::YamlDocuments(text)) apply(object);  // a stream of them, read one by one
//   std::string file = json::write_yaml(pod);                         // as `kubectl get -o yaml` prints
//
// The rules that surprise people: `yes`, `no`, `on`, `off`, `y`, `n` are booleans; `0777` and `0o777` are octal; `~`
// and nothing at all are null; dates stay strings; keys that are numbers or booleans become strings; merge keys (`<<`)
// and aliases are expanded, within bounds. docs/yaml.md has them all.
//
// What is refused, with line, column and field: a key that stands twice (unless told otherwise), tabs that indent,
// invalid UTF-8 and control characters, infinities and NaN, null or compound keys, aliases that blow up.
//
// Thread-safety: the functions are pure; a YamlDocuments belongs to one thread.
#pragma once

#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/json/parse.hpp"
#include "flyball/json/positions.hpp"
#include "flyball/json/value.hpp"

namespace flyball::json {

struct YamlOptions {
  // Of the text and of the value it stands for. YAML nests at most 480 levels, whatever this says.
  Limits limits = {};
  // Default: a key that stands twice in one map is an error. A key that overrides a merged one is not.
  Duplicates duplicates = Duplicates::refuse;
  // With last_wins: every key that stood twice is reported here, as the error it would have been. Default: nowhere.
  std::vector<InputError>* reports = nullptr;
  // Filled with where each part of the document stands; emptied at the start of every document. Default: nowhere.
  Positions* positions = nullptr;
};

// The one document of the text. Documents that are null or empty (a trailing `---`) do not count, unless there is
// nothing else. Throws ParseError. Text that starts with `{` and is JSON is read as JSON.
Value parse_yaml(std::string_view text, const YamlOptions& options = {});

// All documents of the text; those that are null or empty are skipped, as kubectl does.
std::vector<Value> parse_yaml_documents(std::string_view text, const YamlOptions& options = {});

// The documents of a stream, each read when it is asked for. The text must outlive this.
class YamlDocuments {
 public:
  explicit YamlDocuments(std::string_view text, const YamlOptions& options = {});
  ~YamlDocuments();
  YamlDocuments(YamlDocuments&&) noexcept;
  YamlDocuments& operator=(YamlDocuments&&) noexcept;

  // The next document that is not empty; nothing at the end. Throws ParseError, after which there is nothing more.
  std::optional<Value> next();

  // One pass only.
  class iterator {
   public:
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    const Value& operator*() const { return *value_; }
    iterator& operator++() {
      value_ = documents_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& it, std::default_sentinel_t) { return !it.value_; }

   private:
    friend class YamlDocuments;
    explicit iterator(YamlDocuments* documents) : documents_(documents) { ++*this; }
    YamlDocuments* documents_ = nullptr;
    std::optional<Value> value_;
  };
  iterator begin() { return iterator(this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  class Source;
  std::unique_ptr<Source> source_;
};

struct YamlWriteOptions {
  // Keys in the order sigs.k8s.io/yaml gives them: letters by code point, runs of digits by their value, so that `a2`
  // stands before `a10`. Otherwise the order they have. Default: true.
  bool sort_keys = true;
};

// Block style, two spaces, sequences at the column of their key; ends with a line break. Strings are quoted exactly
// where another reader would take them for something else. An absent view writes as null.
std::string write_yaml(View value, const YamlWriteOptions& options = {});

// Several documents with `---` between them.
std::string write_yaml_documents(std::span<const Value> values, const YamlWriteOptions& options = {});

}  // namespace flyball::json
