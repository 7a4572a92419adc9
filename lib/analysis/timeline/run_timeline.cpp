// run_timeline.cpp -- what happened when on each thread: its visits, beside what the analysis found.
#include "analysis/timeline/run_timeline.hpp"

#include <algorithm>

#include "analysis/timeline/choose_windows.hpp"
#include "analysis/timeline/path_classes.hpp"
#include "analysis/timeline/row_bins.hpp"
#include "analysis/timeline/visit_recorder.hpp"
#include "analysis/timeline/window_events.hpp"
#include "replay/trees/unified_tree.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kCoarseBins = 256, kFewestBins = 64;
constexpr std::uint32_t kProfileBins = 60;
constexpr std::size_t kMostProfiles = 200;
constexpr std::size_t kFewestCalls = 16;  // of a row in a window

// A power of two.
std::uint32_t bins_of_finest(const RunTimelineOptions& options, std::uint32_t rows, Ticks span) {
  std::uint32_t bins = options.finest_bins;
  const std::uint64_t most = std::max<std::uint64_t>(options.bin_cells / std::max(rows, 1u), kFewestBins);
  while (bins > 1 && (bins > most || static_cast<Ticks>(bins) > span)) bins /= 2;
  return bins;
}

class TimelineMaker {
 public:
  TimelineMaker(const Trace& trace, const UnifiedTree& unified, const TimelineFacts& facts,
                const RunTimelineOptions& options)
      : trace_(trace), unified_(unified), facts_(facts), options_(options) {}

  RunTimeline make() {
    find_extent();
    classify_paths(trace_, unified_, all_);
    all_.windows = choose_windows(all_, facts_.waits, events_, options_);
    list_waits_and_stretches();
    calls_.resize(trace_.ranks().size());
    trace_.for_each_hosted([&](RankIndex rank) { read(rank); });
    for (const RankIndex rank : trace_.ranks().ids()) move_calls(rank);
    for (EventWindow& window : all_.windows) sort_calls(window);
    add_exchanges();
    all_.profiles = wait_profiles(facts_.waits, all_.begin, all_.end, kProfileBins, kMostProfiles);
    return std::move(all_);
  }

 private:
  struct CallsOfRank {
    std::vector<std::vector<KeptCalls>> of;  // [thread][window]
  };
  struct Span {
    Ticks begin, end;
  };

  void find_extent() {
    all_.begin = all_.end = trace_.definitions().clock.origin;
    for (const LogicalRank& rank : trace_.ranks())
      for (const LogicalThread& thread : rank.threads) {
        events_ += thread.event_count;
        if (thread.event_count == 0) continue;
        all_.begin = std::min(all_.begin, thread.first_time);
        all_.end = std::max(all_.end, thread.last_time);
      }
    all_.rows = static_cast<std::uint32_t>(trace_.location_count());
    const Ticks span = std::max<Ticks>(all_.end - all_.begin, 1);
    scale_.begin = all_.begin;
    scale_.bins = bins_of_finest(options_, all_.rows, span);
    scale_.width = (span + scale_.bins - 1) / scale_.bins;
    all_.end = scale_.end();
    if (scale_.bins > kCoarseBins) add_level(kCoarseBins);
    add_level(scale_.bins);
  }

  void add_level(std::uint32_t bins) {
    const std::size_t cells = std::size_t{bins} * all_.rows;
    all_.levels.push_back(
        {bins, std::vector(cells, kNothingInBin), std::vector<std::uint8_t>(cells), std::vector<std::uint8_t>(cells)});
  }

  // By row, to be put into bins.
  void list_waits_and_stretches() {
    waits_.resize(all_.rows);
    stretches_.resize(all_.rows);
    for (const auto& [metric, kind] : facts_.waits)
      if (is_whole_wait(metric))
        for (const WaitInstance& wait : kind.worst)
          waits_[trace_.number_of(wait.rank, wait.thread)].push_back({wait.begin, wait.begin + wait.full_wait});
    for (const PathStretch& stretch : facts_.stretches)
      stretches_[trace_.number_of(stretch.rank, stretch.thread)].push_back({stretch.begin, stretch.end});
  }

  std::size_t calls_of_row(const EventWindow& window) const {
    const std::uint32_t most = window.metric == Metric::kNone ? options_.wanted_calls : options_.window_calls;
    return std::max<std::size_t>(most / std::max(all_.rows, 1u), kFewestCalls);
  }

  void read(RankIndex rank) {
    std::vector<TimelineRow> rows;
    for (const ThreadIndex thread : trace_.locations_of(rank).ids()) rows.push_back(trace_.number_of(rank, thread));
    std::vector<RowBins> bins(rows.size(), RowBins(scale_, all_.classes.size()));
    auto& calls = calls_[rank].of;
    calls.resize(rows.size());
    for (auto& of_thread : calls)
      for (const EventWindow& window : all_.windows) of_thread.emplace_back(calls_of_row(window));
    VisitRecorder recorder({all_, unified_.to_unified[rank], rows, bins, calls});
    for (const ThreadIndex t : trace_.ranks()[rank].threads.ids()) {
      const LogicalThread& thread = trace_.ranks()[rank].threads[t];
      for (const Execution& work : thread.executions) recorder.executed(t, work.path, work.begin, work.end);
      if (const VisitLog* visits = thread.visit_log.get())
        visits->tell([&](PathIndex path, Ticks time) { recorder.enter(t, path, time); },
                     [&](Ticks time) { recorder.leave(t, time); });
    }
    for (std::size_t i = 0; i < rows.size(); ++i) write_bins(rows[i], bins[i]);
  }

  void write_bins(TimelineRow row, RowBins& bins) {
    for (const Span& wait : waits_[row]) bins.add_wait(wait.begin, wait.end);
    for (const Span& stretch : stretches_[row]) bins.add_critical(stretch.begin, stretch.end);
    for (TimelineBins& level : all_.levels) bins.write(row, level);
  }

  void move_calls(RankIndex rank) {
    for (auto& of_thread : calls_[rank].of)
      for (std::size_t i = 0; i < all_.windows.size(); ++i) {
        EventWindow& window = all_.windows[i];
        const std::vector<TimelineCall> calls = of_thread[i].take();
        window.calls.insert(window.calls.end(), calls.begin(), calls.end());
        window.calls_left_out += of_thread[i].left_out();
      }
  }

  static void sort_calls(EventWindow& window) {
    const auto is_above = [](const TimelineCall& a, const TimelineCall& b) { return a.row < b.row; };
    if (!std::ranges::is_sorted(window.calls, is_above)) std::ranges::stable_sort(window.calls, is_above);
  }

  void add_exchanges() {
    std::size_t most = options_.window_calls;
    for (const EventWindow& window : all_.windows)
      if (window.metric == Metric::kNone) most = options_.wanted_calls;
    add_messages(trace_, most, all_.windows);
    add_operations(trace_, most, all_.windows);
    add_waits(trace_, facts_.waits, most, all_.windows);
    add_critical_path(facts_.stretches, all_.windows);
  }

  const Trace& trace_;
  const UnifiedTree& unified_;
  const TimelineFacts& facts_;
  const RunTimelineOptions& options_;
  std::uint64_t events_ = 0;
  BinScale scale_;
  std::vector<std::vector<Span>> waits_, stretches_;  // [row]
  Indexed<RankIndex, std::vector<CallsOfRank>> calls_;
  RunTimeline all_;
};

}  // namespace

RunTimeline make_timeline(const Trace& trace, const UnifiedTree& unified, const TimelineFacts& facts,
                          const RunTimelineOptions& options) {
  return TimelineMaker(trace, unified, facts, options).make();
}

}  // namespace tarry
