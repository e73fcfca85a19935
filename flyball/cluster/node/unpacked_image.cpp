#include "flyball/cluster/node/unpacked_image.hpp"

#include <cstdlib>
#include <filesystem>

#include "flyball/image/digest.hpp"
#include "flyball/image/image.hpp"
#include "flyball/image/unpack.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::cluster::node {
namespace {

namespace fs = std::filesystem;

// Others may do the same at the same time: each into its own folder, and the first one stays.
void unpack_once(const image::Image& image, const std::string& folder, const std::string& root) {
  std::error_code error;
  if (fs::exists(root, error)) return;
  fs::create_directories(folder);
  std::string part = folder + "/part-XXXXXX";
  if (::mkdtemp(part.data()) == nullptr) throw Error("cannot make a folder in " + folder);
  try {
    image::unpack(image, part);
    fs::permissions(part, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                              fs::perms::others_read | fs::perms::others_exec);
    fs::rename(part, root, error);
  } catch (...) {
    fs::remove_all(part, error);
    throw;
  }
  if (!error) return;
  fs::remove_all(part, error);
  if (!fs::exists(root, error)) throw Error("cannot unpack it into " + root);
}

Image image_of(const image::Image& image, const std::string& root, Image over) {
  const image::RunConfig& run = image.config.config;
  over.root = root;
  if (over.entrypoint.empty()) {
    over.entrypoint = run.Entrypoint;
    if (over.cmd.empty()) over.cmd = run.Cmd;
  }
  if (over.user.empty()) over.user = run.User.substr(0, run.User.find(':'));
  if (over.working_dir.empty()) over.working_dir = run.WorkingDir;
  for (const std::string& variable : run.Env) {
    const std::size_t equals = variable.find('=');
    if (equals != std::string::npos) over.env.try_emplace(variable.substr(0, equals), variable.substr(equals + 1));
  }
  return over;
}

}  // namespace

bool store_has(const std::string& layout, const std::string& name) {
  const std::string index = layout + "/index.json";
  std::error_code none;
  if (!fs::exists(index, none)) return false;
  try {
    for (const auto& one : reflect::decode<image::Index>(image::read_file(index)).manifests) {
      const auto named = one.annotations.find(image::kNameAnnotation);
      if (named != one.annotations.end() && named->second == name) return true;
    }
  } catch (const Error& error) {
    throw ImageError(index + ": " + error.what());
  }
  return false;
}

Image unpacked_image(const std::string& path, const std::string& name, const std::string& folder, const Image& over) {
  try {
    const image::Image image = image::read_image(path, name);
    const std::string root = folder + "/" + image::hex_of(image.digest());
    unpack_once(image, folder, root);
    return image_of(image, root, over);
  } catch (const std::exception& error) {
    throw ImageError("cannot use the image in " + path + ": " + error.what());
  }
}

}  // namespace flyball::cluster::node
