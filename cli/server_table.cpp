#include "cli/server_table.hpp"

#include <algorithm>
#include <cctype>
#include <ostream>

#include "cli/targets.hpp"
#include "cli/text_table.hpp"

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/net/url.hpp"

namespace flyball::cli {
namespace {

constexpr const char* kAccept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

std::string cell_text(json::View cell) {
  if (cell.is_null() || !cell.exists()) return "<none>";
  return cell.is_string() ? std::string(cell.as_string()) : json::write(cell);
}

std::string labels_text(json::View labels) {
  std::string text;
  for (const auto [name, value] : labels.entries()) {
    text += (text.empty() ? "" : ",") + std::string(name) + "=" + std::string(value.string_or(""));
  }
  return text.empty() ? "<none>" : text;
}

void read_rows(const json::Value& answer, ServerTable& table) {
  if (table.columns.empty()) {
    for (const json::View column : answer["columnDefinitions"].items()) {
      const json::View priority = column["priority"];
      table.columns.push_back({std::string(column["name"].string_or("")), priority.is_int() && priority.as_int() > 0});
    }
  }
  for (const json::View one : answer["rows"].items()) {
    const json::View metadata = one["object"]["metadata"];
    ServerTable::Row row{.namespace_ = std::string(metadata["namespace"].string_or("")),
                         .labels = labels_text(metadata["labels"])};
    for (const json::View cell : one["cells"].items()) row.cells.push_back(cell_text(cell));
    table.rows.push_back(std::move(row));
    table.resource_version = metadata["resourceVersion"].string_or(table.resource_version);
  }
}

net::Request request_for(const TableQuery& query, const std::function<void(net::Query&)>& more) {
  net::Query words;
  std::string fields = query.fields;
  if (!query.labels.empty()) words.add("labelSelector", query.labels);
  if (!query.name.empty()) fields += (fields.empty() ? "" : ",") + std::string("metadata.name=") + query.name;
  if (!fields.empty()) words.add("fieldSelector", fields);
  more(words);
  std::string target = query.resource.path(query.namespace_);
  if (!words.empty()) target += "?" + words.text();
  return {.target = std::move(target), .headers = {{"Accept", kAccept}}};
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

ServerTable ask_table(const client::Client& client, const TableQuery& query) {
  ServerTable table{.resource = query.resource};
  if (!query.name.empty()) {
    // By itself, so that one that is not there is an error.
    const net::Request request{.target = query.resource.path(kube::ObjectKey{query.namespace_, query.name}),
                               .headers = {{"Accept", kAccept}}};
    read_rows(json::parse(client.raw(request).body), table);
    return table;
  }
  std::string next;
  do {
    const json::Value answer = json::parse(client
                                               .raw(request_for(query,
                                                                [&](net::Query& words) {
                                                                  words.add("limit", "500");
                                                                  if (!next.empty()) words.add("continue", next);
                                                                }))
                                               .body);
    read_rows(answer, table);
    table.resource_version = answer["metadata"]["resourceVersion"].string_or("");
    next = answer["metadata"]["continue"].string_or("");
  } while (!next.empty());
  return table;
}

void print_server_table(const ServerTable& table, const TableLook& look, std::ostream& out) {
  std::vector<std::string> header;
  if (look.namespaces && table.resource.namespaced) header.emplace_back("NAMESPACE");
  for (const auto& column : table.columns) {
    if (look.wide || !column.wide) header.push_back(upper(column.name));
  }
  if (look.labels) header.emplace_back("LABELS");
  TextTable text(header);
  for (const ServerTable::Row& row : table.rows) {
    std::vector<std::string> cells;
    if (look.namespaces && table.resource.namespaced) cells.push_back(row.namespace_);
    for (std::size_t i = 0; i < row.cells.size() && i < table.columns.size(); ++i) {
      if (!look.wide && table.columns[i].wide) continue;
      cells.push_back(i == 0 && look.kind ? title_of(table.resource, row.cells[i]) : row.cells[i]);
    }
    if (look.labels) cells.push_back(row.labels);
    text.add(std::move(cells));
  }
  text.print(out, look.colours, look.header);
}

void watch_table(const client::Client& client, const TableQuery& query, const Stop& stop,
                 const std::function<void(const ServerTable& table, bool first)>& row) {
  TableQuery all = query;
  all.name.clear();
  if (!query.name.empty()) all.fields += (all.fields.empty() ? "" : ",") + std::string("metadata.name=") + query.name;
  ServerTable known = ask_table(client, all);
  row(known, true);
  while (!stop.stopped()) {
    const net::Request request = request_for(
        all, [&](net::Query& words) { words.add("watch", "true").add("resourceVersion", known.resource_version); });
    const auto stream = client.engine()->transport().open(request, stop, {.idle_timeout = Duration::zero()});
    std::string ahead;
    try {
      if (stream->head().status != 200)
        throw Error("the server ended the watch with status " + std::to_string(stream->head().status));
      for (std::string piece; !(piece = stream->read(stop)).empty();) {
        ahead += piece;
        for (std::size_t end = ahead.find('\n'); end != std::string::npos; end = ahead.find('\n')) {
          const json::Value event = json::parse(ahead.substr(0, end));
          ahead.erase(0, end + 1);
          if (event["type"].string_or("") == "ERROR")
            throw Error("the watch ended: " + std::string(event["object"]["message"].string_or("")));
          known.rows.clear();
          read_rows(event.slice(event["object"]), known);
          row(known, false);
        }
      }
    } catch (const Stopped&) {
      return;
    }
  }
}

}  // namespace flyball::cli
