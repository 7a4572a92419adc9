// critical_walk.cpp -- the critical path, walked backwards from wait to cause.
//
//   rank 0   [ c ######## ][Send]
//   rank 1   [ c ][ Recv =====|##][Send]              # is on the path, = waits
//   rank 2   [ c ][ Recv ===========|##][Finalize]
//
// It ends where the last process enters MPI_Finalize, and begins at the MPI_Init of the process it comes to last. In
// a parallel region it is on the thread that the barrier waited for, before the region on the master; where a thread
// waited for a lock, it goes on at the one who held it, before the begin of a thread at the one who created it, and
// before that of a spawned process at the root of MPI_Comm_spawn.
// Source: docs/METRICS.md, "Critical path"; Boehme, section 5.3.
#include "analysis/critical_path/critical_walk.hpp"

#include <algorithm>
#include <map>

#include "analysis/severities.hpp"

namespace tarry {
namespace {

class Walk {
 public:
  explicit Walk(const DelayContext& context) : context_(context) {
    for (const auto& threads : context.sync) {
      auto& visited = visited_.emplace_back();
      for (const SyncPoints& points : threads) visited.emplace_back(points.points.size() + 1, false);
    }
  }

  std::vector<PathSegment> run() {
    start();
    while (!open_.empty()) {
      const Position from = open_.back();
      open_.pop_back();
      follow(from);
    }
    return std::move(segments_);
  }

 private:
  // On one thread, before its sync point `point`, with everything up to `end` still to go to the path.
  struct Position {
    std::uint32_t rank;
    std::uint16_t thread;
    SyncIndex point;
    LogPosition end;
    Ticks end_time;
    Ticks tail = 0;  // as in PathSegment
    PathIndex tail_path = kNoPath;
  };

  const SyncPoints& points_of(std::uint32_t rank, std::uint16_t thread) const { return context_.sync[rank][thread]; }

  // The process that enters MPI_Finalize last; without one, the one whose trace ends last.
  void start() {
    std::uint32_t last = kNone32;
    std::uint16_t thread = 0;
    bool last_finalizes = false;
    Ticks latest = 0;
    for (std::uint32_t rank = 0; rank < context_.sync.size(); ++rank) {
      if (context_.sync[rank].empty()) continue;
      const std::uint16_t finalizing = finalizing_thread(rank);
      const SyncPoints& points = points_of(rank, finalizing);
      const bool finalizes = points.finalize != kNone32;
      const Ticks time = finalizes ? points.points[points.finalize].enter : points.last_time;
      if (last != kNone32 && (finalizes < last_finalizes || (finalizes == last_finalizes && time <= latest))) continue;
      last = rank;
      thread = finalizing;
      last_finalizes = finalizes;
      latest = time;
    }
    if (last == kNone32) return;
    const SyncPoints& points = points_of(last, thread);
    if (last_finalizes)
      continue_before(last, thread, points.finalize);
    else
      open_.push_back({last, 0, static_cast<SyncIndex>(points.points.size()), points.log_end, points.last_time});
  }

  // The one that calls MPI_Finalize need not be the first that was recorded.
  std::uint16_t finalizing_thread(std::uint32_t rank) const {
    const std::vector<SyncPoints>& threads = context_.sync[rank];
    const auto found = std::find_if(threads.begin(), threads.end(),
                                    [](const SyncPoints& points) { return points.finalize != kNone32; });
    return found == threads.end() ? std::uint16_t{0} : static_cast<std::uint16_t>(found - threads.begin());
  }

  // The path leads to the thread's sync point `point`; everything before it is still to come. Each only once.
  void continue_before(std::uint32_t rank, std::uint16_t thread, SyncIndex point) {
    if (!visit(rank, thread, point)) return;
    const SyncPoint& facts = points_of(rank, thread).points[point];
    open_.push_back({rank, thread, point, facts.position, time_at(facts)});
  }

  // Whether it is for the first time.
  bool visit(std::uint32_t rank, std::uint16_t thread, SyncIndex point) {
    if (visited_[rank][thread][point]) return false;
    visited_[rank][thread][point] = true;
    return true;
  }

  void follow(const Position& from) {
    const SyncPoints& points = points_of(from.rank, from.thread);
    for (SyncIndex at = from.point; at-- > 0;) {
      const SyncPoint& point = points.points[at];
      if (point.kind == SyncKind::kInit && !is_spawned(points)) return close(from, at, point.enter);
      if (point.kind == SyncKind::kFork) return through_fork(from, at);
      if (point.kind == SyncKind::kThreadBarrier) return through_barrier(from, at);
      if (point.kind == SyncKind::kThreadStart && point.cause_point != kNone32) return through_start(from, at);
      if (point.wait > 0 && point.cause_point != kNone32) {
        close(from, at, cause_of(point).enter);
        return continue_before(point.cause_rank, point.cause_thread, point.cause_point);
      }
    }
    add({.begin_time = points.first_time}, from);
    if (is_spawned(points)) through_spawn(points);
  }

  static bool is_spawned(const SyncPoints& points) { return points.spawn.point != kNone32; }

  // A segment that ends at `from`.
  void add(PathSegment segment, const Position& from) {
    segment.rank = RankIndex(from.rank);
    segment.thread = ThreadIndex(from.thread);
    segment.end = from.end;
    segment.end_time = from.end_time;
    segment.tail = from.tail;
    segment.tail_path = from.tail_path;
    segments_.push_back(segment);
  }

  const SyncPoint& cause_of(const SyncPoint& wait) const {
    return points_of(wait.cause_rank, wait.cause_thread).points[wait.cause_point];
  }

  // The path's time at a sync point: forks begin at the master, everything else where the operation is entered.
  static Ticks time_at(const SyncPoint& point) {
    return point.kind == SyncKind::kFork ? point.enter - point.total : point.enter;
  }

  void close(const Position& from, SyncIndex first, Ticks begin_time) {
    const SyncPoint& point = points_of(from.rank, from.thread).points[first];
    add({.begin = point.position, .begin_time = begin_time, .first = first, .follows_wait = point.wait > 0}, from);
  }

  // Before the fork there was only the master. In a damaged trace it may not know of the parallel region: the path
  // ends.
  void through_fork(const Position& from, SyncIndex at) {
    const SyncPoint& fork = points_of(from.rank, from.thread).points[at];
    close(from, at, time_at(fork));
    if (const SyncIndex* at_master = team_points_of(from.rank).forks.find(fork.record))
      continue_before(from.rank, 0, *at_master);
  }

  // Before its begin a thread was created by another: what that took is part of the creating call.
  void through_start(const Position& from, SyncIndex at) {
    const SyncPoint& begin = points_of(from.rank, from.thread).points[at];
    const SyncPoint& creation = cause_of(begin);
    close(from, at, begin.enter);
    if (!visit(begin.cause_rank, begin.cause_thread, begin.cause_point)) return;
    open_.push_back({begin.cause_rank, begin.cause_thread, begin.cause_point, creation.position, begin.enter,
                     begin.enter - creation.enter, creation.path});
  }

  // Before its begin a process was started by another: what that took is part of MPI_Comm_spawn, in which the root may
  // have waited for other parents.
  void through_spawn(const SyncPoints& begun) {
    const SyncRef& from = begun.spawn;
    const Rows<SyncPoint>& points = points_of(from.rank, from.thread).points;
    const SyncPoint& spawn = points[from.point];
    SyncIndex first = from.point;
    while (first > 0 && points[first - 1].enter == spawn.enter && points[first - 1].position == spawn.position) --first;
    if (!visit(from.rank, from.thread, first)) return;
    open_.push_back({from.rank, from.thread, first, spawn.position, begun.first_time, begun.first_time - spawn.enter,
                     spawn.path});
  }

  void through_barrier(const Position& from, SyncIndex at) {
    const SyncPoint& point = points_of(from.rank, from.thread).points[at];
    if (point.cause_point == kNone32) return close(from, at, point.enter);
    close(from, at, cause_of(point).enter);
    if (!context_.compatibility.forks_path_at_ties()) return continue_before(from.rank, point.cause_thread, point.cause_point);
    const auto* others = team_points_of(from.rank).last_of_barrier.find(barrier_key(point));
    if (!others) return;
    for (const auto& [thread, other] : *others) continue_before(from.rank, thread, other);
  }

  // The OpenMP sync points of one process, made when the path comes there first.
  struct TeamPoints {
    FlatMap<std::uint32_t, SyncIndex> forks;  // fork -> sync point of the master
    FlatMap<std::uint64_t, std::vector<std::pair<std::uint16_t, SyncIndex>>> last_of_barrier;  // who did not wait
  };

  static std::uint64_t barrier_key(const SyncPoint& point) {
    return (std::uint64_t{point.cause_thread} << 32) | point.cause_point;
  }

  const TeamPoints& team_points_of(std::uint32_t rank) {
    const auto [at, is_new] = team_points_.try_emplace(rank);
    if (!is_new) return at->second;
    for (std::uint16_t t = 0; t < context_.sync[rank].size(); ++t) {
      const Rows<SyncPoint>& points = points_of(rank, t).points;
      for (SyncIndex i = 0; i < points.size(); ++i) {
        if (points[i].kind == SyncKind::kFork && t == 0) at->second.forks.insert(points[i].record, i);
        if (points[i].kind == SyncKind::kThreadBarrier && points[i].wait == 0)
          at->second.last_of_barrier.insert(barrier_key(points[i])).emplace_back(t, i);
      }
    }
    return at->second;
  }

  const DelayContext& context_;
  std::map<std::uint32_t, TeamPoints> team_points_;
  std::vector<std::vector<std::vector<bool>>> visited_;  // [rank][thread][sync point]
  std::vector<Position> open_;
  std::vector<PathSegment> segments_;
};

}  // namespace

// What of the operation at `wait` came before the cause entered it. The waiting time of a collective is counted from
// its BEGIN records; on the path, time goes on where the cause entered, which may even be before the waiter did.
static Ticks time_off_path(const DelayContext& context, const SyncPoint& wait) {
  if (context.compatibility.path_ignores_wrappers() || wait.cause_point == kNone32) return wait.wait;
  const SyncPoint& cause = context.sync[wait.cause_rank][wait.cause_thread].points[wait.cause_point];
  return cause.enter - wait.enter;
}

std::vector<PathSegment> walk_critical_path(const DelayContext& context) { return Walk(context).run(); }

static void add_segment(const DelayContext& context, const PathSegment& segment, IntervalScratch& scratch, Severities& into) {
  const SyncPoints& points = context.sync[segment.rank][segment.thread.value];
  const std::vector<PathIndex>& to_unified = context.tree.to_unified[segment.rank];
  IntervalTimes times(context, segment.rank.value, segment.thread.value, scratch);
  const SyncPoint* wait = segment.follows_wait ? &points.points[segment.first] : nullptr;
  Ticks not_on_path = wait ? time_off_path(context, *wait) : 0;
  const TimeRanges* selected = context.trace.ranks()[segment.rank].threads[segment.thread].selected;
  if (selected && wait) not_on_path = selected->overlap(wait->enter, wait->enter + not_on_path);
  for (const PathTime& entry : times.raw(segment.begin, segment.end)) {
    Ticks time = entry.time;
    if (wait && to_unified[wait->path] == entry.path) time -= std::min(not_on_path, time);
    into.add(Metric::kCriticalPath, entry.path, static_cast<double>(time));
  }
  if (segment.tail_path == kNoPath) return;
  const Ticks tail = selected ? selected->overlap(segment.end_time - segment.tail, segment.end_time) : segment.tail;
  into.add(Metric::kCriticalPath, to_unified[segment.tail_path], static_cast<double>(tail));
}

void critical_path_profile(const DelayContext& context, const std::vector<PathSegment>& segments, Results& into) {
  Indexed<RankIndex, std::vector<std::vector<const PathSegment*>>> by_rank(context.sync.size());
  for (const PathSegment& segment : segments) by_rank[segment.rank].push_back(&segment);
  context.trace.for_each_hosted([&](RankIndex rank) {
    if (by_rank[rank].empty()) return;
    IntervalScratch scratch;
    ThreadSeverities& threads = empty_severities(context.sync[rank].size(), into.values, into.column(rank, kMaster));
    for (const PathSegment* segment : by_rank[rank]) add_segment(context, *segment, scratch, threads[segment->thread]);
    for (Severities& thread : threads) thread.move_on();
  });
}

}  // namespace tarry
