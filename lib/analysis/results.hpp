// results.hpp -- what is known of all threads when all passes are done: a table of values, one column for each thread.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/trace.hpp"
#include "analysis/value_rows.hpp"

namespace tarry {

/// One value of a counter of a thread.
struct CounterValue {
  CounterId counter{};
  PathIndex path = kNoPath;
  double value = 0;
};

/// Call paths are those of the unified tree; columns are in the order of rank and thread.
struct Results {
  std::vector<AnalysedThread> threads;  // [column]
  ValueRows values;
  ValueRows activities;                                          // time without waits, in ticks, as Metric::kTime
  ValueRows iterations;                                          // by slot of a time series in place of call path
  std::vector<std::vector<CounterValue>> counters;               // [column], or none
  Indexed<RankIndex, std::vector<std::uint32_t>> first_columns;  // of the masters of processes that are hosted here

  Results() = default;
  /// Of the processes that are hosted here, without values. `slots`: of a time series.
  Results(const Trace& trace, std::size_t paths, std::size_t slots = 0);

  std::size_t column(RankIndex rank, ThreadIndex thread) const { return first_columns[rank] + thread.value; }
};

/// The results of all analysis processes, at process 0; those of the caller elsewhere. Collective.
Results gather_results(Exchange& exchange, Results own);

}  // namespace tarry
