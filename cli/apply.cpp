// flyball apply: server-side apply of what stands in files.
#include "cli/applying.hpp"
#include "cli/commands.hpp"
#include "cli/flags.hpp"

namespace flyball::cli {
namespace {

int apply(const Given& given, Io& io) {
  const auto documents = read_documents(given.all("filename"), io, given.on("recursive"));
  Access access(given, io);
  apply_documents(access, documents, {.force = given.on("force-conflicts"), .dry_run = given.on("dry-run")}, io);
  return kOk;
}

}  // namespace

Command apply_command() {
  return {.name = "apply",
          .topic = Topic::objects,
          .summary = "make the cluster hold what stands in files",
          .about =
              "Always server-side apply: fields are owned by who set them, and what somebody else owns is not\n"
              "overwritten without --force-conflicts.",
          .flags = with_access({{.name = "filename",
                                 .letter = 'f',
                                 .value = "FILE",
                                 .help = "a file, a folder, or - for standard input",
                                 .repeats = true,
                                 .required = true},
                                {.name = "recursive", .letter = 'R', .help = "folders in folders, too"},
                                {.name = "force-conflicts", .help = "take over fields that somebody else owns"},
                                {.name = "dry-run", .help = "the server says what it would do, and does nothing"}}),
          .examples = {{"flyball apply -f dist/install.yaml", "an operator with all it needs"},
                       {"flyball apply -f config/samples", "every file of a folder"}},
          .run = apply};
}

}  // namespace flyball::cli
