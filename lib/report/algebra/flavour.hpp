// flavour.hpp -- exclusive and inclusive values of stored metrics, whichever of the two is stored.
#pragma once

#include <span>
#include <vector>

#include "report/algebra/cube_source.hpp"

namespace tarry {

/// What a call path keeps for itself of `whole` when its children have `children`. Sums of the same terms in another
/// order differ in the last digits, and that is no time spent. So up to two units in the last digit count as nothing
/// (docs/CUBEX.md, "What a value means").
double without_children(double whole, double children);

/// Reads rows of stored metrics in the flavour wanted, components as they are. Keeps a row of scratch space, so it is
/// worth keeping; not thread-safe.
class FlavourReader {
 public:
  /// `source` must outlive the reader.
  explicit FlavourReader(const CubeSource& source) : source_(source) {}

  const CubeSource& source() const { return source_; }

  /// Exclusive along the call tree. False, with `row` neutral, if nothing is stored.
  bool read_exclusive(MetricId metric, CallPathId path, std::span<double> row);

  /// Inclusive along the call tree; reads the rows of the whole subtree if exclusive values are stored.
  bool read_inclusive(MetricId metric, CallPathId path, std::span<double> row);

  /// Whether there is anything stored that read_exclusive() or read_inclusive() would use.
  bool has_exclusive(MetricId metric, CallPathId path) const;
  bool has_inclusive(MetricId metric, CallPathId path) const;

 private:
  bool is_stored_inclusive(MetricId metric) const {
    return source_.structure().metrics[metric.value].kind == MetricKind::kInclusive;
  }
  void add_row(MetricId metric, CallPathId path, std::span<double> into);

  const CubeSource& source_;
  std::vector<double> scratch_, children_;
};

/// Combines two rows value by value (combine_values).
void combine_rows(ValueFormat format, std::span<double> into, std::span<const double> from);

/// Numbers of a row of values (number_of); `numbers` gets one for each location.
void numbers_of_row(ValueFormat format, std::span<const double> row, std::vector<double>& numbers);

}  // namespace tarry
