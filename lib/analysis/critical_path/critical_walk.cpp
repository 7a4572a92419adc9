// critical_walk.cpp -- the critical path, walked backwards from wait to cause.
//
//   rank 0   [ c ######## ][Send]
//   rank 1   [ c ][ Recv =====|##][Send]              # is on the path, = waits
//   rank 2   [ c ][ Recv ===========|##][Finalize]
//
// It ends where the last process enters MPI_Finalize. It begins at the MPI_Init of the process that the walk reaches
// last. The walk goes from one thread to another in these cases:
//
// - In a parallel region the path is on the thread that the barrier waited for, before the region on the master.
// - Where a thread waited for a lock, the path continues on the thread that held it.
// - Before the begin of a thread it continues on the thread that created it.
// - Before the begin of a spawned process it continues on the root of MPI_Comm_spawn.
//
// Source: docs/METRICS.md, "Critical path"; Boehme, section 5.3.
#include "analysis/critical_path/critical_walk.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

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
    RankIndex rank;
    ThreadIndex thread;
    SyncIndex point;
    LogPosition end;
    Ticks end_time;
    Ticks tail = 0;  // as in PathSegment
    PathIndex tail_path = kNoPath;
  };

  const SyncPoints& points_of(RankIndex rank, ThreadIndex thread) const { return context_.sync[rank][thread]; }

  // The process that enters MPI_Finalize last; without one, the one whose trace ends last.
  void start() {
    RankIndex last;
    ThreadIndex thread;
    bool last_finalizes = false;
    Ticks latest = 0;
    for (const RankIndex rank : context_.sync.ids()) {
      if (context_.sync[rank].empty()) continue;
      const ThreadIndex finalizing = finalizing_thread(rank);
      const SyncPoints& points = points_of(rank, finalizing);
      const bool finalizes = points.finalize.is_valid();
      const Ticks time = finalizes ? points.points[points.finalize].enter : points.last_time;
      if (last.is_valid() && (finalizes < last_finalizes || (finalizes == last_finalizes && time <= latest))) continue;
      last = rank;
      thread = finalizing;
      last_finalizes = finalizes;
      latest = time;
    }
    if (!last.is_valid()) return;
    const SyncPoints& points = points_of(last, thread);
    if (last_finalizes) continue_before(last, thread, points.finalize);
    else open_.push_back({last, kMaster, points.points.next_id(), points.log_end, points.last_time});
  }

  // The one that calls MPI_Finalize need not be the first that was recorded.
  ThreadIndex finalizing_thread(RankIndex rank) const {
    const ThreadSyncPoints& threads = context_.sync[rank];
    for (const ThreadIndex t : threads.ids())
      if (threads[t].finalize.is_valid()) return t;
    return kMaster;
  }

  // The path leads to the thread's sync point `point`; everything before it is still to come. Each only once.
  void continue_before(RankIndex rank, ThreadIndex thread, SyncIndex point) {
    if (!visit(rank, thread, point)) return;
    const SyncPoint& facts = points_of(rank, thread).points[point];
    open_.push_back({rank, thread, point, facts.position, time_at(facts)});
  }

  // Whether it is for the first time.
  bool visit(RankIndex rank, ThreadIndex thread, SyncIndex point) {
    if (visited_[rank][thread][point]) return false;
    visited_[rank][thread][point] = true;
    return true;
  }

  void follow(const Position& from) {
    const SyncPoints& points = points_of(from.rank, from.thread);
    for (SyncIndex at = from.point; at.value-- > 0;) {
      const SyncPoint& point = points.points[at];
      if (point.kind == SyncKind::kInit && !is_spawned(points)) return close(from, at, point.enter);
      if (point.kind == SyncKind::kFork) return through_fork(from, at);
      if (point.kind == SyncKind::kThreadBarrier) return through_barrier(from, at);
      if (point.kind == SyncKind::kThreadStart && point.cause_point.is_valid()) return through_start(from, at);
      if (point.wait > 0 && point.cause_point.is_valid()) {
        close(from, at, cause_of(point).enter);
        return continue_before(point.cause_rank, point.cause_thread, point.cause_point);
      }
    }
    add({.begin_time = points.first_time}, from);
    if (is_spawned(points)) through_spawn(points);
  }

  static bool is_spawned(const SyncPoints& points) { return points.spawn.point.is_valid(); }

  // A segment that ends at `from`.
  void add(PathSegment segment, const Position& from) {
    segment.rank = from.rank;
    segment.thread = from.thread;
    segment.end = from.end;
    segment.end_time = from.end_time;
    segment.tail = from.tail;
    segment.tail_path = from.tail_path;
    segments_.push_back(segment);
  }

  const SyncPoint& cause_of(const SyncPoint& wait) const { return point_at(context_.sync, wait.cause()); }

  // The path's time at a sync point: forks begin at the master, everything else where the operation is entered.
  static Ticks time_at(const SyncPoint& point) {
    return point.kind == SyncKind::kFork ? point.enter - point.total : point.enter;
  }

  void close(const Position& from, SyncIndex first, Ticks begin_time) {
    const SyncPoint& point = points_of(from.rank, from.thread).points[first];
    add({.begin = point.position, .begin_time = begin_time, .first = first, .follows_wait = point.wait > 0}, from);
  }

  // Before the fork there was only the thread that forked. In a damaged trace it may not know of the parallel region:
  // the path ends.
  void through_fork(const Position& from, SyncIndex at) {
    const SyncPoint& fork = points_of(from.rank, from.thread).points[at];
    close(from, at, time_at(fork));
    if (const ForkPoint* forked = team_points_of(from.rank).forks.find(fork.fork()))
      continue_before(from.rank, forked->thread, forked->point);
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

  // Before its begin a process was started by another one. What that took is part of MPI_Comm_spawn, in which the root
  // may have waited for other parents.
  void through_spawn(const SyncPoints& begun) {
    const SyncRef& from = begun.spawn;
    const Rows<SyncPoint>& points = points_of(from.rank, from.thread).points;
    const SyncPoint& spawn = points[from.point.value];
    const auto is_at_spawn = [&](const SyncPoint& point) {
      return point.enter == spawn.enter && point.position == spawn.position;
    };
    SyncIndex first = from.point;
    while (first > SyncIndex(0) && is_at_spawn(points[first.value - 1])) --first.value;
    if (!visit(from.rank, from.thread, first)) return;
    open_.push_back(
        {from.rank, from.thread, first, spawn.position, begun.first_time, begun.first_time - spawn.enter, spawn.path});
  }

  void through_barrier(const Position& from, SyncIndex at) {
    const SyncPoint& point = points_of(from.rank, from.thread).points[at];
    if (!point.cause_point.is_valid()) return close(from, at, point.enter);
    close(from, at, cause_of(point).enter);
    if (!context_.compatibility.forks_path_at_ties())
      return continue_before(from.rank, point.cause_thread, point.cause_point);
    const auto* others = team_points_of(from.rank).last_of_barrier.find(barrier_key(point));
    if (!others) return;
    for (const auto& [thread, other] : *others) continue_before(from.rank, thread, other);
  }

  struct ForkPoint {
    ThreadIndex thread{};  // that has forked
    SyncIndex point{};
  };

  // The OpenMP sync points of one process, made when the path comes there first.
  struct TeamPoints {
    FlatMap<ForkIndex, ForkPoint> forks;
    FlatMap<std::uint64_t, std::vector<std::pair<ThreadIndex, SyncIndex>>> last_of_barrier;  // who did not wait
  };

  static std::uint64_t barrier_key(const SyncPoint& point) {
    return (std::uint64_t{point.cause_thread.value} << 32) | point.cause_point.value;
  }

  const TeamPoints& team_points_of(RankIndex rank) {
    const auto [at, is_new] = team_points_.try_emplace(rank);
    if (!is_new) return at->second;
    for (const ThreadIndex t : context_.sync[rank].ids()) {
      const auto& points = points_of(rank, t).points;
      for (const SyncIndex i : points.ids()) {
        if (points[i].kind == SyncKind::kFork && points[i].with.kind() == Counterpart::Kind::kJoin)
          at->second.forks.insert(points[i].fork(), {t, i});
        if (points[i].kind == SyncKind::kThreadBarrier && points[i].wait == 0)
          at->second.last_of_barrier.insert(barrier_key(points[i])).emplace_back(t, i);
      }
    }
    return at->second;
  }

  const DelayContext& context_;
  std::map<RankIndex, TeamPoints> team_points_;
  Indexed<RankIndex, std::vector<Indexed<ThreadIndex, std::vector<Indexed<SyncIndex, std::vector<bool>>>>>> visited_;
  std::vector<Position> open_;
  std::vector<PathSegment> segments_;
};

}  // namespace

// What of the operation at `wait` came before the cause entered it. The waiting time of a collective is counted from
// its BEGIN records. On the path, time continues where the cause entered, which may even be before the waiter entered.
static Ticks time_off_path(const DelayContext& context, const SyncPoint& wait) {
  if (context.compatibility.path_ignores_wrappers() || !wait.cause_point.is_valid()) return wait.wait;
  return point_at(context.sync, wait.cause()).enter - wait.enter;
}

std::vector<PathSegment> walk_critical_path(const DelayContext& context) { return Walk(context).run(); }

// The call paths that values of a process are booked by. With a time series they are its own ones, where iterations are
// apart.
struct BookedPaths {
  std::vector<PathIndex> of_own;
  PathIndex count = 0;
  bool are_own = false;

  BookedPaths(const DelayContext& context, RankIndex rank) : are_own(context.slots.are_wanted()) {
    of_own = context.tree.to_unified[rank];
    if (are_own) std::iota(of_own.begin(), of_own.end(), PathIndex{0});
    count = static_cast<PathIndex>(are_own ? of_own.size() : context.tree.tree.size());
  }
};

static void add_segment(const DelayContext& context, const PathSegment& segment, const BookedPaths& paths,
                        IntervalScratch& scratch, Severities& into) {
  const SyncPoints& points = context.sync[segment.rank][segment.thread];
  IntervalTimes times(context, segment.rank, segment.thread, scratch, paths.of_own, paths.count);
  const SyncPoint* wait = segment.follows_wait ? &points.points[segment.first] : nullptr;
  Ticks not_on_path = wait ? time_off_path(context, *wait) : 0;
  const TimeRanges* selected = context.trace.ranks()[segment.rank].threads[segment.thread].selected;
  if (selected && wait) not_on_path = selected->overlap(wait->enter, wait->enter + not_on_path);
  for (const PathTime& entry : times.raw(segment.begin, segment.end)) {
    Ticks time = entry.time;
    if (wait && paths.of_own[wait->path] == entry.path) time -= std::min(std::exchange(not_on_path, 0), time);
    into.add(Metric::kCriticalPath, entry.path, static_cast<double>(time));
  }
  // The path comes from the cause to the time before the operation, and the operation takes none.
  if (not_on_path < 0) into.add(Metric::kCriticalPath, paths.of_own[wait->path], static_cast<double>(-not_on_path));
  if (segment.tail_path == kNoPath) return;
  const Ticks tail = selected ? selected->overlap(segment.end_time - segment.tail, segment.end_time) : segment.tail;
  into.add(Metric::kCriticalPath, paths.of_own[segment.tail_path], static_cast<double>(tail));
}

void critical_path_profile(const DelayContext& context, const std::vector<PathSegment>& segments, Results& into) {
  Indexed<RankIndex, std::vector<std::vector<const PathSegment*>>> by_rank(context.sync.size());
  for (const PathSegment& segment : segments) by_rank[segment.rank].push_back(&segment);
  context.trace.for_each_hosted([&](RankIndex rank) {
    if (by_rank[rank].empty()) return;
    IntervalScratch scratch;
    const BookedPaths paths(context, rank);
    ThreadSeverities& threads = empty_severities(context.sync[rank].size(), into.values, into.column(rank, kMaster),
                                                 paths.are_own ? &context.tree.to_unified[rank] : nullptr);
    if (paths.are_own)
      for (Severities& thread : threads) thread.send_slots_to(into.iterations, context.slots.of_path[rank]);
    for (const PathSegment* segment : by_rank[rank])
      add_segment(context, *segment, paths, scratch, threads[segment->thread]);
    for (Severities& thread : threads) thread.move_on();
  });
}

}  // namespace tarry
