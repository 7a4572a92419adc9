// totals_block.cpp -- values over all locations, by metric and call path.
#include "page/blocks/block_bytes.hpp"
#include "page/blocks/blocks.hpp"

namespace tarry {
namespace {

struct TotalColumns {
  std::vector<std::uint32_t> paths;
  std::vector<double> exclusive, inclusive;
};

TotalColumns total_columns(ExploredRun& run, MetricId metric) {
  const MetricTotals& totals = run.values().totals(metric);
  const ValueType type = run.structure().metrics[metric.value].type;
  TotalColumns columns;
  for (std::uint32_t path = 0; path < run.paths().size(); ++path) {
    const double exclusive = totals.exclusive[run.paths()[path]], inclusive = totals.inclusive[run.paths()[path]];
    if (!is_shown(type, exclusive) && !is_shown(type, inclusive)) continue;
    columns.paths.push_back(path);
    columns.exclusive.push_back(is_shown(type, exclusive) ? exclusive : 0);
    columns.inclusive.push_back(is_shown(type, inclusive) ? inclusive : 0);
  }
  return columns;
}

}  // namespace

BlockBytes totals_block(ExploredRun& run) {
  BlockWriter out;
  out.u32(static_cast<std::uint32_t>(run.metrics().size()));
  out.u32(static_cast<std::uint32_t>(run.paths().size()));
  for (const PageMetric& metric : run.metrics()) {
    const TotalColumns columns = total_columns(run, metric.id);
    out.align();
    out.u32(static_cast<std::uint32_t>(columns.paths.size()));
    out.u32(0);
    out.u32s(columns.paths);
    out.f64s(columns.exclusive);
    out.f64s(columns.inclusive);
  }
  return out.take();
}

}  // namespace tarry
