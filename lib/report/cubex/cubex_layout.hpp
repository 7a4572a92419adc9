// cubex_layout.hpp -- the order of the parts of a report in its file.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "report/tree/metric_tree.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// A report in memory may list call paths and locations in any order that has parents first; in a file position is
/// meaning. Metrics, call paths, system nodes, processes and locations are numbered by position in these lists.
struct CubexLayout {
  struct SystemNode {
    std::uint32_t node = 0;
    std::uint32_t depth = 0;
  };
  std::vector<ListedMetric> metrics;
  std::vector<std::uint32_t> call_paths;                      // depth first: rows of exclusive metrics
  std::vector<std::uint32_t> inclusive_rows;                  // rows of inclusive metrics
  std::vector<std::uint32_t> call_path_depths;                // [call path]
  std::vector<SystemNode> system_nodes;                       // depth first
  std::vector<std::vector<std::uint32_t>> node_processes;     // [system node]
  std::vector<std::vector<std::uint32_t>> process_locations;  // [process]
  std::vector<std::uint32_t> columns;                         // [column] = location
  std::vector<std::uint32_t> column_of;                       // [location] = column
  bool is_identity = true;                                    // columns are locations
};

/// Plans the file. Fails if this report cannot be one: readers end at an empty tree, a process without threads, metrics
/// of the same name, and so on. `path` names the file in errors.
Result<CubexLayout> plan_cubex(const ReportStructure& structure, const std::string& path);

}  // namespace tarry
