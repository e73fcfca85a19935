#include "flyball/cluster/node/volume_files.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "flyball/cluster/node/field_ref.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;
namespace fs = std::filesystem;

namespace {

constexpr std::int32_t kUsualMode = 0644;
constexpr std::int64_t kUsualSeconds = 3600;  // of a token

class Collector {
 public:
  Collector(const core::Pod& pod, const PodSources& sources, std::optional<std::int32_t> mode)
      : pod_(pod), sources_(sources), mode_(mode.value_or(kUsualMode)) {}

  void config_map(const std::string& name, const std::vector<core::KeyToPath>& items, bool optional) {
    const auto map = sources_.config_map(name);
    if (!map && !optional) throw ConfigError("configmap \"" + name + "\" not found");
    if (!map) return;
    std::map<std::string, std::string> data = map->data;
    for (const auto& [key, bytes] : map->binaryData) data[key] = bytes.str();
    take(data, items, optional);
  }
  void secret(const std::string& name, const std::vector<core::KeyToPath>& items, bool optional) {
    const auto secret = sources_.secret(name);
    if (!secret && !optional) throw ConfigError("secret \"" + name + "\" not found");
    if (!secret) return;
    std::map<std::string, std::string> data;
    for (const auto& [key, bytes] : secret->data) data[key] = bytes.str();
    take(data, items, optional);
  }
  void downward(const std::vector<core::DownwardAPIVolumeFile>& items) {
    for (const core::DownwardAPIVolumeFile& item : items) {
      std::string text;
      if (item.fieldRef) text = field_text(pod_, item.fieldRef->fieldPath);
      if (item.resourceFieldRef)
        text = resource_text(container(item.resourceFieldRef->containerName), *item.resourceFieldRef);
      files_[item.path] = {.content = std::move(text), .mode = item.mode.value_or(mode_)};
    }
  }
  void token(const core::ServiceAccountTokenProjection& token) {
    files_[token.path] = {.content = sources_.token(token.audience, token.expirationSeconds.value_or(kUsualSeconds)),
                          .mode = mode_};
  }

  VolumeFiles done() { return std::move(files_); }

 private:
  void take(const std::map<std::string, std::string>& data, const std::vector<core::KeyToPath>& items, bool optional) {
    if (items.empty()) {
      for (const auto& [key, content] : data) files_[key] = {.content = content, .mode = mode_};
      return;
    }
    for (const core::KeyToPath& item : items) {
      const auto found = data.find(item.key);
      if (found == data.end() && !optional) throw ConfigError("references non-existent config key: " + item.key);
      if (found == data.end()) continue;
      files_[item.path] = {.content = found->second, .mode = item.mode.value_or(mode_)};
    }
  }
  const core::Container& container(const std::string& name) const {
    for (const core::Container& each : pod_.spec.containers) {
      if (each.name == name) return each;
    }
    throw ConfigError("container " + name + " not found");
  }

  const core::Pod& pod_;
  const PodSources& sources_;
  const std::int32_t mode_;
  VolumeFiles files_;
};

void project(Collector& files, const core::VolumeProjection& source) {
  if (const auto& map = source.configMap) files.config_map(map->name, map->items, map->optional.value_or(false));
  if (const auto& secret = source.secret) {
    files.secret(secret->name, secret->items, secret->optional.value_or(false));
  }
  if (const auto& fields = source.downwardAPI) files.downward(fields->items);
  if (const auto& token = source.serviceAccountToken) files.token(*token);
}

bool is_so(const fs::path& folder, const VolumeFiles& files) {
  std::error_code none;
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    if (!entry.is_regular_file(none)) continue;
    ++count;
    const auto found = files.find(fs::relative(entry.path(), folder, none).string());
    if (found == files.end()) return false;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (content != found->second.content) return false;
  }
  return !none && count == files.size();
}

void write_file(const fs::path& path, const VolumeFile& file) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << file.content;
  out.close();
  if (!out) throw Error("cannot write " + path.string() + "; the disk may be full");
  fs::permissions(path, static_cast<fs::perms>(file.mode) & fs::perms::all);
}

// A name that does not exist yet.
fs::path fresh(const fs::path& folder) {
  for (int number = 1;; ++number) {
    fs::path path = folder / ("..v" + std::to_string(number));
    if (!fs::exists(path)) return path;
  }
}

}  // namespace

std::optional<VolumeFiles> files_of(const core::Pod& pod, const core::Volume& volume, const PodSources& sources) {
  if (const auto& map = volume.configMap) {
    Collector files(pod, sources, map->defaultMode);
    files.config_map(map->name, map->items, map->optional.value_or(false));
    return files.done();
  }
  if (const auto& secret = volume.secret) {
    Collector files(pod, sources, secret->defaultMode);
    files.secret(secret->secretName, secret->items, secret->optional.value_or(false));
    return files.done();
  }
  if (const auto& fields = volume.downwardAPI) {
    Collector files(pod, sources, fields->defaultMode);
    files.downward(fields->items);
    return files.done();
  }
  if (const auto& projected = volume.projected) {
    Collector files(pod, sources, projected->defaultMode);
    for (const core::VolumeProjection& source : projected->sources) project(files, source);
    return files.done();
  }
  return std::nullopt;
}

void write_files(const std::string& folder, const VolumeFiles& files) {
  const fs::path base(folder);
  fs::create_directories(base);
  const fs::path link = base / "..data";
  std::error_code none;
  const fs::path old = fs::read_symlink(link, none);
  if (!none && is_so(base / old, files)) return;
  const fs::path version = fresh(base);
  fs::create_directories(version);
  for (const auto& [path, file] : files) write_file(version / path, file);
  fs::remove(base / "..data_tmp", none);
  fs::create_directory_symlink(version.filename(), base / "..data_tmp");
  fs::rename(base / "..data_tmp", link);
  // What people see: a link for each first word of a path, through ..data.
  std::map<std::string, bool> wanted;
  for (const auto& [path, file] : files) wanted[fs::path(path).begin()->string()] = true;
  for (const auto& [name, yes] : wanted) {
    if (!fs::is_symlink(fs::symlink_status(base / name))) fs::create_symlink(fs::path("..data") / name, base / name);
  }
  for (const auto& entry : fs::directory_iterator(base)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("..") && !wanted.contains(name)) fs::remove(entry.path());
  }
  if (!old.empty()) fs::remove_all(base / old);
}

}  // namespace flyball::cluster::node
