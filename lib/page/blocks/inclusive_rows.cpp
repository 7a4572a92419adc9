// inclusive_rows.cpp -- inclusive rows of a metric from its exclusive ones.
#include "page/blocks/inclusive_rows.hpp"

#include <algorithm>

namespace tarry {
namespace {

constexpr std::size_t kMostOpenValues = 64'000'000;

// Of the rows that are open at one time.
std::size_t most_values(const ReportStructure& structure) {
  const std::vector<std::size_t> depths = path_depths(structure);
  return depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end()) * structure.locations.size();
}

void add_to(std::vector<double>& sum, const std::vector<double>& row) {
  if (sum.empty()) sum.resize(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) sum[i] += row[i];
}

}  // namespace

InclusiveRows::InclusiveRows(const ExploredRun& run, const PageMetric& metric)
    : run_(run), are_known_(metric.together == Together::kSum && most_values(run.structure()) <= kMostOpenValues) {}

bool InclusiveRows::add(std::uint32_t path, const std::vector<double>* exclusive) {
  if (!are_known_) return false;
  row_.clear();
  if (auto below = below_.extract(path)) row_ = std::move(below.mapped());
  if (exclusive) add_to(row_, *exclusive);
  if (row_.empty()) return false;
  const CallPathId parent = run_.structure().call_paths[run_.paths()[path]].parent;
  if (parent.is_valid()) add_to(below_[run_.page_paths()[parent.value]], row_);
  return true;
}

}  // namespace tarry
