// listed_delays.hpp -- the delays of a run, numbered as 'tarry report' lists them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/analysis.hpp"
#include "base/units.hpp"
#include "findings/causes/root_causes.hpp"

namespace tarry {

/// A call path on which some took longer than those who waited for them.
struct ListedDelay {
  RootCause cause;
  std::string name;       // "compute (heat.c:45), rank 4"
  std::string path_text;  // names from the root down
  std::string file;       // of the function; may be empty, and line is 0 then
  std::int64_t line = 0;
  std::vector<PathIndex> paths;  // of the unified tree
  bool is_in_init = false;       // in MPI_Init: before the part of a run that counts
  std::uint64_t waiters = 0;     // threads that wait for it directly,
  Seconds most_of_one = 0;       // and how long one of them does at most:
  WorldRank longest_rank{};      // this one, if there is any
  ThreadIndex longest_thread{};
};

/// What an analysis has to keep for list_delays() and Changes.
AnalysisOptions options_for_delays();

/// Most expensive first: number 1 is [0]. Takes the result of the analysis.
std::vector<ListedDelay> list_delays(Analysis& analysis);

}  // namespace tarry
