#include "flyball/client/detail/kubeconfig_fields.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "flyball/client/detail/files.hpp"
#include "flyball/json/path.hpp"
#include "flyball/json/pointer.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::client::detail {
namespace {

std::string below(std::string pointer, const std::string& name) {
  if (!name.empty()) json::append_part(pointer, name);
  return pointer;
}

bool is_scalar(json::Kind kind) {
  return kind == json::Kind::boolean || kind == json::Kind::integer || kind == json::Kind::number;
}

}  // namespace

void KubeconfigFile::fail(const std::string& pointer, const std::string& problem) const {
  const std::string what = InputError(positions.nearest(pointer), json::path_of_pointer(pointer), problem).what();
  throw InputError({}, name, what);
}

Fields::Fields(const KubeconfigFile& file, json::View object, std::string pointer, std::string who)
    : file_(file), object_(object), pointer_(std::move(pointer)), who_(std::move(who)) {
  if (object_.exists() && !object_.is_null() && !object_.is_object()) {
    fail("", "expected a map, found " + std::string(json::describe(object_.kind())));
  }
}

void Fields::fail(const std::string& name, const std::string& problem) const {
  fail_at(below(pointer_, name), problem);
}

void Fields::fail_at(const std::string& pointer, const std::string& problem) const {
  file_.fail(pointer, problem + (who_.empty() ? "" : " (" + who_ + ")"));
}

json::View Fields::find(const std::string& name, json::Kind kind) const {
  const json::View found = object_[name];
  if (!found.exists() || found.is_null()) return {};
  if (found.kind() == kind) return found;
  const bool quotes = kind == json::Kind::string && is_scalar(found.kind());
  fail(name, "expected " + std::string(json::describe(kind)) + ", found " + std::string(json::describe(found.kind())) +
                 (quotes ? "; put it in quotes" : ""));
}

bool Fields::has(const std::string& name) const {
  const json::View found = object_[name];
  return found.exists() && !found.is_null() && !(found.is_string() && found.as_string().empty());
}

std::string Fields::text(const std::string& name) const {
  return std::string(find(name, json::Kind::string).string_or(""));
}

bool Fields::flag(const std::string& name) const {
  const json::View found = find(name, json::Kind::boolean);
  return found.exists() && found.as_bool();
}

std::string Fields::data(const std::string& name) const {
  const std::string encoded = text(name);
  const std::optional<std::string> bytes = kube::from_base64(encoded);
  if (bytes) return *bytes;
  const bool pem = encoded.find("-----BEGIN") != std::string::npos;
  fail(name, pem ? "this is PEM text; fields that end in -data hold it as base64 (base64 -w0 < file)"
                 : "this is not base64; was a part lost when it was copied?");
}

std::string Fields::path(const std::string& name) const {
  const std::string written = text(name);
  if (written.empty()) return {};
  return (std::filesystem::path(file_.folder) / written).lexically_normal().string();
}

std::string Fields::file(const std::string& name) const {
  std::string absolute = path(name);
  if (absolute.empty()) return {};
  try {
    (void)read_file(absolute);
  } catch (const InputError& error) {
    const bool home = object_[name].as_string().starts_with('~');
    fail(name, absolute + ": " + error.problem() + (home ? "; write the whole path, ~ means nothing here" : ""));
  }
  return absolute;
}

std::vector<std::string> Fields::texts(const std::string& name) const {
  std::vector<std::string> all;
  for (const json::View item : find(name, json::Kind::array).items()) {
    if (!item.is_string()) {
      fail_at(below(below(pointer_, name), std::to_string(all.size())),
              "expected a string, found " + std::string(json::describe(item.kind())) +
                  (is_scalar(item.kind()) ? "; put it in quotes" : ""));
    }
    all.emplace_back(item.as_string());
  }
  return all;
}

std::map<std::string, std::vector<std::string>> Fields::lists(const std::string& name) const {
  std::map<std::string, std::vector<std::string>> all;
  const Fields map = object(name);
  for (const auto [key, value] : map.object_.entries()) all[std::string(key)] = map.texts(std::string(key));
  return all;
}

Fields Fields::object(const std::string& name) const {
  return {file_, find(name, json::Kind::object), below(pointer_, name), who_};
}

std::vector<Fields> Fields::objects(const std::string& name) const {
  std::vector<Fields> all;
  for (const json::View item : find(name, json::Kind::array).items()) {
    all.emplace_back(file_, item, below(below(pointer_, name), std::to_string(all.size())), who_);
  }
  return all;
}

void Fields::warn_of_others(std::initializer_list<std::string_view> known, const Logger& log) const {
  const std::vector<std::string_view> names(known);
  for (const auto [key, value] : object_.entries()) {
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    log.warn("unknown field in the kubeconfig; it is passed over", "file", file_.name, "field",
             json::path_of_pointer(pointer_) + "." + std::string(key), "near",
             std::string(reflect::nearest_name(key, names)));
  }
}

}  // namespace flyball::client::detail
