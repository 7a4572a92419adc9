// spread_block.cpp -- how the values of a row are spread over all locations.
#include <algorithm>
#include <array>
#include <cmath>

#include "page/blocks/block_bytes.hpp"
#include "page/blocks/blocks.hpp"
#include "page/blocks/inclusive_rows.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kBins = 32;

// One column for each number of a row.
struct SpreadColumns {
  std::vector<std::uint32_t> paths, counts, bins;
  std::array<std::vector<double>, 6> numbers;  // sum, min, q1, median, q3, max
  std::vector<double> group_sums;
};

double quantile_of(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

class SpreadTable {
 public:
  explicit SpreadTable(const LocationGroups& groups) : groups_(groups) {}

  // Of all locations, those without a value as zero. A number that is none counts as zero, too.
  void add(std::uint32_t path, const std::vector<double>& row) {
    sorted_ = row;
    std::uint32_t count = 0;
    for (double& value : sorted_) {
      if (!std::isfinite(value)) value = 0;
      count += value != 0;
    }
    if (count == 0) return;
    add_groups(sorted_);
    std::sort(sorted_.begin(), sorted_.end());
    columns_.paths.push_back(path);
    columns_.counts.push_back(count);
    double sum = 0;
    for (const double value : sorted_) sum += value;
    const std::array<double, 6> numbers = {sum,
                                           sorted_.front(),
                                           quantile_of(sorted_, 0.25),
                                           quantile_of(sorted_, 0.5),
                                           quantile_of(sorted_, 0.75),
                                           sorted_.back()};
    for (std::size_t i = 0; i < numbers.size(); ++i) columns_.numbers[i].push_back(numbers[i]);
    add_bins();
  }

  bool is_empty() const { return columns_.paths.empty(); }

  void write(BlockWriter& out) const {
    out.align();
    out.u32(static_cast<std::uint32_t>(columns_.paths.size()));
    out.u32(0);
    out.u32s(columns_.paths);
    out.u32s(columns_.counts);
    out.u32s(columns_.bins);
    for (const std::vector<double>& numbers : columns_.numbers) out.planes(numbers);
    out.planes(columns_.group_sums);
  }

 private:
  void add_groups(const std::vector<double>& row) {
    if (groups_.count == 0) return;
    const std::size_t first = columns_.group_sums.size();
    columns_.group_sums.resize(first + groups_.count);
    for (std::size_t i = 0; i < row.size(); ++i) columns_.group_sums[first + groups_.of_location[i]] += row[i];
  }

  // Of equal width from the least to the largest value, which is in the last one.
  void add_bins() {
    const std::size_t first = columns_.bins.size();
    columns_.bins.resize(first + kBins);
    const double least = sorted_.front(), width = (sorted_.back() - least) / kBins;
    for (const double value : sorted_) {
      const double bin = width > 0 ? (value - least) / width : 0;
      ++columns_.bins[first + std::min<std::uint32_t>(kBins - 1, static_cast<std::uint32_t>(bin))];
    }
  }

  const LocationGroups& groups_;
  SpreadColumns columns_;
  std::vector<double> sorted_;
};

}  // namespace

BlockBytes spread_block(ExploredRun& run, std::uint32_t metric, const LocationGroups& groups) {
  SpreadTable exclusive(groups), inclusive(groups);
  InclusiveRows sums(run, run.metrics()[metric]);
  std::vector<double> row;
  for (std::uint32_t path = static_cast<std::uint32_t>(run.paths().size()); path-- > 0;) {
    const bool is_there =
        run.values().row(run.metrics()[metric].id, CallPathId(run.paths()[path]), Flavour::kExclusive, row);
    if (is_there) exclusive.add(path, row);
    if (sums.add(path, is_there ? &row : nullptr)) inclusive.add(path, sums.row());
  }
  if (exclusive.is_empty() && inclusive.is_empty()) return {};
  BlockWriter out;
  out.u32(static_cast<std::uint32_t>(run.structure().locations.size()));
  out.u32(groups.count);
  out.u32(kBins);
  out.u32(sums.are_known());
  exclusive.write(out);
  inclusive.write(out);
  return out.take();
}

}  // namespace tarry
