// visit_recorder.cpp -- the visits of one process, as bins and as single calls in windows.
#include "analysis/timeline/visit_recorder.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace tarry {
namespace {

bool is_longer_call(const TimelineCall& a, const TimelineCall& b) {
  return std::tuple(b.leave - b.enter, a.enter, a.depth) < std::tuple(a.leave - a.enter, b.enter, b.depth);
}

}  // namespace

void KeptCalls::add(const TimelineCall& call) {
  calls_.push_back(call);
  if (calls_.size() >= 2 * most_ + 2) drop_shortest();
}

void KeptCalls::drop_shortest() {
  if (calls_.size() <= most_) return;
  const auto end = calls_.begin() + static_cast<std::ptrdiff_t>(most_);
  std::nth_element(calls_.begin(), end, calls_.end(), is_longer_call);
  left_out_ += calls_.size() - most_;
  calls_.erase(end, calls_.end());
}

std::vector<TimelineCall> KeptCalls::take() {
  drop_shortest();
  const auto is_earlier = [](const TimelineCall& a, const TimelineCall& b) {
    return std::tuple(a.enter, a.depth, a.leave, a.path) < std::tuple(b.enter, b.depth, b.leave, b.path);
  };
  // They come as they end, which is in order where none is inside another.
  if (!std::is_sorted(calls_.begin(), calls_.end(), is_earlier)) std::sort(calls_.begin(), calls_.end(), is_earlier);
  return std::move(calls_);
}

VisitRecorder::VisitRecorder(const VisitTargets& targets) : targets_(targets), threads_(targets.rows.size()) {
  first_ = std::numeric_limits<Ticks>::max();
  last_ = std::numeric_limits<Ticks>::min();
  for (const EventWindow& window : targets_.timeline.windows) {
    first_ = std::min(first_, window.begin);
    last_ = std::max(last_, window.end);
  }
}

// The time since the event before belongs to the innermost visit.
void VisitRecorder::credit(OfThread& thread, ThreadIndex number, Ticks& time) {
  time = std::max(time, thread.last);
  if (!thread.open.empty() && time > thread.last)
    targets_.bins[number.value].add(targets_.timeline.path_classes[thread.open.back().path], thread.last, time);
  thread.last = time;
}

void VisitRecorder::enter(ThreadIndex thread, PathIndex path, Ticks time) {
  OfThread& here = threads_[thread.value];
  const std::vector<PathIndex>& paths = targets_.to_unified;
  if (paths.empty()) return;
  if (here.open.empty()) here.last = time;
  credit(here, thread, time);
  here.open.push_back({paths[path], time});
}

void VisitRecorder::leave(ThreadIndex thread, Ticks time) {
  OfThread& here = threads_[thread.value];
  if (here.open.empty()) return;
  credit(here, thread, time);
  const Open visit = here.open.back();
  here.open.pop_back();
  keep(thread,
       {targets_.rows[thread.value], visit.path, visit.enter, time, static_cast<std::uint32_t>(here.open.size())});
}

// Of work that overlaps, each moment is that of the first.
void VisitRecorder::executed(ThreadIndex queue, PathIndex path, Ticks begin, Ticks end) {
  if (targets_.to_unified.empty()) return;
  OfThread& here = threads_[queue.value];
  const PathIndex unified = targets_.to_unified[path];
  if (end > here.last)
    targets_.bins[queue.value].add(targets_.timeline.path_classes[unified], std::max(begin, here.last), end);
  here.last = std::max(here.last, end);
  keep(queue, {targets_.rows[queue.value], unified, begin, end, 0});
}

void VisitRecorder::keep(ThreadIndex thread, const TimelineCall& call) {
  if (call.leave < first_ || call.enter > last_) return;
  const std::vector<EventWindow>& windows = targets_.timeline.windows;
  for (std::size_t i = 0; i < windows.size(); ++i)
    if (windows[i].overlaps(call.enter, call.leave)) targets_.calls[thread.value][i].add(call);
}

}  // namespace tarry
