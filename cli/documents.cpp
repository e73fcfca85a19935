#include "cli/documents.hpp"

#include <algorithm>
#include <filesystem>
#include <istream>
#include <iterator>

#include "flyball/image/image.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::cli {
namespace {

namespace fs = std::filesystem;

// What others need to be there comes before them.
int order_of(json::View object) {
  const std::string_view kind = object["kind"].string_or("");
  if (kind == "Namespace") return 0;
  if (kind == "CustomResourceDefinition") return 1;
  for (const std::string_view early : {"ServiceAccount", "Secret", "ConfigMap", "ClusterRole", "Role",
                                       "ClusterRoleBinding", "RoleBinding", "PersistentVolumeClaim", "Service"}) {
    if (kind == early) return 2;
  }
  // One whose operator does not run yet would refuse what comes after it.
  return kind.ends_with("WebhookConfiguration") ? 4 : 3;
}

void add_text(const std::string& text, const std::string& source, std::vector<Document>& to) {
  std::vector<json::Value> objects;
  try {
    objects = json::parse_yaml_documents(text);
  } catch (const Error& error) {
    throw Error(source + ": " + error.what());
  }
  for (const json::Value& object : objects) {
    const std::string_view kind = object["kind"].string_or("");
    if (kind.empty() || !object["apiVersion"].is_string())
      throw Error(source + ": an object without apiVersion and kind");
    if (!kind.ends_with("List") || !object["items"].is_array()) {
      to.push_back({object, source});
      continue;
    }
    for (const json::View item : object["items"].items()) to.push_back({object.slice(item), source});
  }
}

void add_folder(const fs::path& folder, bool recursive, std::vector<Document>& to) {
  std::vector<fs::path> files;
  const auto take = [&](const fs::directory_entry& entry) {
    const std::string end = entry.path().extension().string();
    if (entry.is_regular_file() && (end == ".yaml" || end == ".yml" || end == ".json")) files.push_back(entry.path());
  };
  if (recursive) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) take(entry);
  } else {
    for (const auto& entry : fs::directory_iterator(folder)) take(entry);
  }
  std::ranges::sort(files);
  if (files.empty()) throw Error(folder.string() + " has no .yaml, .yml or .json files");
  for (const fs::path& file : files) add_text(image::read_file(file.string()), file.string(), to);
}

}  // namespace

std::vector<Document> read_documents(const std::vector<std::string>& paths, Io& io, bool recursive) {
  std::vector<Document> documents;
  for (const std::string& path : paths) {
    if (path == "-") {
      add_text({std::istreambuf_iterator<char>(io.in), std::istreambuf_iterator<char>()}, "standard input", documents);
    } else if (fs::is_directory(io.path(path))) {
      add_folder(io.path(path), recursive, documents);
    } else {
      add_text(image::read_file(io.path(path).string()), path, documents);
    }
  }
  std::ranges::stable_sort(documents, {}, [](const Document& one) { return order_of(one.object); });
  return documents;
}

}  // namespace flyball::cli
