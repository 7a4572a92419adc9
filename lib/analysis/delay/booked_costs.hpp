// booked_costs.hpp -- sums of delay costs by call path of the cause: a short row for each, as every wait adds to some.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/delay/delay_propagation.hpp"
#include "analysis/severities.hpp"

namespace tarry {

/// Costs, in ticks, at one thread. Kinds of waits are named by their place in WaitCosts::kinds().
class BookedCosts {
 public:
  /// Forgets all sums; `kinds`: how many kinds of waits there are.
  void start(std::size_t kinds) {
    for (const PathIndex path : paths_) rows_[path] = kNoRow;
    paths_.clear();
    sums_.clear();
    kinds_ = kinds;
  }

  /// Adds a short-term cost of waits of one kind, and long-term costs of all kinds: `factor` times each.
  void add(PathIndex path, std::size_t kind, double short_term, const CostByKind& long_term, double factor) {
    double* const row = row_of(path);
    row[kind] += short_term;
    for (std::size_t k = 0; k < kinds_; ++k) row[kinds_ + k] += long_term[k] * factor;
  }

  /// `kinds`: WaitCosts::kinds().
  void move_to(Severities& into, const std::vector<WaitKind>& kinds) {
    const double* row = sums_.data();
    for (const PathIndex path : paths_) {
      Severities::OfPath of_path = into.of(path);
      for (const WaitKind kind : kinds) of_path.add(cost_of(kind).short_term, *row++);
      for (const WaitKind kind : kinds) of_path.add(cost_of(kind).long_term, *row++);
    }
    start(kinds_);
  }

 private:
  static constexpr std::uint32_t kNoRow = 0xffffffffu;

  double* row_of(PathIndex path) {
    if (path >= rows_.size()) rows_.resize(path + 1, kNoRow);
    if (rows_[path] == kNoRow) [[unlikely]] {
      rows_[path] = static_cast<std::uint32_t>(sums_.size());
      paths_.push_back(path);
      sums_.resize(sums_.size() + 2 * kinds_, 0);
    }
    return &sums_[rows_[path]];
  }

  std::size_t kinds_ = 0;
  std::vector<std::uint32_t> rows_;  // per call path, where its sums begin
  std::vector<PathIndex> paths_;     // those that have sums, in order of these
  std::vector<double> sums_;         // per call path: short-term by kind, long-term by kind
};

}  // namespace tarry
