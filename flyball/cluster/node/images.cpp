#include "flyball/cluster/node/images.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "flyball/cluster/node/unpacked_image.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::cluster::node {
namespace {

namespace fs = std::filesystem;

// PostgreSQL makes its files at the first start, as its image does; Debian keeps its programs apart.
constexpr const char* kPostgres = R"(set -e
for folder in /usr/lib/postgresql/*/bin; do PATH="$folder:$PATH"; done
export PGDATA="${PGDATA:-/var/lib/postgresql/data}"
mkdir -p "$PGDATA"
chmod 700 "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s\n' "${POSTGRES_PASSWORD:-}" > "$PGDATA.password"
  initdb -D "$PGDATA" -U "${POSTGRES_USER:-postgres}" --pwfile="$PGDATA.password" > /dev/null
  rm -f "$PGDATA.password"
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/tmp "$@"
)";

std::string without_tag(std::string_view image) {
  image = image.substr(0, image.find('@'));
  const std::size_t slash = image.rfind('/');
  const std::size_t colon = image.rfind(':');
  // A colon before the last slash is a registry's port.
  const bool tagged = colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  return std::string(tagged ? image.substr(0, colon) : image);
}

std::string last_word(const std::string& repository) { return repository.substr(repository.rfind('/') + 1); }

bool is_program(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none) && ::access(path.c_str(), X_OK) == 0;
}

std::vector<std::string> words(json::View list) {
  std::vector<std::string> all;
  for (const json::View word : list.items()) all.emplace_back(word.as_string());
  return all;
}

Image image_of(json::View described) {
  if (described.is_string()) return {.entrypoint = {std::string(described.as_string())}};
  Image image{.entrypoint = words(described["entrypoint"]),
              .cmd = words(described["cmd"]),
              .bind = words(described["bind"]),
              .user = std::string(described["user"].string_or("")),
              .working_dir = std::string(described["workingDir"].string_or("")),
              .root = std::string(described["root"].string_or("")),
              .oci = std::string(described["oci"].string_or(""))};
  for (const auto [name, value] : described["env"].entries()) image.env[std::string(name)] = value.as_string();
  return image;
}

// A path that is not absolute begins at the folder of the file it stands in.
void anchor(Image& image, const std::string& folder) {
  for (std::string* path : {&image.root, &image.oci}) {
    if (!path->empty()) *path = fs::absolute(fs::path(folder) / *path).lexically_normal().string();
  }
  // What has files of its own names its programs in them.
  if (image.entrypoint.empty() || !image.root.empty() || !image.oci.empty()) return;
  std::string& program = image.entrypoint.front();
  if (program.find('/') == std::string::npos) return;
  program = fs::absolute(fs::path(folder) / program).lexically_normal().string();
}

const std::string& program_of(const Image& image) {
  return image.needs.empty() ? image.entrypoint.front() : image.needs;
}

// The file of what it runs; empty when that is not here.
std::string installed(const Image& image) {
  if (!image.needs.empty() && find_program(image.needs).empty()) return "";
  return find_program(image.entrypoint.front());
}

[[noreturn]] void not_installed(const std::string& image, const std::string& name, const Image& found) {
  std::string text =
      "image \"" + image + "\" stands for the program " + program_of(found) + ", which is not on this machine: ";
  if (!found.package.empty()) {
    text += "apt-get install " + found.package + ", or start flyball dev with --install-images, or ";
  }
  throw ImageError(text + "start flyball dev with --image " + name + "=PATH");
}

// Debian keeps PostgreSQL's programs apart, by version.
std::string find_apart(const std::string& name) {
  std::error_code none;
  std::string newest;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", none)) {
    const fs::path path = version.path() / "bin" / name;
    if (is_program(path)) newest = std::max(newest, path.string());
  }
  return newest;
}

}  // namespace

std::string repository_of(std::string_view image) {
  std::string name = without_tag(image);
  for (const std::string_view prefix : {"docker.io/", "index.docker.io/", "library/"}) {
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
  }
  return name;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? fs::absolute(name).string() : "";
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody changes it
  // Servers are often in sbin, which the PATH of an ordinary user lacks.
  const std::string folders =
      std::string(path == nullptr ? "" : path) + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    if (!folder.empty() && is_program(fs::path(folder) / name)) return (fs::path(folder) / name).string();
    begin = end + 1;
  }
  return find_apart(name);
}

ImageTable ImageTable::usual() {
  ImageTable table;
  table.map("memcached",
            {.entrypoint = {"memcached"}, .bind = {"-l", "$(POD_IP)"}, .user = "memcache", .package = "memcached"});
  const Image redis{.entrypoint = {"redis-server"},
                    .cmd = {"--protected-mode", "no"},
                    .bind = {"--bind", "$(POD_IP)"},
                    .user = "redis",
                    .working_dir = "/tmp",
                    .package = "redis-server"};
  table.map("redis", redis);
  table.map("valkey", redis);
  table.map("etcd", {.entrypoint = {"etcd"}, .package = "etcd-server"});
  table.map("nginx", {.entrypoint = {"nginx"}, .cmd = {"-g", "daemon off;"}, .package = "nginx-light"});
  table.map("postgres", {.entrypoint = {"sh", "-c", kPostgres, "postgres"},
                         .bind = {"-c", "listen_addresses=$(POD_IP)"},
                         .user = "postgres",
                         .needs = "postgres",
                         .package = "postgresql-15"});
  table.map("python", {.cmd = {"python3"}, .package = "python3"});
  for (const char* shell : {"busybox", "alpine", "debian", "ubuntu", "bash", "toybox", "curl"}) {
    table.map(shell, {.cmd = {"sh"}});
  }
  table.map("pause", {.entrypoint = {"sleep", "infinity"}});
  return table;
}

void ImageTable::add_yaml(std::string_view text, const std::string& folder) {
  const json::Value file = json::parse_yaml(text);
  if (!file.is_object() && !file.is_null()) {
    throw InputError({}, "", "expected a map from image names to programs, such as \"shop/web: ./build/web\"");
  }
  for (const auto [name, described] : file.entries()) {
    if (!described.is_string() && !described.is_object()) {
      throw InputError({}, std::string(name), "expected a path, or {entrypoint: [...], cmd: [...], env: {...}}");
    }
    Image image = image_of(described);
    anchor(image, folder);
    map(std::string(name), std::move(image));
  }
}

Image ImageTable::complete(Image image, const std::string& asked, const std::string& name) const {
  if (!image.oci.empty()) return unpacked_image(image.oci, "", unpacked_, image);
  if (image.entrypoint.empty() || !image.root.empty()) return image;
  std::string path = installed(image);
  if (path.empty() && installer_ && !image.package.empty()) {
    try {
      installer_(image.package);
    } catch (const Error& error) {
      throw ImageError("image \"" + asked + "\" needs the Debian package " + image.package + ": " + error.what());
    }
    path = installed(image);
  }
  if (path.empty()) not_installed(asked, name, image);
  image.entrypoint.front() = path;
  return image;
}

Image ImageTable::find(const std::string& image) const {
  if (!store_.empty() && store_has(store_, image)) return unpacked_image(store_, image, unpacked_, {});
  const std::string repository = repository_of(image);
  for (const std::string& name : {image, without_tag(image), repository, last_word(repository)}) {
    const auto found = images_.find(name);
    if (found == images_.end()) continue;
    return complete(found->second, image, name);
  }
  throw ImageError(
      "no program of this machine is known for image \"" + image +
      "\", and it is not in .flyball/images: build it there with `flyball image build`, or start flyball " +
      "dev with --image " + repository + "=PATH, or write it into images.yaml");
}

}  // namespace flyball::cluster::node
