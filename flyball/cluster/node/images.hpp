// ImageTable: what an image stands for: a program of this machine (`memcached:1.6` is the memcached that is installed),
// or a real image, which brings its own files.
//
//   ImageTable images = ImageTable::usual();
//   images.map("shop/web", {.entrypoint = {"./build/web"}});               // flyball dev --image shop/web=./build/web
//   images.map("shop/api", {.oci = "api.tar"});                            // flyball dev --image shop/api=oci:api.tar
//   images.add_yaml(text);                                                 // images.yaml
//   images.add_store(".flyball/images", folder + "/images");               // what `flyball image build` has made
//   const Image& image = images.find("docker.io/library/memcached:1.6");   // throws ImageError with what to do
//
// A name is looked for as it stands ("shop/web:2"), without tag and digest ("shop/web"), then by its last word alone
// ("web"). What was mapped last wins; an image of exactly that name in the store comes before them all. The store is
// looked into each time: what is built now runs next.
//
// images.yaml holds a map from names to a path, or to what the image would say of itself:
//
//   shop/web: ./build/web
//   shop/db: {entrypoint: [./build/db], cmd: [--port, "5432"], env: {MODE: dev}, user: nobody, workingDir: /tmp}
//   shop/api: {oci: ./api.tar}                                             # a layout or archive
//   shop/old: {root: ./rootfs, entrypoint: [/bin/old]}                     # a folder that is its file system
//
// Thread-safety: const members may be called from any thread. Lifetime: references live until the next change.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/base/error.hpp"

namespace flyball::cluster::node {

// What an image says of itself.
struct Image {
  std::vector<std::string> entrypoint = {};  // its first word is the program; empty: any program of the machine
  std::vector<std::string> cmd = {};         // arguments, unless the container has its own
  std::map<std::string, std::string> env = {};
  // More arguments where pods share the machine's network, so that two can have one port. $(POD_IP) is the pod's
  // address.
  std::vector<std::string> bind = {};
  std::string user = {};         // to run as where we are root; empty: root
  std::string working_dir = {};  // empty: /
  std::string needs = {};        // a program it starts, where the entrypoint is a script
  std::string package = {};      // of Debian, that has the program
  std::string root = {};         // the folder that is its file system; empty: the machine's own
  std::string oci = {};          // the layout or archive it is in; what it says fills in the rest
};

// The image cannot be had: ErrImagePull. The words say how it can.
class ImageError : public Error {
 public:
  using Error::Error;
};

class ImageTable {
 public:
  // Knows what people run most: memcached, redis, etcd, nginx, postgres, busybox, …
  static ImageTable usual();

  void map(std::string name, Image image) { images_[std::move(name)] = std::move(image); }
  // Paths are taken from `folder`. Throws InputError.
  void add_yaml(std::string_view text, const std::string& folder = ".");

  // Called with a package when its program is missing; throws Error when it cannot be had. May take minutes.
  using Installer = std::function<void(const std::string& package)>;
  void set_installer(Installer installer) { installer_ = std::move(installer); }

  // Images from the OCI layout `folder`, when there is one; they are unpacked into `unpacked`.
  void add_store(std::string folder, std::string unpacked) {
    store_ = std::move(folder);
    unpacked_ = std::move(unpacked);
  }

  // With the program's path for its first word.
  Image find(const std::string& image) const;

 private:
  Image complete(Image image, const std::string& asked, const std::string& name) const;

  std::map<std::string, Image, std::less<>> images_;
  Installer installer_;
  std::string store_;
  std::string unpacked_;
};

// "docker.io/library/memcached:1.6@sha256:…" is "memcached".
std::string repository_of(std::string_view image);
// The program's file; empty when there is none. Without a slash it is looked for where programs are.
std::string find_program(const std::string& name);

}  // namespace flyball::cluster::node
