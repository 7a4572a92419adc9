// values_block.cpp -- all values of a metric, by call path and location.
#include "block_bytes.hpp"
#include "blocks.hpp"

namespace tarry {
namespace {

// Rows of a metric in one flavour, without the cells that have no value.
struct ValueRows {
  std::vector<std::uint32_t> paths, counts, columns;
  std::vector<double> values;

  void add(std::uint32_t path, ValueType type, const std::vector<double>& row) {
    const std::size_t first_value = values.size(), first_column = columns.size();
    for (std::uint32_t location = 0; location < row.size(); ++location) {
      if (!is_shown(type, row[location])) continue;
      values.push_back(row[location]);
      columns.push_back(location);
    }
    const std::size_t count = values.size() - first_value;
    if (count == 0) return;
    if (count == row.size()) columns.resize(first_column);  // a full row needs no columns
    paths.push_back(path);
    counts.push_back(static_cast<std::uint32_t>(count));
  }
};

ValueRows read_value_rows(ExploredRun& run, MetricId metric, Flavour flavour) {
  const ValueType type = run.structure().metrics[metric.value].type;
  ValueRows rows;
  std::vector<double> row;
  for (std::uint32_t path = 0; path < run.paths().size(); ++path)
    if (run.values().row(metric, CallPathId(run.paths()[path]), flavour, row)) rows.add(path, type, row);
  return rows;
}

void add_rows(BlockWriter& out, const ValueRows& rows) {
  out.u32s(rows.paths);
  out.u32s(rows.counts);
  out.align();
  out.u32s(rows.columns);
  out.planes(rows.values);
}

// Where the page cannot make inclusive values of exclusive ones.
bool needs_inclusive(const ExploredRun& run, const PageMetric& metric) {
  const bool is_stored_inclusive = run.structure().metrics[metric.id.value].kind == MetricKind::kInclusive;
  return metric.together == Together::kNotAtAll || (metric.together != Together::kSum && is_stored_inclusive);
}

}  // namespace

BlockBytes values_block(ExploredRun& run, std::uint32_t metric) {
  const PageMetric& facts = run.metrics()[metric];
  const ValueRows rows = read_value_rows(run, facts.id, Flavour::kExclusive);
  ValueRows inclusive;
  if (needs_inclusive(run, facts)) inclusive = read_value_rows(run, facts.id, Flavour::kInclusive);
  if (rows.paths.empty() && inclusive.paths.empty()) return {};
  BlockWriter out;
  out.u32(static_cast<std::uint32_t>(run.structure().locations.size()));
  out.u32(static_cast<std::uint32_t>(rows.paths.size()));
  out.u32(needs_inclusive(run, facts));
  out.u32(0);
  add_rows(out, rows);
  if (needs_inclusive(run, facts)) {
    out.align();
    out.u32(static_cast<std::uint32_t>(inclusive.paths.size()));
    out.u32(0);
    add_rows(out, inclusive);
  }
  return out.take();
}

}  // namespace tarry
