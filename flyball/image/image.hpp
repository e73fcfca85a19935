// Image: a container image in memory, and the forms it has on disk.
//
//   const Image image = read_image("web.tar");                    // a layout or `docker save`, folder or archive
//   write_layout(image, "shop/web:1", "web-oci");                 // an OCI layout as a folder
//   write_file("web.tar", docker_archive(image, "shop/web:1"));   // for `docker load`, podman, kind
//
// Several images may share a layout folder: one of the same name is replaced, its blobs stay. An index of platforms is
// followed to this machine's.
//
// Errors: Error and InputError that name the file and what is wrong with it. Every digest is checked when it is read.
//
// Thread-safety: values and functions without state; two writers of one folder are the caller's mistake.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/image/model.hpp"

namespace flyball::image {

// What a layer may unpack to, and a blob be.
inline constexpr std::size_t kLayerLimit = std::size_t{4} << 30U;

struct Image {
  Manifest manifest = {};
  std::string manifest_text = {};  // the very bytes its digest is of
  ImageConfig config = {};
  std::string config_text = {};
  std::vector<std::string> layers = {};  // as the manifest lists them, packed

  std::string digest() const;
  std::size_t packed_size() const;
};

// From a configuration and its layers as tar archives: packs them, and fills in digests and sizes.
Image make_image(ImageConfig config, const std::vector<std::string>& layers);
// The tar archive of a layer, however it was packed.
std::string layer_tar(const Image& image, std::size_t index);

// "amd64", as images name the machine this program was built for.
std::string_view this_architecture();
// The manifest for this machine; throws Error with those there are.
const Descriptor& choose(const Index& index, const std::string& about);

// Files by their names. Empty: there is no such file.
using Files = std::function<std::optional<std::string>(const std::string& name)>;
// `name` chooses among several images; empty: the only one, or the last.
Image read_image_files(const Files& files, const std::string& name, const std::string& about);
// A folder or an archive, OCI layout or docker-archive.
Image read_image(const std::string& path, const std::string& name = {});

void write_layout(const Image& image, const std::string& name, const std::string& folder);
// The same as one archive.
std::string layout_archive(const Image& image, const std::string& name);
std::string docker_archive(const Image& image, const std::string& name);

// The whole file. Throws Error with the reason of the system.
std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view bytes);

}  // namespace flyball::image
