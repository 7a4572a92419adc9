// work_factors.cpp -- how much longer each call path of a process takes on the changed machine.
#include "prediction/simulation/work_factors.hpp"

#include <algorithm>
#include <optional>

#include "base/text/glob.hpp"

namespace tarry {
namespace {

bool is_barrier(ThreadClass construct) {
  return construct == ThreadClass::kExplicitBarrier || construct == ThreadClass::kImplicitBarrier;
}

std::vector<RegionWork> work_of_regions(const Trace& trace, const Machine& machine) {
  std::vector<RegionWork> work(trace.regions().size());
  for (std::size_t r = 0; r < work.size(); ++r) {
    const RegionId region(r);
    const std::string& name = trace.regions().name(region);
    for (const RegionFactor& scaled : machine.regions)
      if (is_named(name, scaled.name)) (scaled.is_alone ? work[r].alone : work[r].factor) *= scaled.factor;
    work[r].is_mpi = trace.regions()[region].is_mpi;
    work[r].is_barrier = is_barrier(trace.regions()[region].thread);
    work[r].is_balanced = machine.balanced && !machine.balanced->empty() && is_named(name, *machine.balanced);
  }
  return work;
}

// The factors of one process, before its work is balanced with that of others.
class OfProcess {
 public:
  OfProcess(const Trace& trace, const Machine& machine, const std::vector<RegionWork>& regions, RankIndex rank)
      : machine_(machine), regions_(regions), rank_(trace.ranks()[rank]) {
    factors_.elsewhere = 1 / machine.cpu_speed;
    for (const RankFactor& scaled : machine.ranks)
      if (scaled.rank == rank_.rank) factors_.elsewhere *= scaled.factor;
    own_.resize(rank_.tree.size());
    for (PathIndex path = 0; path < rank_.tree.size(); ++path) add(path);
  }

  // Computation of all threads that is to be balanced, in ticks of the changed machine.
  double balanced_work() const {
    double work = 0;
    for (const LogicalThread& thread : rank_.threads)
      for (PathIndex path = 0; path < thread.time.size(); ++path)
        if (!thread.is_queue && is_shared(path))
          work += static_cast<double>(thread.time[path]) * own_[path].own() * factors_.elsewhere;
    return work;
  }

  // `balance`: how much longer the balanced work of this process takes.
  WorkFactors finish(double balance) {
    for (PathIndex path = 0; path < own_.size(); ++path) {
      const RegionWork& work = own_[path];
      double factor = work.own() * factors_.elsewhere * (is_shared(path) ? balance : 1);
      if (work.is_mpi) factor = machine_.network ? 0 : 1;
      else if (work.is_barrier) factor = 1;
      factors_.of_path.push_back(factor);
      factors_.is_mpi.push_back(work.is_mpi);
      factors_.are_one &= factor == 1;
    }
    if (machine_.balanced && machine_.balanced->empty()) factors_.elsewhere *= balance;
    factors_.are_one &= factors_.elsewhere == 1;
    return std::move(factors_);
  }

 private:
  // What holds for a call path holds for all below it. Parents come first.
  void add(PathIndex path) {
    RegionWork& work = own_[path];
    work = regions_[rank_.tree[path].region.value];
    const PathIndex parent = rank_.tree[path].parent;
    if (parent == kNoPath) return;
    work.factor *= own_[parent].factor;
    work.is_mpi |= own_[parent].is_mpi;
    work.is_barrier |= own_[parent].is_barrier;
    work.is_balanced |= own_[parent].is_balanced;
  }

  bool is_shared(PathIndex path) const {
    const RegionWork& work = own_[path];
    if (!machine_.balanced || work.is_mpi || work.is_barrier) return false;
    return machine_.balanced->empty() || work.is_balanced;
  }

  const Machine& machine_;
  const std::vector<RegionWork>& regions_;
  const LogicalRank& rank_;
  std::vector<RegionWork> own_;  // by path
  WorkFactors factors_;
};

}  // namespace

AllWorkFactors::AllWorkFactors(const Trace& trace, const Machine& machine)
    : trace_(trace), machine_(machine), regions_(work_of_regions(trace, machine)) {
  if (!machine.balanced) return;
  balanced_.resize(trace.ranks().size());
  trace.for_each_hosted([&](RankIndex r) { balanced_[r] = OfProcess(trace, machine, regions_, r).balanced_work(); });
  for (const double work : balanced_) mean_ += work / static_cast<double>(balanced_.size());
}

WorkFactors AllWorkFactors::of(RankIndex rank) const {
  const double work = balanced_.has(rank) ? balanced_[rank] : 0;
  return OfProcess(trace_, machine_, regions_, rank).finish(work > 0 ? mean_ / work : 1);
}

}  // namespace tarry
