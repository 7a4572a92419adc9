// processor_load.hpp -- whether processes had a processor when they needed one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "defs/processor_use.hpp"
#include "findings/report_rank.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// A process that recorded how it used its processors; which they are is left out.
struct RankProcessors {
  ReportRank rank{0};
  ProcessorUse use;
  std::size_t threads = 1;  // in the report
};

/// A node with more threads than processors, whose threads had to wait for one.
struct Oversubscription {
  std::string node;
  std::size_t processors = 0;  // on which at least one of the processes may run
  std::size_t processes = 0, threads = 0;
  Seconds delay = 0;      // of all its threads: ready to run, without a processor
  double share = 0;       // of the time of all its threads
  bool has_delay = true;  // false: the kernel tells no delays; all processors were in use all the time
};

struct ProcessorLoad {
  std::vector<RankProcessors> ranks;               // in the order of processes; empty if nothing was recorded
  std::vector<Oversubscription> oversubscription;  // in the order of nodes
};

ProcessorLoad find_processor_load(const Report& report);

/// One value for each process of the report, 0 where it recorded none. `value_of` is asked for the others.
template <class ValueOf>
std::vector<double> by_process(const ReportStructure& structure, const ProcessorLoad& load, ValueOf value_of) {
  std::vector<double> values;
  std::size_t next = 0;
  for (const ReportProcess& process : structure.processes) {
    const bool is_known = next < load.ranks.size() && load.ranks[next].rank == ReportRank(process.rank);
    values.push_back(is_known ? value_of(load.ranks[next++].use) : 0);
  }
  return values;
}

}  // namespace tarry
