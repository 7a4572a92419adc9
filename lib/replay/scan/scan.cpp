// scan.cpp -- the one pass over the events of a process, thread after thread.
#include "replay/scan/scan.hpp"

#include <algorithm>
#include <deque>
#include <numeric>

#include "replay/scan/queue_scan.hpp"
#include "replay/scan/thread_scan.hpp"

namespace tarry {
namespace {

// One after the other, the master first. Members of nested teams wait for the thread that forks them, which may be read
// later.
void scan_threads(ProcessScan& scan, std::deque<ThreadScan>& threads) {
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (!threads[i].run()) waiting.push_back(i);
    if (i == 0) scan.master_forks = scan.rank.forks.size();
  }
  while (!waiting.empty()) {
    std::uint64_t events = 0;
    for (const std::size_t i : waiting) events += scan.rank.threads[ThreadIndex(i)].event_count;
    std::uint64_t later = 0;
    std::erase_if(waiting, [&](std::size_t i) {
      const bool is_done = threads[i].run();
      later += scan.rank.threads[ThreadIndex(i)].event_count;
      return is_done;
    });
    if (later == events && !waiting.empty()) threads[waiting[0]].stop_waiting();
  }
}

// With several threads calling MPI, records follow one another thread by thread; bring them into time order.
template <class Record, class Time>
void sort_by_time(Rows<Record>& records, Time time) {
  const auto earlier = [&](const Record& a, const Record& b) { return time(a) < time(b); };
  if (!std::is_sorted(records.begin(), records.end(), earlier))
    std::stable_sort(records.begin(), records.end(), earlier);
}

// In the order in which their calls end; those of one call keep their order. `numbers`: of the records.
void sort_receives(LogicalRank& rank, const Indexed<ReceiveIndex, std::vector<std::uint64_t>>& numbers) {
  const auto is_earlier = [&](ReceiveIndex a, ReceiveIndex b) {
    const MpiCall &left = rank.calls[rank.receives[a].call], &right = rank.calls[rank.receives[b].call];
    if (left.leave() != right.leave()) return left.leave() < right.leave();
    return left.thread != right.thread ? left.thread < right.thread : numbers[a] < numbers[b];
  };
  const auto ids = rank.receives.ids();
  std::vector<ReceiveIndex> order(ids.begin(), ids.end());
  if (std::is_sorted(order.begin(), order.end(), is_earlier)) return;
  std::sort(order.begin(), order.end(), is_earlier);
  Rows<Receive> receives(rank.receives.budget());
  Rows<Ticks> times(rank.receives.budget());
  for (const ReceiveIndex i : order) {
    receives.push_back(rank.receives[i]);
    if (!rank.receive_times.empty()) times.push_back(rank.receive_times[i]);
  }
  rank.receives = std::move(receives);
  rank.receive_times = std::move(times);
}

// Receives of several threads were numbered thread by thread: number them by time.
void order_postings(LogicalRank& rank, const Indexed<PostingIndex, std::vector<Ticks>>& posted) {
  const auto ids = posted.ids();
  std::vector<PostingIndex> order(ids.begin(), ids.end());
  std::stable_sort(order.begin(), order.end(), [&](PostingIndex a, PostingIndex b) { return posted[a] < posted[b]; });
  Indexed<PostingIndex, std::vector<PostingIndex>> number(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = PostingIndex(i);
  for (Receive& receive : rank.receives) receive.posted = number[receive.posted];
  for (Probe& probe : rank.probes)
    if (probe.posted.is_valid()) probe.posted = number[probe.posted];
}

void find_receives_of_probes(LogicalRank& rank) {
  if (rank.probes.empty()) return;
  FlatMap<PostingIndex, ReceiveIndex> receive_of;
  receive_of.reserve(rank.receives.size());
  for (const ReceiveIndex i : rank.receives.ids()) receive_of.insert(rank.receives[i].posted) = i;
  for (Probe& probe : rank.probes)
    if (const ReceiveIndex* receive = receive_of.find(probe.posted)) probe.receive = *receive;
}

// Requests that one thread started and another completed; by time, as one may make way for the next.
void complete_late(ProcessScan& scan, std::deque<ThreadScan>& threads) {
  std::stable_sort(scan.late.begin(), scan.late.end(),
                   [](const LateCompletion& a, const LateCompletion& b) { return a.event.time < b.event.time; });
  for (const LateCompletion& late : scan.late) threads[late.thread.value].complete_late(late);
}

// Of freed requests, for instance.
std::uint32_t count_pending_receives(const ProcessScan& scan) {
  std::uint32_t count = 0;
  scan.requests.for_each(
      [&](std::uint64_t, const PendingRequest& request) { count += request.kind == PendingRequest::Kind::kReceive; });
  return count;
}

}  // namespace

std::string location_name(const Definitions& definitions, LocationId location) {
  const Location& facts = definitions.locations[location.value];
  std::string name = "rank " + std::to_string(definitions.processes[facts.process.value].rank);
  if (facts.thread > 0) name += " thread " + std::to_string(facts.thread);
  return name;
}

void scan_process(Source& source, std::span<const LocationId> locations, const RegionTable& regions,
                  const CommunicatorTable& communicators, std::span<const TimeRanges> selected, KeptDetails details,
                  LogicalRank& rank) {
  const Definitions& definitions = source.definitions();
  if (locations.empty()) return;
  rank.rank = WorldRank(definitions.processes[definitions.locations[locations[0].value].process.value].rank);
  for (std::size_t i = 0; i < locations.size(); ++i) rank.threads.emplace_back(rank.calls.budget());
  ProcessScan scan{.source = source,
                   .regions = regions,
                   .communicators = communicators,
                   .rank = rank,
                   .requests = {},
                   .windows = WindowScan(definitions, communicators, rank),
                   .iterations = IterationScan(details.iterations, rank),
                   .post_times = {},
                   .receive_numbers = {},
                   .team_forks = {},
                   .file_operations = {},
                   .late = {},
                   .keeps = details};
  std::deque<ThreadScan> threads;
  for (std::size_t i = 0; i < locations.size(); ++i) {
    rank.threads[i].location = locations[i];
    if (!selected.empty()) rank.threads[i].selected = &selected[i];
    if (details.visit_logs) rank.threads[i].visit_log = std::make_unique<VisitLog>(rank.calls.budget());
    rank.threads[i].is_queue = definitions.locations[locations[i].value].kind == LocationKind::kQueue;
    if (details.main_part && i == 0) rank.threads[i].main_part = std::make_unique<MainPart>();
    if (rank.threads[i].is_queue) scan.has_queues = true;
    else threads.emplace_back(scan, rank.threads[i], ThreadIndex(i));
  }
  scan_threads(scan, threads);
  scan_queues(scan);
  if (locations.size() > 1) {
    complete_late(scan, threads);
    order_postings(rank, scan.post_times);
    sort_by_time(rank.sends, [](const Send& s) { return s.time; });
    sort_receives(rank, scan.receive_numbers);
    sort_by_time(rank.collectives, [](const Collective& c) { return c.started; });
  }
  rank.unseen_receives = count_pending_receives(scan);
  scan.windows.finish();
  find_receives_of_probes(rank);
  rank.tree.finish();
  rank.calls.finish();
  rank.sends.finish();
  rank.receives.finish();
  rank.receive_times.finish();
  rank.probes.finish();
  rank.polls.finish();
  rank.poll_runs.finish();
  rank.collectives.finish();
  for (const CollectiveIndex i : rank.collectives.ids()) rank.collectives[i].index = i;
}

}  // namespace tarry
