// time_vector.cpp -- time per call path: while it is added up, and as a list.
#include "analysis/delay/time_vector.hpp"

#include <algorithm>

namespace tarry {

Ticks total_of(const PathTimes& times) {
  Ticks total = 0;
  for (const PathTime& entry : times) total += entry.time;
  return total;
}

void TimeVector::move_to(PathTimes& into) {
  into.clear();
  const auto move = [&](PathIndex path) {
    Ticks& time = times_[path];
    if (time > 0) into.push_back({path, time});
    time = 0;
  };
  for (; first_paths_ != 0; first_paths_ &= first_paths_ - 1) move(lowest(first_paths_));
  if (other_paths_.empty()) return;
  std::sort(other_paths_.begin(), other_paths_.end());
  std::for_each(other_paths_.begin(), other_paths_.end(), move);
  other_paths_.clear();
}

void difference(const PathTimes& cause, const TimeVector& waiter, PathTimes& into) {
  into.clear();
  for (const PathTime& entry : cause)
    if (const Ticks there = waiter[entry.path]; entry.time > there) into.push_back({entry.path, entry.time - there});
}

std::pair<PathIndex, Ticks>* CappedTimes::find(PathIndex path) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) { return entry.first == path; });
  return found == entries_.end() ? nullptr : &*found;
}

void CappedTimes::add(PathIndex path, Ticks time) {
  if (path == aside_path_) {
    aside_time_ += time;
    return;
  }
  settle();
  if (auto* entry = find(path)) {
    entry->second += time;
  } else if (entries_.size() < kMostPaths) {
    entries_.emplace_back(path, time);
  } else {
    aside_path_ = path;
    aside_time_ = time;
  }
}

void CappedTimes::settle() {
  if (aside_path_ == kNoPath) return;
  const auto smallest = std::min_element(entries_.begin(), entries_.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
  if (aside_time_ > smallest->second) *smallest = {aside_path_, aside_time_};
  aside_path_ = kNoPath;
  aside_time_ = 0;
}

void CappedTimes::clear() {
  entries_.clear();
  aside_path_ = kNoPath;
  aside_time_ = 0;
}

}  // namespace tarry
