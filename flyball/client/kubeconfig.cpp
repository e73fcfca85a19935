#include "flyball/client/kubeconfig.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "flyball/client/detail/files.hpp"
#include "flyball/client/detail/kubeconfig_fields.hpp"
#include "flyball/json/pointer.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::client {
namespace {

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

void expect_text(const detail::Fields& root, const std::string& name, std::string_view expected) {
  const std::string found = root.text(name);
  if (found.empty() || found == expected) return;
  root.fail(name,
            "expected " + in_quotes(expected) + ", found " + in_quotes(found) + "; is this another kind of file?");
}

}  // namespace

Kubeconfig Kubeconfig::parse(std::string_view text, const std::string& file) {
  const auto about = std::make_shared<detail::KubeconfigFile>();
  about->name = file;
  std::error_code none;
  about->folder = std::filesystem::absolute(file, none).parent_path().string();
  json::Value root;
  try {
    // Nothing but comments is a kubeconfig too, with nothing in it.
    const json::YamlOptions options{.duplicates = json::Duplicates::last_wins};
    if (json::YamlDocuments(text, options).next()) {
      root = json::parse_yaml(text, {.duplicates = json::Duplicates::last_wins, .positions = &about->positions});
    }
  } catch (const InputError& error) {
    throw InputError({}, file, error.what());
  }
  const detail::Fields top(*about, root, "", "");
  expect_text(top, "apiVersion", "v1");
  expect_text(top, "kind", "Config");

  Kubeconfig kubeconfig;
  kubeconfig.files_ = {file};
  kubeconfig.current_context_ = top.text("current-context");
  kubeconfig.contexts_ = read_entries(about, root, "contexts", "context");
  kubeconfig.clusters_ = read_entries(about, root, "clusters", "cluster");
  kubeconfig.users_ = read_entries(about, root, "users", "user");
  return kubeconfig;
}

Kubeconfig::Entries Kubeconfig::read_entries(const std::shared_ptr<const detail::KubeconfigFile>& file,
                                             const json::Value& root, const std::string& list,
                                             const std::string& member) {
  Entries entries;
  std::set<std::string> names;
  const detail::Fields top(*file, root, "", "");
  for (const detail::Fields& item : top.objects(list)) {
    const std::string name = item.text("name");
    if (name.empty()) item.fail("name", "missing; every entry needs a name");
    if (!names.insert(name).second) {
      item.fail("name", "another " + member + " has the name " + in_quotes(name) + " too");
    }
    std::string pointer;
    for (const std::string& part : {list, std::to_string(entries.size()), member}) json::append_part(pointer, part);
    entries.push_back({name, root.slice(item.view()[member]), file, std::move(pointer)});
  }
  return entries;
}

Kubeconfig Kubeconfig::load(const std::vector<std::string>& files) {
  Kubeconfig all;
  std::set<std::string> seen;
  for (const std::string& file : files) {
    std::error_code none;
    if (file.empty() || !seen.insert(file).second || !std::filesystem::exists(file, none)) continue;
    all.merge(parse(detail::read_file(file), file));
  }
  return all;
}

void Kubeconfig::merge(Kubeconfig later) {
  const auto add = [](Entries& to, Entries& from) {
    for (Entry& entry : from) {
      const bool known = std::any_of(to.begin(), to.end(), [&](const Entry& e) { return e.name == entry.name; });
      if (!known) to.push_back(std::move(entry));
    }
  };
  if (current_context_.empty()) current_context_ = std::move(later.current_context_);
  add(contexts_, later.contexts_);
  add(clusters_, later.clusters_);
  add(users_, later.users_);
  files_.insert(files_.end(), later.files_.begin(), later.files_.end());
}

std::vector<std::string> Kubeconfig::contexts() const {
  std::vector<std::string> names;
  for (const Entry& entry : contexts_) names.push_back(entry.name);
  return names;
}

std::string Kubeconfig::all_files() const { return files_.empty() ? "the kubeconfig" : joined(files_); }

const Kubeconfig::Entry& Kubeconfig::find(const Entries& entries, const std::string& kind, const std::string& name,
                                          const std::string& asked_by) const {
  std::vector<std::string> names;
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry;
    names.push_back(in_quotes(entry.name));
  }
  const std::string_view near = reflect::nearest_name(in_quotes(name), {names.begin(), names.end()});
  throw InputError({}, all_files(),
                   "there is no " + kind + " " + in_quotes(name) + asked_by +
                       (near.empty() ? "." : ". Did you mean " + std::string(near) + "?") +
                       (names.empty() ? " There is none at all." : " There are: " + joined(names)));
}

const Kubeconfig::Entry* Kubeconfig::choose_context(const std::string& wanted, bool needed) const {
  if (!wanted.empty()) return &find(contexts_, "context", wanted, "");
  if (!current_context_.empty()) {
    return &find(contexts_, "context", current_context_, ", which current-context names");
  }
  if (!needed) return nullptr;
  std::vector<std::string> names;
  for (const Entry& entry : contexts_) names.push_back(in_quotes(entry.name));
  throw InputError({}, all_files(),
                   names.empty() ? "it has no context, so no cluster can be chosen"
                                 : "current-context is not set; choose one of: " + joined(names) +
                                       " (to set it: kubectl config use-context NAME)");
}

detail::Fields Kubeconfig::fields(const Entry& entry, const std::string& kind) {
  return {*entry.file, entry.value, entry.pointer, kind + " " + in_quotes(entry.name)};
}

}  // namespace flyball::client
