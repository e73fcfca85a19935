// flyball image inspect: what an image holds and how it runs.
#include <ostream>

#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/image_store.hpp"

#include "flyball/image/tar.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text.empty() ? "-" : text;
}

void list_files(const image::Image& image, std::ostream& out) {
  for (std::size_t i = 0; i < image.layers.size(); ++i) {
    const std::string tar = image::layer_tar(image, i);
    image::TarReader reader(tar);
    while (const auto entry = reader.next()) {
      out << "    /" << entry->name << (entry->link.empty() ? "" : " -> " + entry->link);
      if (entry->kind == image::TarKind::file) out << "  " << size_text(entry->data.size());
      out << "\n";
    }
  }
}

int inspect(const Given& given, Io& io) {
  const image::Image image = find_image(given.argument(0), given.text("from"), io);
  if (given.text("output") == "json") {
    io.out << json::write(json::object({{"digest", image.digest()},
                                        {"manifest", json::parse(image.manifest_text)},
                                        {"config", json::parse(image.config_text)}}),
                          {.indent = 2})
           << "\n";
    return kOk;
  }
  const auto& run = image.config.config;
  io.out << "digest      " << image.digest() << "\nplatform    " << image.config.os << "/" << image.config.architecture
         << "\ncreated     " << (image.config.created.empty() ? "-" : image.config.created) << "\nsize        "
         << size_text(image.packed_size()) << " packed\nuser        " << (run.User.empty() ? "root" : run.User)
         << "\nentrypoint  " << joined(run.Entrypoint) << "\ncmd         " << joined(run.Cmd) << "\nworkdir     "
         << (run.WorkingDir.empty() ? "/" : run.WorkingDir) << "\n";
  for (const std::string& variable : run.Env) io.out << "env         " << variable << "\n";
  for (const auto& [name, value] : run.Labels) io.out << "label       " << name << "=" << value << "\n";
  for (const image::Descriptor& layer : image.manifest.layers) {
    io.out << "layer       " << layer.digest << "  " << size_text(static_cast<std::size_t>(layer.size)) << "\n";
  }
  if (given.on("files")) list_files(image, io.out);
  return kOk;
}

}  // namespace

Command image_inspect_command() {
  return {.name = "image inspect",
          .topic = Topic::image,
          .summary = "what an image holds and how it runs",
          .arguments = "NAME|PATH",
          .least_arguments = 1,
          .most_arguments = 1,
          .flags = {{.name = "from",
                     .value = "PATH",
                     .help = "a layout or archive to look in; without it: .flyball/images"},
                    {.name = "files", .help = "every file of every layer, too"},
                    {.name = "output",
                     .letter = 'o',
                     .value = "FORMAT",
                     .help = "how it is printed",
                     .fallback = "text",
                     .choices = {"text", "json"}}},
          .examples = {{"flyball image inspect shop/web-operator:1", "one that was built here"},
                       {"flyball image inspect web.tar --files", "what somebody else made"}},
          .run = inspect};
}

}  // namespace flyball::cli
