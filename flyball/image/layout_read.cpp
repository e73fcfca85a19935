#include <filesystem>

#include "flyball/base/error.hpp"
#include "flyball/image/digest.hpp"
#include "flyball/image/gzip.hpp"
#include "flyball/image/image.hpp"
#include "flyball/image/tar.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::image {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestIndex = 4;

std::string must_have(const Files& files, const std::string& name, const std::string& about) {
  auto found = files(name);
  if (!found) throw Error(about + " has no file " + name + ": it is not a whole image");
  return *std::move(found);
}

std::string blob(const Files& files, const std::string& digest, const std::string& about) {
  std::string bytes = must_have(files, "blobs/sha256/" + hex_of(digest), about);
  check_digest(bytes, digest, "a blob of " + about);
  return bytes;
}

bool is_index(const std::string& type) { return type == kIndexType || type == kDockerListType; }

const Descriptor& named(const Index& index, const std::string& name, const std::string& about) {
  std::string known;
  for (const Descriptor& one : index.manifests) {
    const auto found = one.annotations.find(kNameAnnotation);
    if (found == one.annotations.end()) continue;
    // Others write the tag alone.
    if (found->second == name || name.ends_with(":" + found->second)) return one;
    known += (known.empty() ? "" : ", ") + found->second;
  }
  if (index.manifests.size() == 1) return index.manifests.front();
  throw Error(about + " has no image \"" + name + "\"; it has " + (known.empty() ? "none with a name" : known));
}

Image read_oci(const Files& files, const std::string& name, const std::string& about) {
  auto index = reflect::decode<Index>(must_have(files, "index.json", about));
  if (index.manifests.empty()) throw Error(about + " holds no image");
  Descriptor chosen = name.empty() ? index.manifests.back() : named(index, name, about);
  for (int depth = 0; is_index(chosen.mediaType); ++depth) {
    if (depth == kDeepestIndex) throw Error(about + " is nested too deeply");
    index = reflect::decode<Index>(blob(files, chosen.digest, about));
    chosen = choose(index, about);
  }
  Image image{.manifest_text = blob(files, chosen.digest, about)};
  image.manifest = reflect::decode<Manifest>(image.manifest_text);
  image.config_text = blob(files, image.manifest.config.digest, about);
  image.config = reflect::decode<ImageConfig>(image.config_text);
  for (const Descriptor& layer : image.manifest.layers) image.layers.push_back(blob(files, layer.digest, about));
  return image;
}

json::Value docker_entry(const json::Value& manifest, const std::string& name, const std::string& about) {
  for (const json::View one : manifest.items()) {
    if (name.empty()) return manifest.slice(one);
    for (const json::View tag : one["RepoTags"].items()) {
      if (tag.string_or("") == name) return manifest.slice(one);
    }
  }
  if (manifest.size() == 1) return manifest.slice(manifest[0]);
  throw Error(about + " has no image " + (name.empty() ? "" : "\"" + name + "\""));
}

Image read_docker(const Files& files, const std::string& name, const std::string& about) {
  const json::Value manifest = json::parse(must_have(files, "manifest.json", about));
  const json::Value entry = docker_entry(manifest, name, about);
  const std::string config_text = must_have(files, std::string(entry["Config"].as_string()), about);
  auto config = reflect::decode<ImageConfig>(config_text);
  std::vector<std::string> layers;
  for (const json::View path : entry["Layers"].items()) {
    std::string layer = must_have(files, std::string(path.as_string()), about);
    layers.push_back(is_gzip(layer) ? gunzip(layer, kLayerLimit) : std::move(layer));
  }
  if (layers.size() != config.rootfs.diff_ids.size())
    throw Error(about + " has layers its configuration does not name");
  for (std::size_t i = 0; i < layers.size(); ++i)
    check_digest(layers[i], config.rootfs.diff_ids[i], "a layer of " + about);
  return make_image(std::move(config), layers);
}

}  // namespace

Image read_image_files(const Files& files, const std::string& name, const std::string& about) {
  if (files("oci-layout")) return read_oci(files, name, about);
  if (files("manifest.json")) return read_docker(files, name, about);
  throw Error(about + " is no image: expected an OCI layout (oci-layout, index.json) or what `docker save` writes");
}

Image read_image(const std::string& path, const std::string& name) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    const Files files = [&](const std::string& file) -> std::optional<std::string> {
      const fs::path whole = fs::path(path) / safe_path(file);
      if (!fs::is_regular_file(whole, error)) return std::nullopt;
      return read_file(whole.string());
    };
    return read_image_files(files, name, path);
  }
  std::string archive = read_file(path);
  if (is_gzip(archive)) archive = gunzip(archive, kLayerLimit);
  std::map<std::string, std::string_view> found;
  std::map<std::string, std::string> links;
  TarReader reader(archive);
  while (const auto entry = reader.next()) {
    if (entry->kind == TarKind::file) found[safe_path(entry->name)] = entry->data;
    // Docker writes a layer that repeats as a link to the first.
    const fs::path base = entry->kind == TarKind::symlink ? fs::path(safe_path(entry->name)).parent_path() : fs::path();
    if (!entry->link.empty()) links[safe_path(entry->name)] = (base / entry->link).lexically_normal().string();
  }
  const Files files = [&](const std::string& file) -> std::optional<std::string> {
    const auto link = links.find(safe_path(file));
    const auto at = found.find(link == links.end() ? safe_path(file) : link->second);
    if (at == found.end()) return std::nullopt;
    return std::string(at->second);
  };
  return read_image_files(files, name, path);
}

}  // namespace flyball::image
