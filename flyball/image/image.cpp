#include "flyball/image/image.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "flyball/base/error.hpp"
#include "flyball/image/digest.hpp"
#include "flyball/image/gzip.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::image {

namespace fs = std::filesystem;

std::string Image::digest() const { return digest_of(manifest_text); }

std::size_t Image::packed_size() const {
  std::size_t size = config_text.size() + manifest_text.size();
  for (const std::string& layer : layers) size += layer.size();
  return size;
}

Image make_image(ImageConfig config, const std::vector<std::string>& layers) {
  Image image{.manifest = {.mediaType = kManifestType}};
  config.rootfs.diff_ids.clear();
  for (const std::string& layer : layers) {
    config.rootfs.diff_ids.push_back(digest_of(layer));
    image.layers.push_back(gzip(layer));
    const std::string& packed = image.layers.back();
    image.manifest.layers.push_back(
        {.mediaType = kLayerType, .digest = digest_of(packed), .size = static_cast<std::int64_t>(packed.size())});
  }
  image.config_text = reflect::encode(config);
  image.config = std::move(config);
  image.manifest.config = {.mediaType = kConfigType,
                           .digest = digest_of(image.config_text),
                           .size = static_cast<std::int64_t>(image.config_text.size())};
  image.manifest_text = reflect::encode(image.manifest);
  return image;
}

std::string layer_tar(const Image& image, std::size_t index) {
  const std::string& layer = image.layers.at(index);
  if (layer.starts_with("\x28\xb5\x2f\xfd")) {
    throw Error("layer " + image.manifest.layers.at(index).digest + " is packed with zstd, which is not supported; " +
                "copy the image with `skopeo copy --dest-compress-format gzip`");
  }
  return is_gzip(layer) ? gunzip(layer, kLayerLimit) : layer;
}

std::string_view this_architecture() {
#if defined(__x86_64__)
  return "amd64";
#elif defined(__aarch64__)
  return "arm64";
#elif defined(__riscv)
  return "riscv64";
#elif defined(__s390x__)
  return "s390x";
#elif defined(__powerpc64__)
  return "ppc64le";
#else
  return "unknown";
#endif
}

const Descriptor& choose(const Index& index, const std::string& about) {
  std::string known;
  for (const Descriptor& one : index.manifests) {
    if (!one.platform) return one;
    if (one.platform->os == "linux" && one.platform->architecture == this_architecture()) return one;
    known += (known.empty() ? "" : ", ") + one.platform->os + "/" + one.platform->architecture;
  }
  throw Error(about + " has no image for linux/" + std::string(this_architecture()) + "; it has " +
              (known.empty() ? "none at all" : known));
}

std::string read_file(const std::string& path) {
  std::error_code error;
  const bool folder = fs::is_directory(path, error);
  std::ifstream in(path, std::ios::binary);
  const std::error_code opened(errno, std::generic_category());
  if (!in || folder) throw Error("cannot read " + path + ": " + (folder ? "it is a folder" : opened.message()));
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) throw Error("cannot read " + path + " to its end");
  return text;
}

void write_file(const std::string& path, std::string_view bytes) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  // Never half of it under its own name.
  const std::string part = path + ".part";
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  const std::error_code opened(errno, std::generic_category());
  if (!out) throw Error("cannot write " + path + ": " + (error ? error : opened).message());
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw Error("cannot write " + path + ": the disk may be full");
  fs::rename(part, path, error);
  if (error) throw Error("cannot write " + path + ": " + error.message());
}

}  // namespace flyball::image
