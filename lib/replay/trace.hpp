// trace.hpp -- all logical ranks of a trace, and which analysis process hosts which.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "base/arrays/parallel_array.hpp"
#include "defs/communicator_table.hpp"
#include "exchange/exchange.hpp"
#include "replay/logical_rank.hpp"
#include "replay/matching/neighbor_table.hpp"
#include "replay/trees/region_table.hpp"
#include "replay/scan/scan.hpp"
#include "replay/scan/time_ranges.hpp"
#include "replay/world_table.hpp"
#include "trace/source.hpp"

namespace tarry {

/// What of the time of a process's threads (master first) counts. Called on several workers at the same time.
using TimeSelector = std::function<std::vector<TimeRanges>(std::span<const LocationId> locations)>;

/// The acquisitions of locks by each thread: by process and thread; empty where a process has none.
using LockLogs = Indexed<RankIndex, ParallelArray<Indexed<ThreadIndex, std::vector<LockLog>>>>;

/// The trace as the passes see it. Every analysis process knows of all ranks, and hosts a contiguous block of them;
/// the others are empty there but for what exchange passes brought.
class Trace {
 public:
  /// Scans the hosted ranks on `workers` threads. With a selector, times and visits that it leaves out do not count;
  /// waits, messages and the order of events are known all the same. Large arrays take pages of `budget`, if there is
  /// one; so do those of later passes.
  Trace(Source& source, Exchange& exchange, unsigned workers, const TimeSelector& selector = {},
        KeptDetails details = {}, MemoryBudget* budget = nullptr);
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  const Definitions& definitions() const { return source_.definitions(); }
  /// The log and the exchange are not part of the trace: whoever reads it may use them.
  FaultLog& faults() const { return source_.faults(); }
  Exchange& exchange() const { return exchange_; }
  unsigned workers() const { return workers_; }
  MemoryBudget* budget() const { return budget_; }
  const RegionTable& regions() const { return regions_; }
  const CommunicatorTable& communicators() const { return communicators_; }
  const NeighborTable& neighbors() const { return neighbors_; }

  /// The sets of processes that MPI_Init and MPI_Finalize synchronise.
  const WorldTable& mpi_worlds() const { return *mpi_worlds_; }

  /// The communicator of a collective operation of a process. For MPI_Init and MPI_Finalize it is MPI_COMM_WORLD of the
  /// process where there are several; else it stays kInitComm or kFinalizeComm, for all take part.
  CommId comm_of(const Collective& part, RankIndex rank) const;

  /// Whether a selector left a part of the trace out.
  bool is_partial() const { return is_partial_; }

  /// In order of world rank.
  using Ranks = Indexed<RankIndex, ParallelArray<LogicalRank>>;
  Ranks& ranks() { return ranks_; }
  const Ranks& ranks() const { return ranks_; }

  /// Position of a process in ranks(); none if it is not in the trace.
  RankIndex index_of(WorldRank world_rank) const {
    const RankIndex* found = index_.find(world_rank);
    return found ? *found : RankIndex();
  }

  /// The locations of a process that are read, by their numbers, master first; known of all ranks.
  const Indexed<ThreadIndex, std::vector<LocationId>>& locations_of(RankIndex rank) const { return locations_[rank]; }

  /// That of a thread; of one that is not known, that of its process's first.
  LocationId location_of(RankIndex rank, ThreadIndex thread) const {
    return locations_[rank][locations_[rank].has(thread) ? thread : kMaster];
  }

  /// The number of that thread, or queue, among all locations of the trace that are read.
  std::uint32_t number_of(RankIndex rank, ThreadIndex thread) const {
    return location_numbers_[location_of(rank, thread).value];
  }
  std::size_t location_count() const { return location_count_; }

  /// The analysis process that hosts a process.
  int host_of(RankIndex rank) const { return host_[rank]; }
  bool is_hosted(RankIndex rank) const { return host_[rank] == exchange_.rank(); }

  /// Whether a process is a member of a communicator. Constant time.
  bool is_member(CommId comm, RankIndex rank) const;

  /// Announces to the processor that the other ends of all matched messages of `rank` will be looked at next. With
  /// thousands of ranks none of them is in a cache.
  void prefetch_partners(const LogicalRank& rank) const;

  /// Hands the acquisitions of locks over, which are many and needed early only. Afterwards there are none here.
  LockLogs take_locks();

  /// The same; they stay here, too.
  LockLogs copy_locks() const;

  /// Calls job(RankIndex) for every hosted rank, on all workers.
  template <class Job>
  void for_each_hosted(Job job) const {
    run_hosted([&](std::size_t i) { job(hosted_[i]); });
  }

  /// Ticks of the trace's clock in seconds.
  double seconds(Ticks ticks) const { return static_cast<double>(ticks) / definitions().clock.ticks_per_second; }

 private:
  void run_hosted(const std::function<void(std::size_t)>& job) const;
  void index_members();
  void distribute();

  Source& source_;
  Exchange& exchange_;
  unsigned workers_;
  MemoryBudget* budget_;
  bool is_partial_;
  RegionTable regions_;
  CommunicatorTable communicators_;
  NeighborTable neighbors_;
  Ranks ranks_;
  std::optional<WorldTable> mpi_worlds_;
  Indexed<RankIndex, std::vector<Indexed<ThreadIndex, std::vector<LocationId>>>> locations_;  // master first
  std::vector<std::uint32_t> location_numbers_;                                               // of those that are read
  std::size_t location_count_ = 0;
  Indexed<RankIndex, std::vector<std::vector<TimeRanges>>> selected_;  // of the threads; empty: all
  Indexed<RankIndex, std::vector<int>> host_;
  std::vector<RankIndex> hosted_;
  FlatMap<WorldRank, RankIndex> index_;
  // By the first communicator with the same groups, and process; empty: all processes
  Indexed<CommId, std::vector<std::vector<bool>>> membership_;
};

}  // namespace tarry
