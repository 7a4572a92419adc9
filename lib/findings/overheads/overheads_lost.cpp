// overheads_lost.cpp -- what a run lost against a run with fewer processors that solves the same problem.
#include "findings/overheads/overheads_lost.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace tarry {
namespace {

// A processor repeats what one of the reference did if it computes at least this share of it: times vary.
constexpr double kRepeats = 0.9;

// Computation by region. The two programs may have different names.
std::map<std::string_view, Seconds> computation_of(const Overheads& overheads) {
  std::map<std::string_view, Seconds> computation;
  for (const RegionOverheads& region : overheads.regions)
    computation[region.is_root ? "" : std::string_view(region.name)] += region.times[Overhead::kComputation];
  return computation;
}

// What `units` processors compute beyond `before` if each does what one of the reference did; 0 if one does not.
Seconds repeated(Seconds least, std::size_t units, Seconds before, std::size_t units_before) {
  if (units <= units_before || units_before == 0 || before <= 0) return 0;
  if (least < kRepeats * before / static_cast<double>(units_before)) return 0;
  return before * (static_cast<double>(units) / static_cast<double>(units_before) - 1);
}

// Moves computation of call paths to another class, in proportion. What rounding leaves comes from the first ones.
// `computing`: the call paths' places in `run.places`.
void move_places(Overheads& run, const std::vector<std::size_t>& computing, Overhead to, Seconds seconds,
                 const TimeGrid& grid) {
  Seconds all = 0, left = seconds;
  for (const std::size_t place : computing) all += run.places[place].seconds;
  for (const bool is_rest : {false, true})
    for (const std::size_t place : computing) {
      const OverheadPlace from = run.places[place];
      const Seconds wanted = is_rest ? left : grid.round(seconds * (from.seconds / all));
      const Seconds part = std::min({wanted, left, from.seconds});
      if (part <= 0) continue;
      left -= part;
      run.places[place].seconds -= part;
      run.places.push_back({from.call_path, to, part, from.region});
    }
}

void move_region(Overheads& run, std::size_t region, Overhead to, Seconds seconds) {
  for (OverheadTimes* times : {&run.regions[region].times, &run.all}) {
    (*times)[Overhead::kComputation] -= seconds;
    (*times)[to] += seconds;
  }
}

// By region: its places of computation.
std::vector<std::vector<std::size_t>> computing_places(const Overheads& run) {
  std::vector<std::vector<std::size_t>> computing(run.regions.size());
  for (std::size_t place = 0; place < run.places.size(); ++place)
    if (run.places[place].overhead == Overhead::kComputation && run.places[place].seconds > 0)
      computing[run.places[place].region].push_back(place);
  return computing;
}

void sum_up_all(Overheads& run) {
  run.all.sum_up();
  for (RegionOverheads& region : run.regions) region.times.sum_up();
  std::ranges::stable_sort(run.places, std::ranges::greater(), &OverheadPlace::seconds);
}

}  // namespace

void find_additional(Overheads& run, const Overheads& reference, const TimeGrid& grid) {
  const auto computation_before = computation_of(reference);
  const auto computing = computing_places(run);
  for (std::size_t number = 0; number < run.regions.size(); ++number) {
    const RegionOverheads& region = run.regions[number];
    const auto found = computation_before.find(region.is_root ? "" : std::string_view(region.name));
    const Seconds before = found == computation_before.end() ? 0 : found->second;
    const Seconds extra = region.times[Overhead::kComputation] - before;
    if (extra <= 0) continue;
    const Seconds by_all = std::max(repeated(region.least_of_locations, run.locations, before, reference.locations),
                                    repeated(region.least_of_processes, run.processes, before, reference.processes));
    const Seconds replicated = grid.round(std::min(extra, by_all));
    for (const auto& [to, seconds] :
         {std::pair(Overhead::kReplicated, replicated), std::pair(Overhead::kAlgorithm, extra - replicated)}) {
      move_places(run, computing[number], to, seconds, grid);
      move_region(run, number, to, seconds);
    }
  }
  sum_up_all(run);
}

OverheadTimes lost_against(const Overheads& run, const Overheads& reference) {
  OverheadTimes lost;
  for (const OverheadInfo& info : overhead_classes())
    lost[info.overhead] = run.all[info.overhead] - reference.all[info.overhead];
  return lost;
}

}  // namespace tarry
