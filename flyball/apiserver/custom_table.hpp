// The Table of a custom resource: its definition's printer columns, as a KindTable.
//
// Thread-safety: immutable.
#pragma once

#include <memory>
#include <vector>

#include "flyball/apiserver/schema/custom_kind.hpp"
#include "flyball/apiserver/tables/table.hpp"

namespace flyball::apiserver {

class CustomTable final : public KindTable {
 public:
  explicit CustomTable(std::shared_ptr<const CustomKind> kind);

  std::span<const TableColumn> columns() const override { return columns_; }
  json::Value cells(json::View object, WallTime now) const override { return kind_->cells(object, kube::Time(now)); }

 private:
  const std::shared_ptr<const CustomKind> kind_;
  std::vector<TableColumn> columns_;
};

}  // namespace flyball::apiserver
