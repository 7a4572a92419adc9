// scan.cpp -- the one pass over the events of a process, thread after thread.
#include "replay/scan.hpp"

#include <algorithm>

#include "replay/thread_scan.hpp"

namespace tarry {
namespace {

// With several threads calling MPI, records follow one another thread by thread; bring them into time order.
template <class Record, class Time>
void sort_by_time(Rows<Record>& records, Time time) {
  const auto earlier = [&](const Record& a, const Record& b) { return time(a) < time(b); };
  if (!std::is_sorted(records.begin(), records.end(), earlier)) std::stable_sort(records.begin(), records.end(), earlier);
}

}  // namespace

std::string location_name(const Definitions& definitions, LocationId location) {
  const Location& facts = definitions.locations[location.value];
  std::string name = "rank " + std::to_string(definitions.processes[facts.process.value].rank);
  if (facts.thread > 0) name += " thread " + std::to_string(facts.thread);
  return name;
}

LogicalRank scan_process(Source& source, std::span<const LocationId> locations, const RegionTable& regions,
                         const CommunicatorTable& communicators, std::span<const TimeRanges> selected) {
  const Definitions& definitions = source.definitions();
  LogicalRank rank;
  if (locations.empty()) return rank;
  rank.rank = definitions.processes[definitions.locations[locations[0].value].process.value].rank;
  rank.threads.resize(locations.size());
  ProcessScan scan{source, regions, communicators, rank, {}, WindowScan(definitions, communicators, rank), 0, 0};
  for (std::size_t i = 0; i < locations.size(); ++i) {
    rank.threads[i].location = locations[i];
    if (!selected.empty()) rank.threads[i].selected = &selected[i];
    ThreadScan(scan, rank.threads[i], static_cast<std::uint16_t>(i)).run();
    if (i == 0) scan.master_forks = rank.forks.size();
  }
  if (locations.size() > 1) {
    sort_by_time(rank.sends, [](const Send& s) { return s.time; });
    sort_by_time(rank.receives, [&](const Receive& r) { return rank.calls[r.call].leave(); });
    sort_by_time(rank.collectives, [](const Collective& c) { return c.end; });
  }
  scan.windows.finish();
  rank.calls.finish();
  rank.sends.finish();
  rank.receives.finish();
  rank.collectives.finish();
  return rank;
}

}  // namespace tarry
