// values_block.cpp -- all values of a metric, by call path and location.
#include <numeric>

#include "page/blocks/block_bytes.hpp"
#include "page/blocks/blocks.hpp"
#include "page/pack.hpp"

namespace tarry {
namespace {

constexpr std::size_t kSampleValues = 1 << 17;  // of which is guessed how well all pack
constexpr std::size_t kMostValuesBelow =
    500'000'000;                                      // of all subtrees: inclusive values may need to read each of them
constexpr std::size_t kMostWholeValues = 32'000'000;  // of one metric: more take too much memory at once

// Rows of a metric in one flavour, without the cells that have no value.
struct LocationRows {
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

class ValueReader {
 public:
  ValueReader(ExploredRun& run, const PageMetric& metric, const ValueLimits& limits)
      : run_(run), metric_(metric), limits_(limits), type_(run.structure().metrics[metric.id.value].type) {}

  // Nothing if they are too many.
  std::optional<BlockBytes> read() {
    const bool has_inclusive = needs_inclusive();
    LocationRows rows, inclusive;
    if (!read_rows(Flavour::kExclusive, rows)) return std::nullopt;
    if (has_inclusive && !read_rows(Flavour::kInclusive, inclusive)) return std::nullopt;
    if (rows.paths.empty() && inclusive.paths.empty()) return BlockBytes();
    out_.u32(static_cast<std::uint32_t>(location_count()));
    out_.u32(static_cast<std::uint32_t>(rows.paths.size()));
    out_.u32(has_inclusive);
    out_.u32(0);
    add_rows(rows);
    if (!has_inclusive) return out_.take();
    out_.align();
    out_.u32(static_cast<std::uint32_t>(inclusive.paths.size()));
    out_.u32(0);
    add_rows(inclusive);
    return out_.take();
  }

 private:
  std::size_t location_count() const { return limits_.kept ? limits_.kept->size() : run_.structure().locations.size(); }

  // Where the page cannot make inclusive values of exclusive ones.
  bool needs_inclusive() const {
    if (metric_.together == Together::kNotAtAll) return values_below() <= kMostValuesBelow;
    return metric_.together != Together::kSum &&
           run_.structure().metrics[metric_.id.value].kind == MetricKind::kInclusive;
  }

  // Values in the subtrees of all call paths: a path is in as many of them as it is deep.
  std::size_t values_below() const {
    const std::vector<std::size_t> depths = path_depths(run_.structure());
    return std::accumulate(depths.begin(), depths.end(), std::size_t{0}) * run_.structure().locations.size();
  }

  bool read_rows(Flavour flavour, LocationRows& rows) {
    std::vector<double> row, kept;
    for (std::uint32_t path = 0; path < run_.paths().size(); ++path) {
      if (!run_.values().row(metric_.id, CallPathId(run_.paths()[path]), flavour, row)) continue;
      rows.add(path, type_, limits_.kept ? of_kept(row, kept) : row);
      if (limits_.packed_bytes > 0 && rows.values.size() > kMostWholeValues) return false;
    }
    return limits_.packed_bytes == 0 || !is_too_much(rows.values);
  }

  const std::vector<double>& of_kept(const std::vector<double>& row, std::vector<double>& kept) const {
    kept.clear();
    for (const std::uint32_t location : *limits_.kept) kept.push_back(row[location]);
    return kept;
  }

  // A guess from a part, so that most of what is packed in vain is not packed at all.
  bool is_too_much(const std::vector<double>& values) const {
    if (values.size() < 8 * kSampleValues) return false;
    BlockWriter sample;
    sample.planes(std::span(values).first(kSampleValues));
    const std::size_t expected = pack(sample.take()).size() * (values.size() / kSampleValues);
    return expected > 2 * limits_.packed_bytes;
  }

  void add_rows(const LocationRows& rows) {
    out_.u32s(rows.paths);
    out_.u32s(rows.counts);
    out_.align();
    out_.u32s(rows.columns);
    out_.planes(rows.values);
  }

  ExploredRun& run_;
  const PageMetric& metric_;
  const ValueLimits& limits_;
  ValueType type_;
  BlockWriter out_;
};

}  // namespace

std::optional<BlockBytes> values_block(ExploredRun& run, std::uint32_t metric, const ValueLimits& limits) {
  return ValueReader(run, run.metrics()[metric], limits).read();
}

}  // namespace tarry
