// The fields of one entry of a kubeconfig, and its mistakes with file, line and field.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/log.hpp"
#include "flyball/base/secret.hpp"
#include "flyball/json/positions.hpp"
#include "flyball/json/value.hpp"

namespace flyball::client::detail {

struct KubeconfigFile {
  std::string name;    // as given, for errors
  std::string folder;  // absolute; relative paths begin here
  json::Positions positions = {};

  // "/home/me/.kube/config: line 7, column 5: users[0].user.exec: <problem>"
  [[noreturn]] void fail(const std::string& pointer, const std::string& problem) const;
};

// Absent and null members are empty. Members of another kind than asked for throw InputError, which repeats no value:
// it may be a secret.
class Fields {
 public:
  // `who` says whose they are: user "admin"; empty for the file's own. The file and the object outlive it.
  Fields(const KubeconfigFile& file, json::View object, std::string pointer, std::string who);

  bool has(const std::string& name) const;
  std::string text(const std::string& name) const;
  Secret secret(const std::string& name) const { return Secret(text(name)); }
  bool flag(const std::string& name) const;
  // Bytes written as base64.
  std::string data(const std::string& name) const;
  // An absolute path to a file that can be read.
  std::string file(const std::string& name) const;
  // The path itself, absolute.
  std::string path(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;
  std::map<std::string, std::vector<std::string>> lists(const std::string& name) const;
  Fields object(const std::string& name) const;
  std::vector<Fields> objects(const std::string& name) const;
  json::View view() const { return object_; }
  const std::string& who() const { return who_; }

  // A field was misspelt, or is newer than we are: says so in the log.
  void warn_of_others(std::initializer_list<std::string_view> known, const Logger& log) const;
  // Of a field, or of the whole with an empty name.
  [[noreturn]] void fail(const std::string& name, const std::string& problem) const;

 private:
  json::View find(const std::string& name, json::Kind kind) const;
  [[noreturn]] void fail_at(const std::string& pointer, const std::string& problem) const;

  const KubeconfigFile& file_;
  json::View object_;
  std::string pointer_;
  std::string who_;
};

}  // namespace flyball::client::detail
