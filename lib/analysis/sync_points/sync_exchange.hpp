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

/// Sync points by the index of the record that made them. Of several of one record the last counts.
class SyncPlaces {
 public:
  explicit SyncPlaces(MemoryBudget* budget = nullptr) noexcept : entries_(budget), blocks_(budget) {}

  void add(std::uint32_t record, const SyncPlace& at) { entries_.push_back({record, at}); }

  /// Nothing more is to be added; to be called before find().
  void finish();

  /// nullptr if there is none.
  const SyncPlace* find(std::uint32_t record) const;

  std::size_t size() const { return entries_.size(); }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : entries_) visit(entry.record, entry.at);
  }

 private:
  struct Entry {
    std::uint32_t record;
    SyncPlace at;
  };
  Rows<Entry> entries_;  // in order of records, once they are complete
  // Where entries of each block of 2^block_bits_ records begin: as many blocks as entries, or half as many.
  Rows<std::uint32_t> blocks_;
  int block_bits_ = 0;
};

/// Where the sync points of one process ended up, by the record that made them.
struct SyncRecordIndex {
  explicit SyncRecordIndex(MemoryBudget* budget = nullptr) noexcept
      : send_starts(budget), receive_starts(budget), receives(budget), sends(budget), probes(budget),
        collectives(budget), collective_starts(budget), window_starts(budget), windows(budget) {}

  SyncPlaces send_starts, receive_starts, receives, sends, probes, collectives;
  SyncPlaces collective_starts;  // of non-blocking ones
  SyncPlaces window_starts, windows;

  void finish() {
    for (SyncPlaces* places : {&send_starts, &receive_starts, &receives, &sends, &probes, &collectives,
                               &collective_starts, &window_starts, &windows})
      places->finish();
  }
};

/// Whether a wait in one-sided communication is a synchronisation with the one it waited for: no part of another wait,
/// and for a call that is known.
bool has_sync_point(const WindowWait& wait);

/// A call of a process that another one waited for.
struct WindowCause {
  std::uint32_t record = 0;  // index into LogicalRank::window_records
  std::uint32_t waiter = 0;  // rank index
};

/// [rank index], of the hosted ones, in the order of records.
using WindowCauses = Indexed<RankIndex, std::vector<Rows<WindowCause>>>;

/// Collective over the analysis processes.
WindowCauses collect_window_causes(const Trace& trace, const FoundWaits& waits);

/// Everybody gets the parts of the index that causes are looked up in. [rank index]
void share_cause_index(const Trace& trace, ParallelArray<SyncRecordIndex>& index);

/// Everybody gets the sync points of all processes. [rank index][thread]
void share_points(const Trace& trace, AllSyncPoints& all);

}  // namespace tarry
