// Normalizer: an answer without what differs from one run to the next. Each case has its own.
//
//   Normalizer normalizer(script_text, ns);
//   json::Value same_every_time = normalizer.body(answer);
//
// What is replaced by a symbol, numbered in the order of first appearance, so that equal stays equal: resourceVersions
// <rv1>, UIDs <uid1>, generated names web-<generated1>, cluster IPs <ip1>, node ports <port1>. What is replaced by a
// word: times <time>, ages in tables <age>, continue tokens <continue>, versions of lists and bookmarks <list> (they
// tell where the whole server stands, which the case does not decide). What the script itself spells out stays.
//
// managedFields are put into an order that does not depend on whether a second passed between two writes; an order of
// the server's that its own times do not explain is marked. fieldsV1 becomes text, on one line.
//
// Thread-safety: none.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/json/builder.hpp"
#include "flyball/json/value.hpp"

namespace flyball::differential {

struct Context {
  bool exact_list = false;  // the list's version is one that was asked for: <rv1> or <list1> again
  bool bookmark = false;    // the object of a BOOKMARK event
  bool version = false;     // the answer of /version
};

class Normalizer {
 public:
  Normalizer(std::string script, std::string ns) : script_(std::move(script)), ns_(std::move(ns)) {}

  json::Value body(json::View raw, const Context& context = {});
  std::string text(std::string_view text);

 private:
  using Symbols = std::map<std::string, std::string, std::less<>>;

  void learn(json::View value);
  void learn_name(std::string_view stem, std::string_view name);
  void write(json::View value, std::string_view key, json::Builder& to);
  void write_columns(json::View columns, json::Builder& to);
  void write_member(std::string_view name, json::View member, json::Builder& to);
  void write_list_metadata(json::View metadata, json::Builder& to);
  void write_managed_fields(json::View list, json::Builder& to);
  void write_causes(json::View causes, json::Builder& to);
  void write_cells(json::View cells, json::Builder& to);
  std::string string(std::string_view text, std::string_view key);
  std::string list_version(std::string_view version);
  std::string symbol(Symbols& symbols, std::string_view what, std::string_view stem);
  bool in_script(std::string_view text) const { return script_.find(text) != std::string::npos; }
  std::string replace_uids(std::string text);
  std::string replace_ips(std::string text);
  std::string replace_ports(std::string text);
  std::string replace_versions(std::string_view text);

  // Constant after construction.
  const std::string script_;
  const std::string ns_;

  Context context_;
  std::vector<bool> aged_;  // which columns of the table that is being written tell how long ago something was
  int list_count_ = 0;      // two lists may have one version, by chance
  Symbols uids_;
  Symbols versions_;
  Symbols lists_;
  Symbols names_;
  Symbols ips_;
  Symbols ports_;
};

}  // namespace flyball::differential
