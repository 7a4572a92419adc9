// capped_times.cpp -- the reference analyser's time vector, which holds at most 128 call paths.
#include "analysis/delay/capped_times.hpp"

#include <algorithm>

namespace tarry {

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
