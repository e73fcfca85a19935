#include <algorithm>
#include <filesystem>
#include <set>

#include "flyball/base/error.hpp"
#include "flyball/image/digest.hpp"
#include "flyball/image/image.hpp"
#include "flyball/image/tar.hpp"
#include "flyball/json/write.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::image {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLayoutVersion = R"({"imageLayoutVersion":"1.0.0"})";

std::string blob_path(const std::string& digest) { return "blobs/sha256/" + hex_of(digest); }

std::map<std::string, std::string_view> blobs_of(const Image& image, const std::string& manifest_digest) {
  std::map<std::string, std::string_view> blobs{{blob_path(manifest_digest), image.manifest_text},
                                                {blob_path(image.manifest.config.digest), image.config_text}};
  for (std::size_t i = 0; i < image.layers.size(); ++i) {
    blobs[blob_path(image.manifest.layers[i].digest)] = image.layers[i];
  }
  return blobs;
}

// The index of the folder with the image in it, instead of one of the same name.
std::string index_with(Index index, const Image& image, const std::string& name) {
  std::erase_if(index.manifests, [&](const Descriptor& one) {
    const auto named = one.annotations.find(kNameAnnotation);
    return named != one.annotations.end() && named->second == name;
  });
  Descriptor entry{.mediaType = image.manifest.mediaType.empty() ? kManifestType : image.manifest.mediaType,
                   .digest = image.digest(),
                   .size = static_cast<std::int64_t>(image.manifest_text.size()),
                   .platform = Platform{.architecture = image.config.architecture, .os = image.config.os}};
  if (!name.empty()) entry.annotations[kNameAnnotation] = name;
  index.manifests.push_back(std::move(entry));
  index.mediaType = kIndexType;
  return reflect::encode(index);
}

void add_folders(TarWriter& tar, const std::string& path, std::set<std::string>& made) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash + 1);
    if (made.insert(folder).second) tar.add({.name = folder, .kind = TarKind::folder, .mode = 0755});
  }
}

std::string tar_of(const std::map<std::string, std::string_view>& files) {
  std::string archive;
  TarWriter tar(archive);
  std::set<std::string> made;
  for (const auto& [name, bytes] : files) {
    add_folders(tar, name, made);
    tar.add({.name = name, .data = bytes});
  }
  tar.finish();
  return archive;
}

}  // namespace

void write_layout(const Image& image, const std::string& name, const std::string& folder) {
  const fs::path root(folder);
  std::error_code error;
  const bool there = fs::exists(root / "index.json", error);
  if (!there && fs::exists(root, error) && !fs::is_empty(root, error)) {
    throw Error("cannot write an image to " + folder + ": it is there and holds something else; name another folder");
  }
  const Index before = there ? reflect::decode<Index>(read_file((root / "index.json").string())) : Index{};
  for (const auto& [path, bytes] : blobs_of(image, image.digest())) write_file((root / path).string(), bytes);
  write_file((root / "oci-layout").string(), kLayoutVersion);
  write_file((root / "index.json").string(), index_with(before, image, name));
}

std::string layout_archive(const Image& image, const std::string& name) {
  auto files = blobs_of(image, image.digest());
  const std::string index = index_with({}, image, name);
  files["oci-layout"] = kLayoutVersion;
  files["index.json"] = index;
  return tar_of(files);
}

std::string docker_archive(const Image& image, const std::string& name) {
  std::vector<std::string> layers;
  layers.reserve(image.layers.size());
  for (std::size_t i = 0; i < image.layers.size(); ++i) layers.push_back(layer_tar(image, i));
  std::map<std::string, std::string_view> files;
  const std::string config = hex_of(image.manifest.config.digest) + ".json";
  files[config] = image.config_text;
  std::string manifest = R"([{"Config":)";
  json::write_string(config, manifest);
  manifest += R"(,"RepoTags":[)";
  if (!name.empty()) json::write_string(name, manifest);
  manifest += R"(],"Layers":[)";
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string path = hex_of(digest_of(layers[i])) + ".tar";
    files[path] = layers[i];
    if (i > 0) manifest += ',';
    json::write_string(path, manifest);
  }
  manifest += "]}]";
  files["manifest.json"] = manifest;
  return tar_of(files);
}

}  // namespace flyball::image
