// processor_load.cpp -- compares what processes needed of their processors with what they had.
#include "findings/imbalance/processor_load.hpp"

#include <algorithm>

namespace tarry {
namespace {

constexpr double kLeastDelay = 0.01;  // of the time of all threads, spent without a processor
constexpr double kFull = 0.9;         // of the processors' time: they were in use

struct NodeUse {
  std::vector<bool> processors;  // by number
  std::size_t processes = 0, threads = 0;
  Seconds delay = 0, time = 0, cpu = 0, wall = 0;
  bool has_delay = true;
};

std::optional<ProcessorUse> use_of(const ReportProcess& process) {
  for (const auto& [key, value] : process.attributes)
    if (key == kProcessorUseAttribute) return parse_processor_use(value);
  return std::nullopt;
}

void add_process(const ProcessorUse& use, std::size_t threads, NodeUse& node) {
  for (const std::uint32_t processor : use.processors) {
    if (processor >= node.processors.size()) node.processors.resize(processor + 1);
    node.processors[processor] = true;
  }
  ++node.processes;
  node.threads += threads;
  node.delay += use.delay.value_or(0);
  node.has_delay &= use.delay.has_value();
  node.time += use.time_of_threads(threads);
  node.cpu += use.cpu;
  node.wall = std::max(node.wall, use.wall);
}

// More threads than processors do no harm if they are not there, or not ready to run, at the same time.
std::optional<Oversubscription> judge(const std::string& name, const NodeUse& node) {
  const auto processors = static_cast<std::size_t>(std::ranges::count(node.processors, true));
  if (processors == 0 || node.threads <= processors || node.time <= 0) return std::nullopt;
  const double share = node.delay / node.time;
  const bool is_full = node.cpu >= kFull * static_cast<double>(processors) * node.wall;
  if (node.has_delay ? share < kLeastDelay : !is_full) return std::nullopt;
  return Oversubscription{name, processors, node.processes, node.threads, node.delay, share, node.has_delay};
}

}  // namespace

ProcessorLoad find_processor_load(const Report& report) {
  const ReportStructure& structure = report.structure;
  std::vector<std::size_t> threads(structure.processes.size());
  for (const ReportLocation& location : structure.locations)
    if (location.is_thread() && location.process < threads.size()) ++threads[location.process];
  std::vector<NodeUse> nodes(structure.system_nodes.size());
  ProcessorLoad load;
  for (std::size_t i = 0; i < structure.processes.size(); ++i) {
    const ReportProcess& process = structure.processes[i];
    auto use = use_of(process);
    if (!use) continue;
    if (process.node < nodes.size()) add_process(*use, threads[i], nodes[process.node]);
    use->processors = {};
    load.ranks.push_back({ReportRank(process.rank), *std::move(use), std::max<std::size_t>(1, threads[i])});
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (auto found = judge(structure.system_nodes[i].name, nodes[i])) load.oversubscription.push_back(*found);
  return load;
}

}  // namespace tarry
