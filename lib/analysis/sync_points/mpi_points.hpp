// mpi_points.hpp -- sync points of one process in MPI calls: messages, collectives, one-sided communication, spawns.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/sync_points/sync_draft.hpp"
#include "analysis/sync_points/sync_exchange.hpp"

namespace tarry {

class MpiPoints {
 public:
  using Lists = decltype(SyncPoints::lists);

  MpiPoints(const Trace& trace, const FoundWaits& waits, const Rows<WindowCause>& window_causes, RankIndex rank_index,
            const Compatibility& compatibility);

  /// Of a thread, in no order.
  Rows<SyncDraft>& drafts(ThreadIndex thread) { return threads_[thread].drafts; }

  /// The sync point of a draft of a thread.
  SyncPoint make(const SyncDraft& draft);

  /// SyncPoints::lists of a thread, when its sync points are made.
  Lists take_lists(ThreadIndex thread) { return std::move(threads_[thread].lists); }

 private:
  struct OfThread {
    Rows<SyncDraft> drafts;
    Lists lists;
  };

  void draft_messages();
  void draft_collectives();
  void draft_windows();
  void draft_spawns();
  template <class Id>
  void draft(SyncDraft::Record record, Id index, CallIndex call, std::uint32_t detail = 0) {
    thread_of(call).drafts.push_back(SyncDraft::of_mpi(record, index.value, call, detail));
  }

  SyncPoint point_in(CallIndex call, SyncKind kind) const;
  SyncPoint message_point(CallIndex call, SyncKind kind, RankIndex partner, Ticks completion) const;
  SyncPoint late_sender(CallIndex call, const Receive& receive, Ticks wait) const;
  SyncPoint polled(PolledWaitIndex index) const;
  SyncPoint late_sender_cause(const Send& send) const;
  SyncPoint late_receiver(const MessageWait<SendIndex>& late) const;
  SyncPoint late_receiver_cause(const Receive& receive) const;
  SyncPoint collective(CollectiveIndex index);
  SyncPoint collective_start(CollectiveIndex index);
  SyncPoint window(WindowWaitIndex index) const;
  SyncPoint window_cause(CallIndex call, SyncListIndex list) const;
  SyncPoint spawn(SpawnIndex index) const;

  Counterpart partners_of(const Collective& part, const CollectiveWait& found);
  Counterpart list_of(CallIndex call, PartnerListIndex of_world_ranks);
  OfThread& thread_of(CallIndex call) { return threads_[rank_.calls[call].thread]; }
  Ticks leave_of(RankIndex rank, CallIndex call) const { return trace_.ranks()[rank].calls[call].leave(); }

  const Trace& trace_;
  const FoundWaits& waits_;
  const Rows<WindowCause>& window_causes_;
  const RankIndex rank_index_;
  const LogicalRank& rank_;
  const RankWaits& own_waits_;
  const Compatibility& compatibility_;
  Indexed<ThreadIndex, std::vector<OfThread>> threads_;
};

}  // namespace tarry
