// match_windows.hpp -- brings the processes of one-sided synchronisations together: fences, epochs, locks.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "replay/trace.hpp"

namespace tarry {

/// A record and whose it is.
struct WindowPart {
  RankIndex rank{};
  const WindowRecord* record = nullptr;
};

/// A creation, destruction or fence of a window, in the order of the window's communicator.
struct WindowCollective {
  struct Member {
    WindowPart part;
    std::vector<const WindowRecord*> accesses;  // of fences: since the fence before, but for those of other epochs
  };
  std::vector<Member> members;
  std::span<const WorldRank> world_ranks;  // of the members

  WindowRecord::Kind kind() const { return members[0].part.record->kind; }
};

/// What a process does between MPI_Win_start and MPI_Win_complete.
struct AccessEpoch {
  struct Target {
    WorldRank world_rank{};
    WindowPart post;  // no record if none was found
  };
  WindowPart start, complete;
  std::vector<const WindowRecord*> accesses;  // by target, those to one in the order of time
  std::vector<Target> targets;

  std::span<const WindowRecord* const> accesses_to(WorldRank world_rank) const {
    const auto range = std::ranges::equal_range(accesses, world_rank, {}, &WindowRecord::target);
    return {range.begin(), range.end()};
  }
};

/// What happens to a process between MPI_Win_post and MPI_Win_wait.
struct ExposureEpoch {
  WindowPart post, wait;
  WorldRank world_rank{};
  std::size_t group_size = 0;
  std::vector<const AccessEpoch*> origins;  // those that were found
};

/// A lock of one process's part of a window by another one, from MPI_Win_lock to MPI_Win_unlock; or a lock of
/// OpenSHMEM.
struct LockEpoch {
  WindowPart lock, unlock;
  std::vector<const WindowRecord*> accesses;
};

/// The memory of one process of OpenSHMEM: what it has waited for there, and what all have written to it, by its begin.
struct ChangedMemory {
  std::vector<WindowPart> changes;
  std::vector<WindowPart> writes;
};

/// What looks at the parts of one window.
struct WindowVisitor {
  std::function<void(const WindowCollective&)> collective;
  std::function<void(const AccessEpoch&)> access;
  std::function<void(const ExposureEpoch&)> exposure;
  /// All epochs on one target, in the order in which the locks were released.
  std::function<void(std::span<const LockEpoch>)> locks;
  std::function<void(const ChangedMemory&)> memory = {};
};

/// Shows everything that happened on each window, with all its members, to the visitor that visitor_of(window) returns.
/// Empty functions of it are not called. The k-th operation of each kind on a window belongs to the k-th of the other
/// members. Of two processes the k-th start that names one belongs to the k-th post that names the other. What lacks
/// its counterpart is counted as a fault. Windows are looked at on all workers at the same time, each in one of the
/// analysis processes. Collective over the analysis processes; does nothing if there are no windows.
void visit_windows(const Trace& trace, const std::function<WindowVisitor(WindowId window)>& visitor_of);

/// Asks when a process is in MPI next: at `from` or later.
struct PresenceQuery {
  RankIndex rank{};
  RankIndex asker{};           // hosted where the query is made
  WindowRecordIndex record{};  // of the asker
  Ticks from = 0;
};

/// `time` is `from` if the process is in MPI then; without a later visit `is_known` is false.
struct PresenceAnswer {
  PresenceQuery query;
  bool is_known = false;
  ThreadIndex thread{};
  PathIndex path = kNoPath;
  Ticks time = 0;
};

/// Answers in the order of asker, record. Collective over the analysis processes.
std::vector<PresenceAnswer> find_presence(const Trace& trace, const std::vector<PresenceQuery>& queries);

}  // namespace tarry
