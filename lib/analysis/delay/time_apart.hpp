// time_apart.hpp -- what a thread did since it last synchronised with a process.
#pragma once

#include <cstdint>

#include "analysis/delay/delay_context.hpp"
#include "analysis/delay/interval_times.hpp"

namespace tarry {

/// The part of a thread's time in which it was apart from a process.
struct Apart {
  SyncIndex since{};  // none: a thread other than the master has met no one since it began
  Ticks waits = 0;    // after that
};

/// Before sync point `before`. Its time vector, without the waits, goes into `times`, which is empty before.
Apart time_apart(const DelayContext& context, const SyncRef& before, RankIndex partner, IntervalScratch& scratch,
                 TimeVector& times);

/// Since when a master and a process have been apart that have not synchronised. Those of one world have met in
/// MPI_Init, its first sync point; one of another world may have begun later.
SyncIndex begin_with(const DelayContext& context, const SyncRef& before, RankIndex partner);

}  // namespace tarry
