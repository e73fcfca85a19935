#include "cli/image_store.hpp"

#include <filesystem>

namespace flyball::cli {

image::Image find_image(const std::string& name, const std::string& from, const Io& io) {
  if (!from.empty()) return image::read_image(io.path(from).string(), name);
  const std::filesystem::path store = io.path(kImageStore);
  if (std::filesystem::exists(store / "index.json")) {
    try {
      return image::read_image(store.string(), name);
    } catch (const Error&) {
      if (!std::filesystem::exists(io.path(name))) throw;
    }
  }
  if (std::filesystem::exists(io.path(name))) return image::read_image(io.path(name).string());
  throw Error("there is no image \"" + name + "\" in " + kImageStore +
              ", and no file of that name; make it with `flyball image build -t " + name + "`");
}

std::string put_image(const image::Image& image, const std::string& name, const std::string& out,
                      const std::string& format, const Io& io) {
  const std::string place = io.path(out.empty() ? kImageStore : out).string();
  if (format == "docker-archive") {
    if (out.empty()) throw UsageError("--format docker-archive needs --file: the archive to write, such as web.tar");
    image::write_file(place, image::docker_archive(image, name));
    return out;
  }
  if (out.ends_with(".tar")) {
    image::write_file(place, image::layout_archive(image, name));
  } else {
    image::write_layout(image, name, place);
  }
  return out.empty() ? kImageStore : out;
}

std::string size_text(std::size_t bytes) {
  const std::size_t tenths = (bytes + 50'000) / 100'000;
  if (tenths == 0) return std::to_string(bytes) + " bytes";
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MB";
}

}  // namespace flyball::cli
