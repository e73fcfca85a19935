#include "flyball/apiserver/tables/render_table.hpp"

#include <algorithm>
#include <vector>

#include "flyball/base/api_error.hpp"
#include "flyball/json/builder.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

void write_type(json::Builder& to, std::string_view kind, const TableOptions& options) {
  to.key("kind").string(kind);
  to.key("apiVersion").string("meta.k8s.io/" + std::string(options.version));
}

void write_meta(json::Builder& to, const TableMeta& meta) {
  to.key("metadata").begin_object();
  if (!meta.resourceVersion.empty()) to.key("resourceVersion").string(meta.resourceVersion);
  if (!meta.continue_.empty()) to.key("continue").string(meta.continue_);
  if (meta.remainingItemCount) to.key("remainingItemCount").integer(*meta.remainingItemCount);
  to.end();
}

void write_columns(json::Builder& to, const KindTable& kind, const TableOptions& options) {
  to.key("columnDefinitions");
  if (!options.headers) {
    to.null();
    return;
  }
  to.begin_array();
  for (const TableColumn& column : kind.columns()) {
    to.begin_object();
    to.key("name").string(column.name);
    to.key("type").string(column.type);
    to.key("format").string(column.format);
    to.key("description").string(column.description);
    to.key("priority").integer(column.priority);
    to.end();
  }
  to.end();
}

bool ends_initial_events(json::View object) {
  return object["metadata"]["annotations"][kInitialEventsEnd].string_or("") == "true";
}

void write_object(json::Builder& to, json::View object, const TableOptions& options) {
  to.key("object");
  if (options.include == IncludeObject::object) {
    to.value(object);
  } else if (options.include == IncludeObject::metadata || ends_initial_events(object)) {
    to.begin_object();
    write_type(to, "PartialObjectMetadata", options);
    to.key("metadata").value(object["metadata"]);
    to.end();
  } else {
    to.null();
  }
}

void write_row(json::Builder& to, const KindTable& kind, json::View object, const TableOptions& options) {
  to.begin_object();
  to.key("cells").value(kind.cells(object, options.now));
  const json::Value conditions = kind.conditions(object);
  if (conditions.exists()) to.key("conditions").value(conditions);
  write_object(to, object, options);
  to.end();
}

json::Value render(const KindTable& kind, std::span<const json::View> objects, const TableMeta& meta,
                   const TableOptions& options) {
  json::Builder to;
  to.begin_object();
  write_type(to, "Table", options);
  write_meta(to, meta);
  write_columns(to, kind, options);
  to.key("rows");
  if (objects.empty() && &kind == &plain_table()) {
    to.null();  // where kinds with a table of their own have [], in kube-apiserver too
  } else {
    to.begin_array();
    for (const json::View object : objects) write_row(to, kind, object, options);
    to.end();
  }
  to.end();
  return to.finish();
}

}  // namespace

IncludeObject include_object(std::string_view word) {
  if (word.empty() || word == "Metadata") return IncludeObject::metadata;
  if (word == "Object") return IncludeObject::object;
  if (word == "None") return IncludeObject::none;
  throw ApiError(Reason::BadRequest, "Unable to convert to Table as requested: includeObject: Invalid value: \"" +
                                         std::string(word) + "\": must be 'Metadata', 'Object', 'None', or empty");
}

json::Value render_table(const KindTable& kind, json::View object, const TableOptions& options) {
  const TableMeta meta{.resourceVersion = std::string(object["metadata"]["resourceVersion"].string_or(""))};
  return render(kind, std::span(&object, 1), meta, options);
}

json::Value render_table(const KindTable& kind, std::span<const json::Value> objects, const TableMeta& meta,
                         const TableOptions& options) {
  std::vector<json::View> rows(objects.begin(), objects.end());
  std::stable_sort(rows.begin(), rows.end(), [&](json::View a, json::View b) { return kind.before(a, b); });
  return render(kind, rows, meta, options);
}

}  // namespace flyball::apiserver
