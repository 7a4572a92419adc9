// path_values.cpp -- adds and clears the values of call paths.
#include "measure/core/path_values.hpp"

#include <algorithm>

#include "measure/core/path_walk.hpp"

namespace tarry::measure {
namespace {

void add_plain_values(PathNode& to, const PathNode& from) {
  to.visits += from.visits;
  to.coalesced_visits += from.coalesced_visits;
  to.time += from.time;
  to.min_time = std::min(to.min_time, from.min_time);
  to.max_time = std::max(to.max_time, from.max_time);
  to.trace_events += from.trace_events;
  to.trace_bytes += from.trace_bytes;
}

void clear_plain_values(PathNode& path) {
  const PathNode empty{};
  path.visits = path.coalesced_visits = 0;
  path.time = path.max_time = 0;
  path.min_time = empty.min_time;
  path.trace_events = 0;
  path.trace_bytes = 0;
}

}  // namespace

TransferCounts& PathValues::make_transfers(PathNode& path) {
  TransferCounts* const made = slabs_.new_count(TransferCounts());
  return made ? *(path.transfers = made) : lost_transfers_;
}

void PathValues::add(PathNode& to, PathNode& from) {
  add_plain_values(to, from);
  if (from.transfers) transfers_of(to) += *from.transfers;
  counters_.add(to, from);
}

void PathValues::clear(PathNode& path) const {
  clear_plain_values(path);
  if (path.transfers) *path.transfers = {};
  counters_.clear(path);
}

void PathValues::forget(PathNode& path) const {
  for (PathNode* below = &path; below; below = next_in_tree(below, path)) clear(*below);
}

}  // namespace tarry::measure
