// iteration_table.hpp -- values by iteration and process, as an extra file of a report (docs/CUBEX.md, "Iteration
// table").
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// One iteration, or several that follow one another.
struct IterationRange {
  std::int64_t first = 0, last = 0;  // their numbers
  std::uint64_t count = 1;           // how many they are

  bool operator==(const IterationRange&) const = default;
};

/// Not those of a cluster, which are from all of the run.
inline bool follow_one_another(const IterationRange& range) {
  return range.count == static_cast<std::uint64_t>(range.last) - static_cast<std::uint64_t>(range.first) + 1;
}

/// Values of one metric: [range * processes + process], inclusive of all that an iteration calls, and of all threads.
struct IterationMetric {
  std::string name, unit;
  double factor = 1;           // of the unit: what 1 is
  std::vector<double> values;  // mostly whole numbers: ticks, occurrences, bytes

  bool operator==(const IterationMetric&) const = default;
};

struct IterationTable {
  std::string region;
  bool is_marked_loop = false;  // the program has given the numbers; else they count visits
  std::vector<std::int64_t> ranks;
  std::vector<IterationRange> rows;
  std::vector<IterationMetric> metrics;

  const IterationMetric* find(std::string_view metric) const;
  bool operator==(const IterationTable&) const = default;
};

/// Removes ranges without any value.
void drop_empty_rows(IterationTable& table);

/// Adds the table to a report; nothing if it has no rows.
void add_iteration_table(const IterationTable& table, std::vector<ReportFile>& files);

/// The table of a report; without rows if it has none.
Result<IterationTable> read_iteration_table(const std::vector<ReportFile>& files);

}  // namespace tarry
