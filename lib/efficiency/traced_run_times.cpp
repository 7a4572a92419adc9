// traced_run_times.cpp -- the times of a traced run from which its efficiencies follow.
//
// A thread is in a region of MPI, in the runtime of threads, or useful. The first thread of a process is useful outside
// all regions, too: a trace of MPI calls alone has no others. Worker threads are idle there.
#include "efficiency/traced_run_times.hpp"

#include <algorithm>

#include "efficiency/ideal_part.hpp"
#include "prediction/simulation/predict.hpp"
#include "replay/scan/time_ranges.hpp"
#include "report/metrics/useful_time.hpp"

namespace tarry {
namespace {

std::vector<TimeUse> uses_of(const RegionTable& regions) {
  std::vector<TimeUse> uses;
  for (std::size_t r = 0; r < regions.size(); ++r) {
    const RegionId id(r);
    const Region& region = regions.region(id);
    uses.push_back(use_of_time({region.paradigm, region.role, regions.name(id), regions.file(id)}));
  }
  return uses;
}

// Call paths of one process. All below MPI is MPI's, all below a parallel region is in it.
class PathUses {
 public:
  PathUses(const CallTree& tree, const RegionTable& regions, const std::vector<TimeUse>& uses) {
    for (PathIndex path = 0; path < tree.size(); ++path) {
      const CallTreeNode& node = tree[path];
      const bool has_parent = node.parent != kNoPath;
      const bool is_in_mpi = has_parent && uses_[node.parent] == TimeUse::kMpi;
      uses_.push_back(is_in_mpi ? TimeUse::kMpi : uses[node.region.value]);
      parallel_.push_back(regions[node.region].thread == ThreadClass::kParallel ||
                          (has_parent && parallel_[node.parent]));
    }
  }

  TimeUse use(PathIndex path) const { return uses_[path]; }
  bool is_parallel(PathIndex path) const { return parallel_[path]; }

 private:
  std::vector<TimeUse> uses_;
  std::vector<bool> parallel_;
};

// The times of a thread that count, by call path. Without a part of its own it has none, or all of them count.
class CountedTimes {
 public:
  explicit CountedTimes(const LogicalThread& thread) : thread_(thread), part_(thread.main_part.get()) {
    const Ticks begin = starts_inside() ? part_->begin.moment : thread.first_time;
    const Ticks end = ends_inside() ? part_->end.moment : thread.last_time;
    all_ = part_ ? std::max<Ticks>(0, std::min(end, thread.last_time) - std::max(begin, thread.first_time))
                 : thread.counted(begin, end);
  }

  Ticks all() const { return all_; }
  Ticks time(PathIndex path) const { return between(&TimesSoFar::time, thread_.time, path); }
  Ticks management(PathIndex path) const {
    return between(&TimesSoFar::management_time, thread_.management_time, path);
  }

 private:
  bool starts_inside() const { return part_ && part_->has_begin; }
  bool ends_inside() const { return part_ && part_->has_end; }

  static Ticks at(const std::vector<Ticks>& times, PathIndex path) { return path < times.size() ? times[path] : 0; }

  Ticks between(std::vector<Ticks> TimesSoFar::*of, const std::vector<Ticks>& whole, PathIndex path) const {
    const Ticks before = starts_inside() ? at(part_->begin.*of, path) : 0;
    return at(ends_inside() ? part_->end.*of : whole, path) - before;
  }

  const LogicalThread& thread_;
  const MainPart* part_;
  Ticks all_ = 0;
};

// Ticks of one thread that count.
struct ThreadTicks {
  Ticks useful = 0, serial_useful = 0, mpi = 0, parallel = 0, offload = 0, all = 0;
};

ThreadTicks ticks_of(const LogicalThread& thread, const CountedTimes& times, const PathUses& uses) {
  ThreadTicks ticks;
  ticks.all = times.all();
  for (PathIndex path = 0; path < thread.time.size(); ++path) {
    const Ticks time = times.time(path);
    const Ticks managed = std::min(times.management(path), time);
    if (uses.is_parallel(path)) ticks.parallel += time;
    if (uses.use(path) == TimeUse::kMpi) ticks.mpi += time;
    if (uses.use(path) == TimeUse::kAccelerators) ticks.offload += time;
    if (uses.use(path) != TimeUse::kUseful) continue;
    ticks.useful += time - managed;
    if (!uses.is_parallel(path)) ticks.serial_useful += time - managed;
  }
  return ticks;
}

void add_elsewhere(const LogicalThread& thread, const CountedTimes& times, ThreadTicks& ticks) {
  Ticks logged = 0;
  for (PathIndex path = 0; path < thread.time.size(); ++path) logged += times.time(path);
  const Ticks elsewhere = std::max<Ticks>(0, ticks.all - logged);
  ticks.useful += elsewhere;
  ticks.serial_useful += elsewhere;
}

// What the queues of a process do, as much as lies between MPI_Init and MPI_Finalize of its first thread.
std::optional<DeviceTimes> device_times_of(const Trace& trace, const LogicalRank& rank) {
  if (std::ranges::none_of(rank.threads, &LogicalThread::is_queue)) return std::nullopt;
  const MainPart* const part = rank.threads.empty() ? nullptr : rank.threads[kMaster].main_part.get();
  std::vector<TimeRanges::Range> kernels, copies;
  for (const LogicalThread& queue : rank.threads) {
    Ticks counted_until = part && part->has_begin ? part->begin.moment : 0;  // work that overlaps counts once
    for (const Execution& execution : queue.executions) {
      const Ticks begin = std::max(execution.begin, counted_until);
      const Ticks end = part && part->has_end ? std::min(execution.end, part->end.moment) : execution.end;
      (execution.is_copy() ? copies : kernels).push_back({begin, std::max(begin, end)});
      counted_until = std::max(counted_until, end);
    }
  }
  const TimeRanges of_kernels(std::move(kernels));
  Ticks busy = 0, exposed = 0;
  for (const auto& [begin, end] : of_kernels.all()) busy += end - begin;
  for (const auto& [begin, end] : copies) exposed += end - begin - of_kernels.overlap(begin, end);
  return DeviceTimes{.busy = trace.seconds(busy), .exposed_copies = trace.seconds(exposed)};
}

ProcessTimes times_of(const Trace& trace, const LogicalRank& rank, const PathUses& uses) {
  ProcessTimes times{.threads = 0};
  for (const ThreadIndex t : rank.threads.ids()) {
    const LogicalThread& thread = rank.threads[t];
    if (thread.event_count == 0 || thread.is_queue) continue;
    ++times.threads;
    const CountedTimes counted(thread);
    ThreadTicks ticks = ticks_of(thread, counted, uses);
    if (t == kMaster) {
      add_elsewhere(thread, counted, ticks);
      times.outside_mpi = trace.seconds(ticks.all - std::min(ticks.all, ticks.mpi));
      times.serial_useful = trace.seconds(ticks.serial_useful);
      times.in_parallel = trace.seconds(ticks.parallel);
    }
    times.useful += trace.seconds(ticks.useful);
    times.longest_useful = std::max(times.longest_useful, trace.seconds(ticks.useful));
    times.offload += trace.seconds(ticks.offload);
    times.longest_host = std::max(times.longest_host, trace.seconds(ticks.useful + ticks.offload));
  }
  times.threads = std::max<std::size_t>(1, times.threads);
  return times;
}

// What the first counter of this kind has counted in useful call paths; nothing if there is none.
std::optional<double> count_useful(const Trace& trace, const Indexed<RankIndex, std::vector<PathUses>>& uses,
                                   ProcessorEvent wanted) {
  const std::vector<Counter>& counters = trace.definitions().counters;
  for (std::size_t c = 0; c < counters.size(); ++c) {
    if (processor_event(trace.definitions().text(counters[c].name)) != wanted || !is_summed(counters[c].mode)) continue;
    double sum = 0;
    for (const RankIndex r : trace.ranks().ids())
      for (const LogicalThread& thread : trace.ranks()[r].threads) {
        if (!thread.counters.has(CounterId(c))) continue;
        const std::vector<double>& of_path = thread.counters[CounterId(c)].of_path;
        for (PathIndex path = 0; path < of_path.size(); ++path)
          if (uses[r].use(path) == TimeUse::kUseful) sum += of_path[path];
      }
    if (sum > 0) return sum;
  }
  return std::nullopt;
}

// Of a part: the time of the process that spends most in it.
Seconds longest_visit(const Trace& trace) {
  Ticks longest = 0;
  for (const LogicalRank& rank : trace.ranks()) longest = std::max(longest, ticks_in_part(rank));
  return trace.seconds(longest);
}

std::string name_of_part(const RunPart& part) {
  if (part.is_whole()) return "the time between MPI_Init and MPI_Finalize";
  return (part.iteration ? "iteration " + std::to_string(*part.iteration) + " of '" : "'") + part.region + "'";
}

void add_runtimes(const Trace& trace, const RunPart& part, const Machine& ideal, RunTimes& times) {
  SimulationOutcome outcome;
  Seconds on_ideal = 0;
  if (part.is_whole()) {
    const Prediction prediction = predict(trace, ideal);
    times.runtime = prediction.recorded;
    on_ideal = prediction.predicted;
    outcome = prediction.outcome;
  } else {
    times.runtime = longest_visit(trace);
    on_ideal = simulated_part(trace, ideal, outcome);
    // Between two calls of MPI the simulation knows no regions. None takes less time than it computes.
    for (const ProcessTimes& process : times.processes) on_ideal = std::max(on_ideal, process.longest_useful);
  }
  if (outcome.is_deadlock) times.why_no_ideal = "the program never ends on an ideal network";
  else times.ideal = on_ideal;
}

// Whether all its time is in the part of the first thread.
bool is_inside(const LogicalThread& thread, const MainPart& part) {
  if (thread.event_count == 0 || thread.is_queue) return true;
  return (!part.has_begin || thread.first_time >= part.begin.moment) &&
         (!part.has_end || thread.last_time <= part.end.moment);
}

}  // namespace

bool tells_main_part(const Trace& trace) {
  if (trace.is_partial()) return false;
  for (const LogicalRank& rank : trace.ranks()) {
    if (rank.threads.empty()) continue;
    const MainPart* part = rank.threads[kMaster].main_part.get();
    if (!part || (part->has_begin && part->has_end && part->begin.moment > part->end.moment)) return false;
    for (const LogicalThread& thread : rank.threads)
      if (!thread.counters.empty() || (thread.main_part == nullptr && !is_inside(thread, *part))) return false;
  }
  return true;
}

Result<RunTimes> traced_run_times(const Trace& trace, const std::string& input, const RunPart& part,
                                  const Machine& ideal) {
  if (trace.mpi_worlds().are_several())
    return Error{input, "has processes that others have spawned, and efficiencies are those of one MPI_COMM_WORLD",
                 "'tarry report' tells where they wait"};
  const std::vector<TimeUse> uses = uses_of(trace.regions());
  Indexed<RankIndex, std::vector<PathUses>> of_paths;
  RunTimes times;
  for (const LogicalRank& rank : trace.ranks()) {
    of_paths.push_back(PathUses(rank.tree, trace.regions(), uses));
    times.processes.push_back(times_of(trace, rank, of_paths.back()));
    if (part.is_whole()) times.processes.back().devices = device_times_of(trace, rank);
  }
  add_runtimes(trace, part, ideal, times);
  if (times.runtime <= 0)
    return Error{input, "never was in " + name_of_part(part), "'tarry report' names what it has done"};
  times.instructions = count_useful(trace, of_paths, ProcessorEvent::kInstructions);
  times.cycles = count_useful(trace, of_paths, ProcessorEvent::kCycles);
  return times;
}

}  // namespace tarry
