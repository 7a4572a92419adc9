// sync_exchange.hpp -- what analysis processes tell one another about sync points.
#pragma once

#include <vector>

#include "analysis/sync_points/sync_points.hpp"

namespace tarry {

/// A sync point of a process.
struct SyncPlace {
  std::uint32_t thread = 0;
  SyncIndex point = kNone32;
};
using SyncPlaces = FlatMap<std::uint32_t, SyncPlace>;

/// Where the sync points of one process ended up, by the record that made them.
struct SyncRecordIndex {
  SyncPlaces send_starts, receive_starts, receives, sends, probes, collectives;
  SyncPlaces collective_starts;  // of non-blocking ones
  SyncPlaces window_starts, windows;
};

/// Tells the hosts of both ends of each message how long the other end waited (Receive::wait, Send::wait of the
/// copies).
void exchange_waits(World& world);

/// Whether a wait in one-sided communication is a synchronisation with the one it waited for: no part of another wait,
/// and for a call that is known.
bool has_sync_point(const WindowWait& wait);

/// Fills in LogicalRank::window_causes of the hosted ranks, in order. Collective over the analysis processes.
void collect_window_causes(World& world);

/// Everybody gets the parts of the index that causes are looked up in. [rank index]
void share_cause_index(World& world, ParallelArray<SyncRecordIndex>& index);

/// Everybody gets the sync points of all processes. [rank index][thread]
void share_points(World& world, AllSyncPoints& all);

}  // namespace tarry
