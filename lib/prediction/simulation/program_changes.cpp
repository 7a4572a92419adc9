// program_changes.cpp -- which work belongs to which delay or region, and how much of it.
//
//   cause    s..[ compute 8 ]..S          s: where it last met the waiter; S: where the waiter waits for it
//   waiter   s..[ compute 5 ]..W==|       the delay is 3 of 8 ticks: a share of 3/8 of 'compute' between s and S
//
// Several may wait for the same work. Then the largest share counts: the delay is gone for all of them.
#include "prediction/simulation/program_changes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "prediction/simulation/computing_paths.hpp"
#include "base/arrays/sort_runs.hpp"

namespace tarry {
namespace {

// In the time log of a thread, and when that was.
struct DelayMoment {
  LogPosition position = 0;
  Ticks time = 0;

  auto operator<=>(const DelayMoment&) const = default;
};

constexpr DelayMoment kFirstMoment{0, std::numeric_limits<Ticks>::min()};
constexpr DelayMoment kLastMoment{std::numeric_limits<LogPosition>::max(), std::numeric_limits<Ticks>::max()};

// A worker that joins a team did nothing since the fork.
DelayMoment moment_of(const SyncPoint& point) {
  return {point.position, point.kind == SyncKind::kFork ? point.enter - point.total : point.enter};
}

// A stretch of a thread's time log in which a share of a call path is a delay.
struct DelaySpan {
  PathIndex path = kNoPath;
  DelayMoment begin, end;
  double share = 0;
};

// Of one process.
class DelayShares {
 public:
  DelayShares(const Analysis& analysis, RankIndex rank, RankChanges& changes)
      : context_(analysis.context()), instances_(analysis.causes->delays[rank]), rank_(rank), changes_(changes) {
    const std::vector<PathIndex>& to_unified = context_.tree.to_unified[rank];
    for (PathIndex path = 0; path < to_unified.size(); ++path)
      if (changes.delay_of_path[path].is_valid()) own_path_.insert(to_unified[path]) = path;
  }

  void find() {
    MemoryBudget* const budget = context_.trace.budget();
    const std::size_t threads = context_.trace.ranks()[rank_].threads.size();
    spans_ = rows_of<DelaySpan>(threads, budget);
    for (std::size_t t = 0; t < threads; ++t) changes_.shares.emplace_back(budget);
    if (own_path_.size() == 0) return;
    for (const DelayInstance& instance : instances_.all) add(instance);
    for (const ThreadIndex t : changes_.shares.ids()) join_spans(spans_[t], changes_.shares[t]);
  }

 private:
  void add(const DelayInstance& instance) {
    for (std::uint32_t i = instance.excess_begin; i < instance.excess_end; ++i)
      if (const PathIndex* own = own_path_.find(instances_.excess[i].path)) add(instance, instances_.excess[i], *own);
  }

  void add(const DelayInstance& instance, const PathTime& excess, PathIndex own) {
    measure(instance);
    const Ticks whole = times_[excess.path];
    if (whole <= 0) return;
    const double share = std::min(1.0, static_cast<double>(excess.time) / static_cast<double>(whole));
    const auto& points = context_.sync[rank_][instance.cause.thread].points;
    const DelayMoment begin = start_.is_valid() ? moment_of(points[start_]) : kFirstMoment;
    const DelayMoment end = moment_of(points[instance.cause.point]);
    if (begin.position < end.position) spans_[instance.cause.thread].push_back({own, begin, end, share});
  }

  // What the cause did in the interval. The next instance mostly has the same one.
  void measure(const DelayInstance& instance) {
    const SyncIndex start = instance.first_wait.value == 0 ? SyncIndex() : SyncIndex(instance.first_wait.value - 1);
    if (measured_ == instance.cause && start_ == start) return;
    times_.clear();
    IntervalTimes(context_, rank_, instance.cause.thread, scratch_).add_pruned(start, instance.cause.point, times_);
    measured_ = instance.cause;
    start_ = start;
  }

  // Of spans that overlap the largest share holds.
  void join_spans(Rows<DelaySpan>& spans, Rows<DelayShare>& into) const {
    sort_runs(spans, [](const DelaySpan& a, const DelaySpan& b) {
      return std::tie(a.path, a.begin) < std::tie(b.path, b.begin);
    });
    for (const DelaySpan* first = spans.begin(); first != spans.end();) {
      const DelaySpan* last = first;
      while (last != spans.end() && last->path == first->path) ++last;
      join_path({first, last}, into);
      first = last;
    }
    sort_runs(into, [](const DelayShare& a, const DelayShare& b) { return a.from < b.from; });
    into.finish();
  }

  static void join_path(std::span<const DelaySpan> spans, Rows<DelayShare>& into) {
    const PathIndex path = spans[0].path;
    std::multiset<double> open;
    std::multimap<DelayMoment, std::multiset<double>::iterator> ends;
    const auto tell = [&](const DelayMoment& at) {
      into.push_back({at.time, at.position, path, open.empty() ? 0 : *open.rbegin()});
    };
    const auto close_until = [&](const DelayMoment& moment) {
      while (!ends.empty() && ends.begin()->first <= moment) {
        const DelayMoment end = ends.begin()->first;
        for (; !ends.empty() && ends.begin()->first == end; ends.erase(ends.begin())) open.erase(ends.begin()->second);
        tell(end);
      }
    };
    for (const DelaySpan& span : spans) {
      close_until(span.begin);
      const bool is_larger = open.empty() || span.share > *open.rbegin();
      ends.emplace(span.end, open.insert(span.share));
      if (is_larger) tell(span.begin);
    }
    close_until(kLastMoment);
  }

  const DelayContext context_;
  const DelayInstances& instances_;
  const RankIndex rank_;
  RankChanges& changes_;
  FlatMap<PathIndex, PathIndex> own_path_;  // by unified path: those of delays
  Indexed<ThreadIndex, std::vector<Rows<DelaySpan>>> spans_;
  IntervalScratch scratch_;
  TimeVector times_;  // of the cause in the interval that was measured last
  SyncRef measured_;
  SyncIndex start_{};
};

// Which regions, and what lies below MPI, are no computation of a region.
std::vector<ChangeIndex> change_of_regions(const Trace& trace, const std::vector<std::string>& names,
                                           std::size_t first) {
  std::vector<ChangeIndex> changes(trace.regions().size());
  for (std::size_t r = 0; r < changes.size(); ++r) {
    const auto found = std::ranges::find(names, trace.regions().name(RegionId(r)));
    if (found != names.end()) changes[r] = ChangeIndex(first + static_cast<std::size_t>(found - names.begin()));
  }
  return changes;
}

}  // namespace

Changes::Changes(const Analysis& analysis, const std::vector<std::vector<PathIndex>>& delays,
                 const std::vector<std::string>& regions)
    : size_(delays.size() + regions.size()), ranks_(analysis.trace.ranks().size()) {
  const Trace& trace = analysis.trace;
  std::vector<ChangeIndex> of_unified(analysis.unified.tree.size());
  for (std::size_t d = 0; d < delays.size(); ++d)
    for (const PathIndex path : delays[d]) of_unified[path] = ChangeIndex(d);
  const std::vector<ChangeIndex> of_region = change_of_regions(trace, regions, delays.size());
  trace.for_each_hosted([&](RankIndex r) {
    const LogicalRank& rank = trace.ranks()[r];
    RankChanges& changes = ranks_[r];
    const std::vector<bool> is_computing = computing_paths(trace, rank);
    for (PathIndex path = 0; path < rank.tree.size(); ++path) {
      changes.delay_of_path.push_back(of_unified[analysis.shown(analysis.unified.to_unified[r][path])]);
      changes.region_of_path.push_back(is_computing[path] ? of_region[rank.tree[path].region.value] : ChangeIndex());
    }
    DelayShares(analysis, r, changes).find();
  });
}

}  // namespace tarry
