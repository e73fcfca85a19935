// The documents of an OCI image: what a registry, a layout folder and `docker save` hold beside the layers.
//
//   const Manifest manifest = reflect::decode<Manifest>(text);
//   for (const Descriptor& layer : manifest.layers) fetch(layer.digest);
//
// An Index names manifests, one for each platform; a Manifest names a configuration and layers; an ImageConfig says how
// the image runs. Field names are those of the OCI image specification, which Docker's documents share.
//
// Thread-safety: values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "flyball/reflect/describe.hpp"

namespace flyball::image {

inline constexpr const char* kIndexType = "application/vnd.oci.image.index.v1+json";
inline constexpr const char* kManifestType = "application/vnd.oci.image.manifest.v1+json";
inline constexpr const char* kConfigType = "application/vnd.oci.image.config.v1+json";
inline constexpr const char* kLayerType = "application/vnd.oci.image.layer.v1.tar+gzip";
inline constexpr const char* kDockerListType = "application/vnd.docker.distribution.manifest.list.v2+json";
inline constexpr const char* kDockerManifestType = "application/vnd.docker.distribution.manifest.v2+json";
// The annotation that holds an image's name in a layout.
inline constexpr const char* kNameAnnotation = "org.opencontainers.image.ref.name";

using Texts = std::map<std::string, std::string>;

struct Platform {
  std::string architecture = {};
  std::string os = {};
  std::string variant = {};
};
FLYBALL_DESCRIBE(Platform, (architecture, "As Go names it: amd64, arm64.", optional), (os, "linux.", optional),
                 (variant, "Of the processor, such as v7.", optional))

struct Descriptor {
  std::string mediaType = {};
  std::string digest = {};
  std::int64_t size = 0;
  std::optional<Platform> platform = {};
  Texts annotations = {};
};
FLYBALL_DESCRIBE(Descriptor, (mediaType, "What the blob is.", optional), (digest, "Of its bytes."), (size, "In bytes."),
                 (platform, "Of a manifest in an index."), (annotations, "Remarks."))

struct Manifest {
  std::int64_t schemaVersion = 2;
  std::string mediaType = {};
  Descriptor config = {};
  std::vector<Descriptor> layers = {};
  Texts annotations = {};
};
FLYBALL_DESCRIBE(Manifest, (schemaVersion, "Always 2."), (mediaType, "Of this document.", optional),
                 (config, "The configuration."), (layers, "From the lowest to the uppermost."),
                 (annotations, "Remarks."))

struct Index {
  std::int64_t schemaVersion = 2;
  std::string mediaType = {};
  std::vector<Descriptor> manifests = {};
  Texts annotations = {};
};
FLYBALL_DESCRIBE(Index, (schemaVersion, "Always 2."), (mediaType, "Of this document.", optional),
                 (manifests, "One for each platform."), (annotations, "Remarks."))

struct Empty {};
FLYBALL_DESCRIBE(Empty)

// How it runs.
struct RunConfig {
  std::string User = {};
  std::map<std::string, Empty> ExposedPorts = {};
  std::vector<std::string> Env = {};
  std::vector<std::string> Entrypoint = {};
  std::vector<std::string> Cmd = {};
  std::string WorkingDir = {};
  Texts Labels = {};
};
FLYBALL_DESCRIBE(RunConfig, (User, "A name or number, and a group after a colon.", optional),
                 (ExposedPorts, "Such as 8080/tcp."), (Env, "NAME=VALUE."),
                 (Entrypoint, "The program and its first arguments."), (Cmd, "Arguments, unless others are given."),
                 (WorkingDir, "Where it starts.", optional), (Labels, "Remarks."))

struct RootFs {
  std::string type = "layers";
  std::vector<std::string> diff_ids = {};
};
FLYBALL_DESCRIBE(RootFs, (type, "Always layers."), (diff_ids, "Digests of the layers before they were packed."))

struct History {
  std::string created = {};
  std::string created_by = {};
  bool empty_layer = false;
};
FLYBALL_DESCRIBE(History, (created, "When.", optional), (created_by, "By what.", optional),
                 (empty_layer, "It made no layer."))

struct ImageConfig {
  std::string created = {};
  std::string architecture = {};
  std::string os = {};
  std::string variant = {};
  RunConfig config = {};
  RootFs rootfs = {};
  std::vector<History> history = {};
};
FLYBALL_DESCRIBE(ImageConfig, (created, "When, in RFC 3339.", optional), (architecture, "As Go names it.", optional),
                 (os, "linux.", optional), (variant, "Of the processor.", optional), (config, "How it runs."),
                 (rootfs, "Its layers."), (history, "How it was made."))

}  // namespace flyball::image
