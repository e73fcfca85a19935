// The options of the client's verbs: one aggregate each, with a default for everything.
//
//   client.list<core::Pod>({.namespace_ = "default", .labels = {{"app", "web"}}});
//   client.apply(deployment, {.force = true, .dry_run = true});
//   client.delete_<core::Pod>(key, {.propagation = Propagation::foreground, .grace = 0s});
//
// Thread-safety: values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "flyball/json/value.hpp"
#include "flyball/kube/field_selector.hpp"
#include "flyball/kube/labels.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::client {

// What the server does with fields it does not know, or that stand twice.
enum class FieldValidation : std::uint8_t {
  server,  // the server's default: warn
  ignore,
  warn,    // drops them and warns; the warning goes to the log
  strict,  // refuses them
};

// Whether objects that this one owns are deleted too.
enum class Propagation : std::uint8_t {
  server,      // the kind's default: background for almost all
  background,  // they go after it
  foreground,  // they go before it
  orphan,      // they stay
};

enum class ResourceVersionMatch : std::uint8_t {
  server,          // the server's default
  exact,           // the list as it was at that version
  not_older_than,  // that version or any later one
};

// What a list does when its continue token has expired before the last page was read (410).
enum class OnExpired : std::uint8_t {
  fail,   // throws ApiError, is_expired()
  go_on,  // goes on with the objects as they are now: nothing comes twice, but the pages are not of one moment
};

struct GetOptions {
  std::string resource_version = {};  // not older than that ("0": any, from the server's cache); empty: the latest
};

struct ListOptions {
  std::string namespace_ = {};   // empty: all namespaces
  Labels labels = {};            // every one of these
  kube::Selector selector = {};  // and this: Selector::parse("tier in (cache,db),!canary")
  kube::FieldSelector fields = {};
  std::int64_t page_size = 500;       // objects per request; 0: all in one
  std::string resource_version = {};  // empty: the latest, read from the storage; "0": any, from the server's cache
  ResourceVersionMatch match = ResourceVersionMatch::server;
  OnExpired on_expired = OnExpired::fail;
};

struct WriteOptions {
  bool dry_run = false;            // everything but the storing
  std::string field_manager = {};  // empty: the client's
  FieldValidation validation = FieldValidation::server;
};

struct ApplyOptions {
  bool force = false;  // take fields over from other managers; without it they are a Conflict whose causes name them
  bool dry_run = false;
  std::string field_manager = {};  // empty: the client's
  FieldValidation validation = FieldValidation::server;
};

struct DeleteOptions {
  Propagation propagation = Propagation::server;
  std::optional<std::chrono::seconds> grace = {};  // until what runs is killed; the kind's default without
  std::string uid = {};                            // only this very object: else Conflict
  std::string resource_version = {};               // only in this version: else Conflict
  bool dry_run = false;
  bool missing_is_fine = false;  // false is returned instead of NotFound thrown
};

enum class PatchType : std::uint8_t { json, merge, strategic };

// A change to send: client.patch<apps::Deployment>(key, Patch::merge(json::object({...}))).
struct Patch {
  PatchType type = PatchType::merge;
  json::Value body = {};

  // RFC 6902: a list of operations.
  static Patch json(json::Value operations) { return {PatchType::json, std::move(operations)}; }
  // RFC 7386: a partial object; lists are replaced.
  static Patch merge(json::Value partial) { return {PatchType::merge, std::move(partial)}; }
  // Kubernetes' own: a partial object; lists are merged by their keys. Built-in kinds only.
  static Patch strategic(json::Value partial) { return {PatchType::strategic, std::move(partial)}; }
};

}  // namespace flyball::client
