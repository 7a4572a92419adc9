// report_items.hpp -- values of a report by metric, region or call path, under names that other reports have too.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/cube_values.hpp"

namespace tarry {

/// Values over all locations. Call paths of the same names, and call paths of one region, add up.
struct ReportItems {
  std::vector<std::string> names;  // in document order
  std::unordered_map<std::string, double> values;
  double whole = 0;

  double of(const std::string& name) const {
    const auto found = values.find(name);
    return found == values.end() ? 0 : found->second;
  }
};

/// `per` is "metric" (one item without a name), "region" or "callpath". An inclusive value of a region counts outermost
/// calls only.
ReportItems items_of(CubeValues& values, MetricId metric, const std::string& per, bool is_inclusive);

/// Items as a listing for people names them: short unless `is_whole`. [item]
std::vector<std::string> shown_names(const std::vector<std::string>& items, const std::string& per, bool is_whole);

/// A name in the columns that are left behind what takes `used`; at least a short part of it.
std::string shorten_to(const std::string& name, std::size_t columns, std::size_t used);

/// [call path]: whether an ancestor is of the same region.
std::vector<bool> nested_paths(const ReportStructure& report, const CallPathTree& tree);

}  // namespace tarry
