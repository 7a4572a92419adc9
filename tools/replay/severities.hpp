// severities.hpp -- what the patterns add up: values per metric and call path of one thread.
#pragma once

#include <cstdint>

#include "base/flat_map.hpp"
#include "metrics.hpp"
#include "replay/call_tree.hpp"

namespace tarry {

/// Sparse sums by (metric, call path). Times are in ticks, which are whole numbers: sums are exact and do not depend on
/// their order. Values are inclusive along the metric tree only as far as patterns add them to parents as well.
class Severities {
 public:
  void add(Metric metric, PathIndex path, double value) {
    if (value != 0) values_.insert(key(metric, path), 0) += value;
  }

  double get(Metric metric, PathIndex path) const {
    const double* found = values_.find(key(metric, path));
    return found ? *found : 0;
  }

  std::size_t size() const { return values_.size(); }
  void reserve(std::size_t sums) { values_.reserve(sums); }

  /// Calls visit(metric, path, value) for every sum, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    values_.for_each([&](std::uint64_t key, double value) {
      visit(static_cast<Metric>(key >> 32), static_cast<PathIndex>(key & 0xffffffffu), value);
    });
  }

 private:
  static std::uint64_t key(Metric metric, PathIndex path) {
    return (static_cast<std::uint64_t>(metric) << 32) | path;
  }

  FlatMap<std::uint64_t, double> values_;
};

}  // namespace tarry
