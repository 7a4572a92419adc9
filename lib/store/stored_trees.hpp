// stored_trees.hpp -- the trees of reports in the store: equal ones are kept once.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "report/tree/report.hpp"
#include "store/database.hpp"

namespace tarry {

/// Rows of the trees of one report.
struct TreeRows {
  std::int64_t metric_tree = 0, call_tree = 0, virtual_machine = 0;
  std::vector<std::int64_t> metrics;  // [metric of the report]: row of the table `metric`
};

/// Finds the trees, or adds what is new of them. Within a transaction that writes.
Result<TreeRows> store_trees(Database& database, const ReportStructure& structure);

/// The trees without what is of one run alone (attributes). `rows.metrics` is filled in.
Result<ReportStructure> read_trees(Database& database, TreeRows& rows);

}  // namespace tarry
