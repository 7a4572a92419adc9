// path_times.cpp -- which call paths the time of one thread goes to, while its events are read.
#include "replay/scan/path_times.hpp"

namespace tarry {

void PathTimes::move(PathIndex from, PathIndex to, Ticks ticks, Ticks counted) {
  thread_.time[to] += counted;
  thread_.log.add(to, ticks);
  if (from == kNoPath) return;
  thread_.time[from] -= counted;
  thread_.log.take_back(from, ticks);
}

void PathTimes::add_blocked(PathIndex path, Ticks begin, Ticks end) {
  if (path >= thread_.blocked_time.size()) thread_.blocked_time.resize(path + 1, 0);
  thread_.blocked_time[path] += thread_.counted(begin, end);
}

// The log holds all time, only the selected part of it counts.
void PathTimes::credit_selected(PathIndex path, Ticks time) {
  if (path != kNoPath) thread_.time[path] += thread_.counted(credited_, time);
  cut_log(path, time);
  if (path != kNoPath) thread_.log.add(path, time - credited_);
  credited_ = time;
}

// Time between a fork and its parallel region, or the region and its join, moves to another call path. There the border
// comes a little later.
void PathTimes::cut_log(PathIndex path, Ticks time) {
  if (is_moving_) return;
  const std::vector<TimeRanges::Range>& ranges = thread_.selected->all();
  while (thread_.cuts.size() < 2 * ranges.size()) {
    const TimeRanges::Range& range = ranges[thread_.cuts.size() / 2];
    const Ticks border = thread_.cuts.size() % 2 == 0 ? range.begin : range.end;
    if (border >= time) return;
    if (border > credited_) {
      if (path != kNoPath) thread_.log.add(path, border - credited_);
      credited_ = border;
    }
    thread_.cuts.push_back(thread_.log.mark());
  }
}

void PathTimes::make_more_room(PathIndex path) {
  if (path >= thread_.time.capacity()) {
    thread_.time.reserve(std::max(kUsualPaths, 2 * std::size_t{path}));
    thread_.visits.reserve(thread_.time.capacity());
  }
  thread_.time.resize(path + 1, 0);
  thread_.visits.resize(path + 1, 0);
}

void PathTimes::finish() {
  if (thread_.selected) thread_.cuts.resize(2 * thread_.selected->all().size(), thread_.log.end());
  thread_.last_time = credited_;
  thread_.time.shrink_to_fit();
  thread_.visits.shrink_to_fit();
  thread_.log.finish();
  if (thread_.barrier_seconds) thread_.barrier_seconds->finish();
}

}  // namespace tarry
