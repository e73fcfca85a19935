#include "flyball/apiserver/custom_table.hpp"

#include <utility>

namespace flyball::apiserver {

CustomTable::CustomTable(std::shared_ptr<const CustomKind> kind) : kind_(std::move(kind)) {
  columns_.push_back({.name = "Name", .format = "name"});
  for (const Column& column : kind_->columns()) {
    columns_.push_back({.name = column.name,
                        .type = column.type,
                        .format = column.format,
                        .priority = column.priority,
                        .description = column.description});
  }
}

}  // namespace flyball::apiserver
