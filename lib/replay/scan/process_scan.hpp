// process_scan.hpp -- what the threads of a process share while their events are read, one thread after another.
#pragma once

#include <cstdint>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "base/arrays/indexed.hpp"
#include "replay/iterations/iteration_scan.hpp"
#include "replay/scan/scan.hpp"
#include "replay/scan/window_scan.hpp"
#include "trace/event.hpp"

namespace tarry {

/// A request that was started and has not completed.
struct PendingRequest {
  enum class Kind : std::uint8_t { kReceive, kSend, kCollective };

  Kind kind = Kind::kReceive;
  SendIndex send{};       // none: it is not kept
  CallIndex call{};       // that posted the receive
  PostingIndex posted{};  // of the receive
  CollectiveIndex collective{};
  RegionId region{};  // that started the collective
};

/// A completion whose request was not known: another thread, scanned later, may have started it.
struct LateCompletion {
  Event event;
  CallIndex call{};  // that completes
  ThreadIndex thread{};
  std::uint64_t number = 0;  // of the event
};

/// What is known of a team by its number in the events.
struct TeamFork {
  ForkIndex fork{};
  bool is_repeated = false;  // teams of several forks have the number
};

/// State that the threads of a process share while they are scanned one after another.
struct ProcessScan {
  Source& source;
  const RegionTable& regions;
  const CommunicatorTable& communicators;
  LogicalRank& rank;
  FlatMap<std::uint64_t, PendingRequest> requests;
  WindowScan windows;
  IterationScan iterations;
  std::uint32_t posted = 0;  // receives posted so far
  // If there are several threads: when each was, and the numbers of their records within the threads.
  Indexed<PostingIndex, std::vector<Ticks>> post_times;
  Indexed<ReceiveIndex, std::vector<std::uint64_t>> receive_numbers;
  FlatMap<std::uint64_t, TeamFork> team_forks;
  FlatMap<std::uint64_t, std::uint8_t> file_operations;  // under way: what they do, by file and number
  std::size_t master_forks = 0;                          // forks of the master thread, known once it has been scanned
  bool has_init = false, has_finalize = false;
  bool has_queues = false;  // that are kept
  std::vector<LateCompletion> late;
  KeptDetails keeps;

  /// The queue whose Location::thread that is; none if there is none.
  ThreadIndex queue_at(std::uint64_t number) const {
    const std::vector<Location>& locations = source.definitions().locations;
    for (const ThreadIndex t : rank.threads.ids())
      if (rank.threads[t].is_queue && locations[rank.threads[t].location.value].thread == number) return t;
    return {};
  }

  /// Whether processes that are not recorded belong to it: nothing to analyse, and nothing wrong.
  bool leads_outside(CommId comm) const { return communicators.is_valid(comm) && communicators.leads_outside(comm); }
};

}  // namespace tarry
