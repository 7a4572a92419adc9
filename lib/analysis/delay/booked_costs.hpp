// booked_costs.hpp -- sums of delay costs by call path of the cause: a short row for each, as every wait adds to some.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/delay/delay_propagation.hpp"
#include "analysis/severities.hpp"

namespace tarry {

/// Costs, in ticks, at one thread, by class of waits (CostByClass).
class BookedCosts {
 public:
  /// Forgets all sums; `classes`: how many classes of waits there are.
  void start(std::size_t classes) {
    for (const PathIndex path : paths_) rows_[path] = kNoRow;
    paths_.clear();
    sums_.clear();
    classes_ = classes;
  }

  /// Adds a short-term cost of a wait of some classes, and long-term costs of all classes: `factor` times each.
  void add(PathIndex path, const WaitClasses& classes, double short_term, const CostByClass& long_term, double factor) {
    double* const row = row_of(path);
    row[classes.kind] += short_term;
    if (classes.has_group) row[classes.group] += short_term;
    for (std::size_t k = 0; k < classes_; ++k) row[classes_ + k] += long_term[k] * factor;
  }

  /// Calls visit(path, class, short-term, long-term) for the classes from `first` on that have costs.
  template <class Visit>
  void for_each_class(std::size_t first, Visit visit) const {
    const double* row = sums_.data();
    for (const PathIndex path : paths_) {
      for (std::size_t k = first; k < classes_; ++k)
        if (row[k] != 0 || row[classes_ + k] != 0) visit(path, k, row[k], row[classes_ + k]);
      row += 2 * classes_;
    }
  }

  /// `kinds`: WaitCosts::kinds().
  void move_to(Severities& into, const std::vector<WaitKind>& kinds) {
    const double* row = sums_.data();
    for (const PathIndex path : paths_) {
      Severities::OfPath of_path = into.of(path);
      for (std::size_t k = 0; k < kinds.size(); ++k) of_path.add(cost_of(kinds[k]).short_term, row[k]);
      for (std::size_t k = 0; k < kinds.size(); ++k) of_path.add(cost_of(kinds[k]).long_term, row[classes_ + k]);
      row += 2 * classes_;
    }
    start(classes_);
  }

 private:
  static constexpr std::uint32_t kNoRow = 0xffffffffu;

  double* row_of(PathIndex path) {
    if (path >= rows_.size()) rows_.resize(path + 1, kNoRow);
    if (rows_[path] == kNoRow) [[unlikely]] {
      rows_[path] = static_cast<std::uint32_t>(sums_.size());
      paths_.push_back(path);
      sums_.resize(sums_.size() + 2 * classes_, 0);
    }
    return &sums_[rows_[path]];
  }

  std::size_t classes_ = 0;
  std::vector<std::uint32_t> rows_;  // per call path, where its sums begin
  std::vector<PathIndex> paths_;     // those that have sums, in order of these
  std::vector<double> sums_;         // per call path: short-term by class, long-term by class
};

}  // namespace tarry
