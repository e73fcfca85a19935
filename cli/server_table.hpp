// Tables as the server makes them: it knows the columns of every kind, of custom ones too.
//
//   const ServerTable table = ask_table(client, {.resource = pods, .namespace_ = "shop"});
//   print_server_table(table, {.wide = true}, io.out);
//
// Errors: those of a request.
//
// Thread-safety: pure functions.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "flyball/client/client.hpp"

namespace flyball::cli {

struct TableQuery {
  client::Resource resource = {};
  std::string namespace_ = {};  // empty: all
  std::string name = {};        // empty: all
  std::string labels = {};
  std::string fields = {};
};

struct ServerTable {
  struct Column {
    std::string name = {};
    bool wide = false;  // only when everything is wanted
  };
  struct Row {
    std::vector<std::string> cells = {};
    std::string namespace_ = {};
    std::string labels = {};
  };
  client::Resource resource = {};
  std::vector<Column> columns = {};
  std::vector<Row> rows = {};
  std::string resource_version = {};
};

struct TableLook {
  bool wide = false;
  bool namespaces = false;
  bool labels = false;
  bool kind = false;  // names with their kinds, where several are printed
  bool header = true;
  bool colours = false;
};

ServerTable ask_table(const client::Client& client, const TableQuery& query);
void print_server_table(const ServerTable& table, const TableLook& look, std::ostream& out);

// Calls `row` for what is there now (`first`), then for every change, until the stop.
void watch_table(const client::Client& client, const TableQuery& query, const Stop& stop,
                 const std::function<void(const ServerTable& table, bool first)>& row);

}  // namespace flyball::cli
