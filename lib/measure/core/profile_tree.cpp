// profile_tree.cpp -- events of a summary that are rare, and its end.
#include "measure/core/profile_tree.hpp"

#include <algorithm>

#include "measure/core/loop_iterations.hpp"
#include "measure/core/profile_encoder.hpp"

namespace tarry::measure {

void ProfileTree::use_counters(std::span<const CounterId> ids, std::span<const bool> levels) {
  values_.counters().use(ids, levels);
  paths_.slabs().use_counters(values_.counters().ids());
}

void ProfileTree::use_user_metrics() {
  values_.counters().use_user_metrics();
  paths_.slabs().use_counters(values_.counters().ids());
}

void ProfileTree::count_user_metric(std::size_t number, CounterId id, Combination combination, std::uint64_t value) {
  CounterSums& counters = values_.counters();
  if (!counters.has_user_metrics()) return;
  if (counters.define_user_metric(number, id, combination))
    paths_.slabs().name_counter(counters.place_of_user_metric(number), id);
  counters.count_user_metric(paths_.innermost_region(), number, value);
}

void ProfileTree::use_ledger(PathLedger& ledger, std::span<const CounterId> ids) {
  values_.counters().use_ledger(ledger, ids);
  paths_.slabs().use_counters(values_.counters().ids());
}

void ProfileTree::enter_task(Ticks time, RegionId region) {
  PathNode* const task = paths_.begin_task(time, region);
  if (task) enter_child(*task, region, time);
  else enter(time, region);
}

void ProfileTree::visit(Ticks time, RegionId region, Ticks duration, std::uint64_t calls) {
  enter(time, region);
  if (!paths_.has_memory() || calls == 1) return leave(time + duration);
  PathNode& path = *paths_.open_path();
  const Ticks shortest = path.min_time, longest = path.max_time;
  count_event(time + duration, record::Attribute{.attribute = kCallsAttribute, .value = calls});
  leave(time + duration);
  const auto count = static_cast<Ticks>(calls);
  path.visits += calls - 1;
  path.coalesced_visits += calls - 1;
  path.min_time = std::min(shortest, duration / count);
  path.max_time = std::max(longest, (duration + count - 1) / count);
}

void ProfileTree::count_flush(Ticks time, RegionId region, Ticks duration) {
  enter(time, region);
  if (paths_.has_memory()) {
    ++paths_.open_path()->coalesced_visits;
    count_event(time, record::BufferFlush{.duration = static_cast<std::uint64_t>(duration)});
  }
  leave(time + duration);
}

void ProfileTree::begin_iteration(RegionId region, std::int64_t number, std::uint32_t most) {
  has_iterations_ = true;
  LoopIterations(paths_, values_).begin(region, number, most);
}

void ProfileTree::add_management(PathNode& path, Transfer what, Ticks time) {
  if (time <= 0) return;
  path.time += time;
  values_.transfers_of(path)[what] += static_cast<std::uint64_t>(time);
}

void ProfileTree::close(Ticks time) {
  paths_.leave_all_missed();
  for (end_team(); open_path() != &paths_.root(); end_team()) leave(time);
}

void ProfileTree::encode(ByteWriter& out) {
  LoopIterations(paths_, values_).end_all();
  ProfileEncoder encoder(paths_, values_.counters());
  encoder.collect();
  encoder.encode(out);
}

void ProfileTree::release() {
  if (has_iterations_) LoopIterations(paths_, values_).release();
  receivers_.release();
  files_.release();
  paths_.release();
}

bool ProfileTree::encode_so_far(Ticks time, ByteWriter& out) {
  const Ticks last_time = paths_.last_time();
  ProfileEncoder encoder(paths_, values_.counters());
  if (!encoder.collect() || !encoder.end_open_paths(time)) return false;
  encoder.encode(out);
  return last_time == paths_.last_time();
}

}  // namespace tarry::measure
