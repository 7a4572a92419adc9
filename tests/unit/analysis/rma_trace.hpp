// rma_trace.hpp -- notation for one-sided communication in traces that tests write down.
#pragma once

#include "tests/unit/replay/synthetic_source.hpp"

namespace tarry {

/// Adds calls of one-sided communication to the stream of one process. All are on window 0 of MPI_COMM_WORLD.
class RmaStream {
 public:
  RmaStream(SyntheticTrace& trace, std::uint32_t rank) : trace_(trace), stream_(trace.on(rank)) {
    if (trace.definitions().windows.empty()) trace.edit_definitions().windows.push_back({StringId(0), CommId(0)});
  }

  RmaStream& fence(Ticks first, Ticks last) { return collective(first, last, "MPI_Win_fence", CollectiveOp::kBarrier); }
  RmaStream& create(Ticks first, Ticks last) {
    return collective(first, last, "MPI_Win_create", CollectiveOp::kCreateHandle);
  }
  RmaStream& free(Ticks first, Ticks last) {
    return collective(first, last, "MPI_Win_free", CollectiveOp::kDestroyHandle);
  }

  RmaStream& post(Ticks first, Ticks last, const std::vector<std::uint32_t>& group) {
    return group_call(first, last, "MPI_Win_post", group);
  }
  RmaStream& start(Ticks first, Ticks last, const std::vector<std::uint32_t>& group) {
    return group_call(first, last, "MPI_Win_start", group);
  }
  RmaStream& complete(Ticks first, Ticks last) { return group_call(first, last, "MPI_Win_complete", {}); }
  RmaStream& wait(Ticks first, Ticks last) { return group_call(first, last, "MPI_Win_wait", {}); }

  /// The record stands at the Enter.
  RmaStream& put(Ticks first, Ticks last, std::uint64_t target, Bytes bytes = 8, std::uint64_t matching = 0) {
    const record::RmaPut put{.window = kWindow, .remote = CommRank(target), .bytes = bytes, .matching = matching};
    stream_.enter(first, "MPI_Put").add(first, put).leave(last);
    return *this;
  }
  /// A call after which the accesses of these numbers are complete.
  RmaStream& flush(Ticks first, Ticks last, const std::string& call, std::initializer_list<std::uint64_t> matchings) {
    stream_.enter(first, call);
    for (const std::uint64_t matching : matchings)
      stream_.add(last, record::RmaOpCompleteRemote{.window = kWindow, .matching = matching});
    stream_.leave(last);
    return *this;
  }
  RmaStream& get(Ticks first, Ticks last, std::uint64_t target, Bytes bytes = 8) {
    const record::RmaGet get{.window = kWindow, .remote = CommRank(target), .bytes = bytes, .matching = 0};
    stream_.enter(first, "MPI_Get").add(first, get).leave(last);
    return *this;
  }
  RmaStream& atomic(Ticks first, Ticks last, std::uint64_t target, Bytes sent, Bytes received) {
    const record::RmaAtomic atomic{.window = kWindow,
                                   .remote = CommRank(target),
                                   .atomic_type = 0,
                                   .sent = sent,
                                   .received = received,
                                   .matching = 0};
    stream_.enter(first, "MPI_Fetch_and_op").add(first, atomic).leave(last);
    return *this;
  }

  RmaStream& lock(Ticks first, Ticks last, std::uint64_t target, bool is_shared = false) {
    const record::RmaRequestLock request{
        .window = kWindow, .remote = CommRank(target), .lock = 0, .lock_type = is_shared};
    stream_.enter(first, "MPI_Win_lock").add(first, request).leave(last);
    return *this;
  }
  RmaStream& lock_all(Ticks first, Ticks last) { return lock(first, last, 0xffffffff, true); }
  /// The lock is released one tick before the Leave.
  RmaStream& unlock(Ticks first, Ticks last, std::uint64_t target) {
    const record::RmaReleaseLock release{.window = kWindow, .remote = CommRank(target), .lock = 0};
    stream_.enter(first, "MPI_Win_unlock").add(last - 1, release).leave(last);
    return *this;
  }
  RmaStream& unlock_all(Ticks first, Ticks last) { return unlock(first, last, 0xffffffff); }

  RmaStream& visit(Ticks first, Ticks last, const std::string& region) {
    stream_.visit(first, last, region);
    return *this;
  }

 private:
  static constexpr WindowId kWindow{0};

  RmaStream& collective(Ticks first, Ticks last, const char* name, CollectiveOp operation) {
    const record::RmaCollectiveEnd end{
        .operation = operation, .sync_level = 0, .window = kWindow, .sent = 0, .received = 0};
    stream_.enter(first, name).add(first, record::RmaCollectiveBegin{}).add(last, end).leave(last);
    return *this;
  }

  RmaStream& group_call(Ticks first, Ticks last, const char* name, const std::vector<std::uint32_t>& group) {
    if (!group.empty()) group_ = add_group(group);
    stream_.enter(first, name).add(first, record::RmaGroupSync{.sync_level = 1, .window = kWindow, .group = group_});
    stream_.leave(last);
    return *this;
  }

  GroupId add_group(const std::vector<std::uint32_t>& members) {
    auto& groups = trace_.edit_definitions().groups;
    groups.push_back({StringId(0), members});
    return GroupId(groups.size() - 1);
  }

  SyntheticTrace& trace_;
  SyntheticStream& stream_;
  GroupId group_{0};
};

}  // namespace tarry
