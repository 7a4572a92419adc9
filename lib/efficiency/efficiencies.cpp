// efficiencies.cpp -- POP's efficiencies of a run, beside those of a reference run.
#include "efficiency/efficiencies.hpp"

#include <algorithm>

#include "report/metrics/device_efficiencies.hpp"

namespace tarry {
namespace {

std::optional<double> share_of(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

std::optional<double> product(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(*a * *b) : std::nullopt;
}

// Of what takes its place if something did not lose time: 1 - (the loss / runtime).
std::optional<double> without_loss(double loss, Seconds runtime) {
  return runtime > 0 ? std::optional(1 - loss / runtime) : std::nullopt;
}

// The time of a process outside MPI, and of its first thread alone and in parallel regions. Threads that are not known
// to be idle may compute while the first one is in MPI, or alone. Then the process is not in MPI, and the first one is
// not alone: no efficiency is more than 100 %.
struct ProcessShape {
  Seconds outside_mpi = 0, serial = 0, parallel = 0;

  ProcessShape(const ProcessTimes& process, Seconds runtime)
      : outside_mpi(std::max(process.outside_mpi, process.longest_useful)),
        serial(process.serial_useful),
        parallel(process.in_parallel) {
    const auto count = static_cast<double>(process.threads);
    parallel = std::max(parallel, (process.useful - serial) / count);
    if (count < 2 || serial + parallel <= runtime) return;
    parallel = std::max(process.in_parallel, (process.useful - runtime) / (count - 1));
    serial = std::min(serial, runtime - parallel);
  }
};

// How much of one process's time lies where threads may work, and what follows for all.
struct ProcessSums {
  double threads = 0;
  bool has_regions = false;                               // parallel ones
  Seconds mean_outside_mpi = 0, longest_outside_mpi = 0;  // of a process; with other numbers of threads, of a thread
  Seconds serial = 0;                                     // useful outside parallel regions
  Seconds weighted_serial = 0;                            // the same, with the threads that are idle meanwhile
  Seconds weighted_parallel = 0;                          // in parallel regions, by all threads of the process
  Seconds longest_outside_serial_mpi = 0;

  explicit ProcessSums(const RunTimes& run) {
    Seconds outside_mpi = 0, weighted_outside_mpi = 0;
    bool has_equal_counts = true;
    for (const ProcessTimes& process : run.processes) {
      const auto count = static_cast<double>(process.threads);
      const ProcessShape shape(process, run.runtime);
      threads += count;
      has_regions |= process.in_parallel > 0;
      outside_mpi += shape.outside_mpi;
      weighted_outside_mpi += count * shape.outside_mpi;
      has_equal_counts = has_equal_counts && process.threads == run.processes[0].threads;
      longest_outside_mpi = std::max(longest_outside_mpi, shape.outside_mpi);
      serial += shape.serial;
      weighted_serial += count * shape.serial;
      weighted_parallel += count * shape.parallel;
      longest_outside_serial_mpi = std::max(longest_outside_serial_mpi, shape.serial + shape.parallel);
    }
    mean_outside_mpi =
        has_equal_counts ? outside_mpi / static_cast<double>(run.processes.size()) : weighted_outside_mpi / threads;
  }
};

// Where the product of a balance and of two parts of communication stands.
struct Factors {
  Efficiency all, balance, communication, serialisation, transfer;
};

// Of a time that threads or processes have, on average and at most. What is a product must be one to the last bit. So
// it is only divided where a factor is not known.
void add_factors(const RunTimes& run, Seconds mean, Seconds longest, const Factors& of, Efficiencies& result) {
  result[of.balance] = share_of(mean, longest);
  if (run.ideal) {
    result[of.serialisation] = share_of(longest, *run.ideal);
    result[of.transfer] = share_of(*run.ideal, run.runtime);
  }
  result[of.communication] = product(result[of.serialisation], result[of.transfer]);
  if (!result[of.communication]) result[of.communication] = share_of(longest, run.runtime);
  result[of.all] = product(result[of.balance], result[of.communication]);
  if (!result[of.all]) result[of.all] = share_of(mean, run.runtime);
}

void add_parallel(const RunTimes& run, const RunSums& sums, Efficiencies& result) {
  using enum Efficiency;
  add_factors(run, sums.mean_useful(), sums.longest_useful,
              {kParallel, kLoadBalance, kCommunication, kSerialisation, kTransfer}, result);
}

void add_scaling(const RunTimes& run, const RunTimes& reference, Scaling scaling, Efficiencies& result) {
  using enum Efficiency;
  const RunSums sums = sums_of(run), before = sums_of(reference);
  const double growth = scaling == Scaling::kWeak && before.threads > 0
                            ? static_cast<double>(sums.threads) / static_cast<double>(before.threads)
                            : 1;
  result[kComputation] = share_of(before.useful * growth, sums.useful);
  if (run.instructions && reference.instructions)
    result[kInstructions] = share_of(*reference.instructions * growth, *run.instructions);
  if (sums.ipc && before.ipc) result[kIpc] = share_of(*sums.ipc, *before.ipc);
  if (sums.hertz && before.hertz) result[kFrequency] = share_of(*sums.hertz, *before.hertz);
  result[kGlobal] = product(result[kParallel], result[kComputation]);
}

void add_multiplicative(const RunTimes& run, const ProcessSums& sums, Efficiencies& result) {
  using enum Efficiency;
  result[kHybrid] = result[kParallel];
  add_factors(run, sums.mean_outside_mpi, sums.longest_outside_mpi,
              {kMpi, kMpiBalance, kMpiCommunication, kMpiSerialisation, kMpiTransfer}, result);
  const auto of_threads = [&](Efficiency all, Efficiency mpi) {
    return result[all] && result[mpi] ? share_of(*result[all], *result[mpi]) : std::nullopt;
  };
  result[kThreads] = of_threads(kParallel, kMpi);
  result[kThreadBalance] = of_threads(kLoadBalance, kMpiBalance);
  result[kThreadCommunication] = of_threads(kCommunication, kMpiCommunication);
  // Threads may even out what is uneven between processes. Their balance is perfect then.
  if (result[kThreadBalance].value_or(0) <= 1) return;
  result[kThreadBalance] = 1;
  result[kThreadCommunication] = result[kThreads];
}

void add_additive(const RunTimes& run, const RunSums& all, const ProcessSums& sums, Efficiencies& result) {
  using enum Efficiency;
  const Seconds serial = sums.weighted_serial / sums.threads, parallel = sums.weighted_parallel / sums.threads;
  const Seconds longest = sums.longest_outside_serial_mpi, useful_in_serial = sums.serial / sums.threads;
  result[kSum] = result[kParallel];
  result[kProcess] = share_of(serial + parallel, run.runtime);
  result[kProcessBalance] = without_loss(longest - (serial + parallel), run.runtime);
  result[kProcessCommunication] = share_of(longest, run.runtime);
  if (run.ideal) {
    result[kProcessSerialisation] = without_loss(*run.ideal - longest, run.runtime);
    result[kProcessTransfer] = share_of(*run.ideal, run.runtime);
  }
  result[kThreadSum] = without_loss(serial + parallel - all.mean_useful(), run.runtime);
  result[kSerialRegions] = without_loss(serial - useful_in_serial, run.runtime);
  result[kParallelRegions] = without_loss(parallel - (all.mean_useful() - useful_in_serial), run.runtime);
}

bool has_devices(const RunTimes& run) {
  return std::ranges::any_of(run.processes, [](const ProcessTimes& process) { return process.devices.has_value(); });
}

// What the host gives to MPI and its threads, and what to accelerators.
void add_host(const RunTimes& run, const RunSums& sums, Efficiencies& result) {
  using enum Efficiency;
  const Seconds host = sums.useful + sums.offload;
  add_factors(run, host / static_cast<double>(sums.threads), sums.longest_host,
              {kHost, kHostBalance, kHostCommunication, kHostSerialisation, kHostTransfer}, result);
  result[kOffload] = share_of(sums.useful, host);
  result[kOffloading] = product(result[kHost], result[kOffload]);
}

void add_devices(const RunTimes& run, Efficiencies& result) {
  using enum Efficiency;
  std::vector<std::optional<DeviceTimes>> times;
  for (const ProcessTimes& process : run.processes) times.push_back(process.devices);
  const DeviceEfficiencies devices = device_efficiencies(times, run.runtime);
  result[kDeviceBalance] = devices.load_balance;
  result[kDeviceCommunication] = devices.communication;
  result[kDeviceOrchestration] = devices.orchestration;
  result[kDevices] = devices.all();
}

// Waits in a part of a run may be longer on an ideal network, as others arrive earlier. No part takes longer there than
// it did, and none is done before its computation is.
RunTimes within_bounds(RunTimes run) {
  if (!run.ideal) return run;
  Seconds longest = 0;
  for (const ProcessTimes& process : run.processes) {
    const ProcessShape shape(process, run.runtime);
    longest = std::max({longest, shape.outside_mpi, shape.serial + shape.parallel, process.longest_host});
  }
  run.ideal = std::min(std::max(*run.ideal, longest), std::max(run.runtime, longest));
  return run;
}

}  // namespace

const std::array<EfficiencyInfo, kEfficiencyCount>& efficiency_table() {
  static constexpr std::array<EfficiencyInfo, kEfficiencyCount> kTable = {{
#define EFFICIENCY(id, parent, model, key, label) \
  {Efficiency::id, Efficiency::parent, EfficiencyModel::model, key, label},
#include "efficiency/efficiencies.def"
#undef EFFICIENCY
  }};
  return kTable;
}

std::size_t depth_of(Efficiency id) {
  std::size_t depth = 0;
  while ((id = efficiency_table()[static_cast<std::size_t>(id)].parent) != Efficiency::kNone) ++depth;
  return depth;
}

RunSums sums_of(const RunTimes& run) {
  RunSums sums{.processes = run.processes.size()};
  for (const ProcessTimes& process : run.processes) {
    sums.threads += process.threads;
    sums.useful += process.useful;
    sums.longest_useful = std::max(sums.longest_useful, process.longest_useful);
    sums.offload += process.offload;
    sums.longest_host = std::max(sums.longest_host, process.longest_host);
  }
  if (run.cycles && run.instructions) sums.ipc = share_of(*run.instructions, *run.cycles);
  if (run.cycles) sums.hertz = share_of(*run.cycles, sums.useful);
  return sums;
}

bool Efficiencies::has(EfficiencyModel model) const {
  return std::ranges::any_of(efficiency_table(), [&](const EfficiencyInfo& info) {
    return info.model == model && (*this)[info.id].has_value();
  });
}

Efficiencies efficiencies_of(const RunTimes& any_run, const RunTimes& reference, Scaling scaling) {
  const RunTimes run = within_bounds(any_run);
  Efficiencies result;
  const RunSums sums = sums_of(run);
  add_parallel(run, sums, result);
  add_scaling(run, reference, scaling, result);
  if (sums.offload > 0) add_host(run, sums, result);
  if (has_devices(run)) add_devices(run, result);
  if (sums.threads == sums.processes) return result;
  const ProcessSums of_processes(run);
  add_multiplicative(run, of_processes, result);
  if (of_processes.has_regions) add_additive(run, sums, of_processes, result);
  return result;
}

std::string why_missing(Efficiency id, const RunTimes& run, const RunTimes& reference) {
  using enum Efficiency;
  switch (id) {
    case kSerialisation:
    case kTransfer:
    case kMpiSerialisation:
    case kMpiTransfer:
    case kProcessSerialisation:
    case kProcessTransfer:
    case kHostSerialisation:
    case kHostTransfer: return run.ideal ? "nothing was computed" : run.why_no_ideal;
    case kInstructions:
      return run.instructions && reference.instructions ? "nothing was counted" : "needs a counter of instructions";
    case kIpc: return "needs counters of instructions and cycles";
    case kFrequency: return run.cycles && reference.cycles ? "nothing was counted" : "needs a counter of cycles";
    default: break;
  }
  const EfficiencyModel model = efficiency_table()[static_cast<std::size_t>(id)].model;
  if (model == EfficiencyModel::kStandard) return "nothing was computed";
  if (model == EfficiencyModel::kAccelerated) return "has no calls of accelerators, or no work of them";
  const RunSums sums = sums_of(run);
  return sums.threads == sums.processes ? "has one thread per process" : "has no parallel regions of OpenMP";
}

EfficiencyGrade grade_of(double efficiency) {
  constexpr double kAcceptable = 0.8, kHalf = 0.5;
  if (efficiency >= kAcceptable) return EfficiencyGrade::kGood;
  return efficiency >= kHalf ? EfficiencyGrade::kFair : EfficiencyGrade::kPoor;
}

}  // namespace tarry
