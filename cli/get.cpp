// flyball get: objects in the columns the server gives them, or whole.
#include <ostream>

#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/printing.hpp"
#include "cli/server_table.hpp"
#include "cli/targets.hpp"

#include "flyball/json/yaml.hpp"

namespace flyball::cli {
namespace {

TableQuery query_of(const Given& given, Access& access, const Target& target) {
  const bool everywhere = given.on("all-namespaces") || !target.resource.namespaced;
  if (!target.name.empty() && given.on("all-namespaces")) {
    throw UsageError("a name is of one namespace: leave --all-namespaces out, or the name");
  }
  return {.resource = target.resource,
          .namespace_ = everywhere ? "" : access.namespace_of_choice(),
          .name = target.name,
          .labels = given.text("selector"),
          .fields = given.text("field-selector")};
}

std::vector<json::Value> objects_of(Access& access, const TableQuery& query) {
  const auto objects = access.client().dynamic_at(query.resource);
  if (!query.name.empty()) return {objects.get({query.namespace_, query.name})};
  return objects
      .list({.namespace_ = query.namespace_,
             .selector = kube::Selector::parse(query.labels),
             .fields = kube::FieldSelector::parse(query.fields)})
      .all();
}

int print_whole(const Given& given, Access& access, const std::vector<Target>& targets, Io& io) {
  const std::string format = given.text("output");
  std::vector<json::Value> all;
  for (const Target& target : targets) {
    for (const json::Value& object : objects_of(access, query_of(given, access, target))) {
      if (format == "name") {
        io.out << title_of(target.resource, std::string(object["metadata"]["name"].string_or(""))) << "\n";
      } else {
        all.push_back(given.on("show-managed-fields") ? object : without_managed_fields(object));
      }
    }
  }
  if (format == "name") return kOk;
  const bool one = targets.size() == 1 && !targets.front().name.empty();
  io.out << document_text(one ? all.front() : list_of(all), format);
  return kOk;
}

void print_table(const Given& given, const ServerTable& table, bool with_kind, Io& io) {
  const TableLook look{.wide = given.text("output") == "wide",
                       .namespaces = given.on("all-namespaces"),
                       .labels = given.on("show-labels"),
                       .kind = with_kind,
                       .header = !given.on("no-headers"),
                       .colours = io.terminal};
  print_server_table(table, look, io.out);
}

int get(const Given& given, Io& io) {
  Access access(given, io);
  const auto targets = targets_of(access, given.arguments());
  const std::string format = given.text("output");
  if (format != "table" && format != "wide") return print_whole(given, access, targets, io);
  bool any = false;
  const bool by_kind = targets.size() > 1 && targets.front().name.empty();
  for (const Target& target : targets) {
    const ServerTable table = ask_table(access.client(), query_of(given, access, target));
    if (table.rows.empty()) continue;
    if (any && by_kind) io.out << "\n";
    print_table(given, table, targets.size() > 1, io);
    any = true;
  }
  const std::string where = given.on("all-namespaces") || !targets.front().resource.namespaced
                                ? ""
                                : " in namespace " + access.namespace_of_choice();
  if (!any && !given.on("watch")) io.err << "No resources found" << where << ".\n";
  if (!given.on("watch")) return kOk;
  if (targets.size() != 1) throw UsageError("--watch follows one kind at a time");
  const Stop stop =
      given.has("timeout")
          ? Stop().with_deadline(access.clock(), access.clock().after(duration_of("timeout", given.text("timeout"))))
          : Stop();
  watch_table(access.client(), query_of(given, access, targets.front()), stop,
              [&](const ServerTable& table, bool first) {
                if (first) return;
                const TableLook look{.wide = format == "wide",
                                     .namespaces = given.on("all-namespaces"),
                                     .header = false,
                                     .colours = io.terminal};
                print_server_table(table, look, io.out);
                io.out.flush();
              });
  return kOk;
}

}  // namespace

Command get_command() {
  return {.name = "get",
          .topic = Topic::objects,
          .summary = "objects of the cluster, in columns or whole",
          .arguments = "KIND [NAME...] | KIND/NAME...",
          .least_arguments = 1,
          .most_arguments = 1000,
          .flags = with_access(
              {{.name = "output",
                .letter = 'o',
                .value = "FORMAT",
                .help = "how it is printed",
                .fallback = "table",
                .choices = {"table", "wide", "yaml", "json", "name"}},
               {.name = "all-namespaces", .letter = 'A', .help = "of every namespace"},
               {.name = "selector",
                .letter = 'l',
                .value = "SELECTOR",
                .help = "only those with these labels: app=web,tier in (a,b)"},
               {.name = "field-selector",
                .value = "SELECTOR",
                .help = "only those with these fields: status.phase=Running"},
               {.name = "watch", .letter = 'w', .help = "then every change, until Ctrl-C"},
               {.name = "timeout", .value = "TIME", .help = "how long --watch goes on; without it: for ever"},
               {.name = "show-labels", .help = "labels as the last column"},
               {.name = "show-managed-fields", .help = "who set which field, in yaml and json"},
               {.name = "no-headers", .help = "without the line of column names"}}),
          .examples = {{"flyball get pods -A -o wide", "all pods, with all columns"},
                       {"flyball get deploy/web -o yaml", "one object, whole"},
                       {"flyball get memcacheds -w", "what changes, as it changes"}},
          .run = get};
}

}  // namespace flyball::cli
