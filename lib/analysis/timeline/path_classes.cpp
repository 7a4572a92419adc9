// path_classes.cpp -- what the colours of a timeline stand for.
#include "analysis/timeline/path_classes.hpp"

#include <algorithm>
#include <array>

#include "analysis/time_hierarchy.hpp"

namespace tarry {
namespace {

constexpr std::array kTimelineClasses = {
    Metric::kComputation,
    Metric::kMpiPointToPoint,
    Metric::kMpiCollective,
    Metric::kMpiSynchronization,
    Metric::kMpiRmaCommunication,
    Metric::kMpiIo,
    Metric::kMpiManagement,
    Metric::kMpi,
    Metric::kOmpTime,
    Metric::kPthreadTime,
    Metric::kIoTime,
    Metric::kAccelerator,
    Metric::kDeviceKernels,
    Metric::kOverhead,
};

// The class that a leaf of the time hierarchy is part of; where it is part of none, the leaf itself.
Metric timeline_class_of(Metric leaf) {
  for (Metric metric = leaf; metric != Metric::kNone; metric = info_of(metric).parent)
    if (std::ranges::find(kTimelineClasses, metric) != kTimelineClasses.end()) return metric;
  return leaf;
}

// Those of kernels are on queues alone. A copy has the path of its call.
void mark_kernels(const Trace& trace, const UnifiedTree& unified, std::vector<Metric>& of_path) {
  for (const RankIndex rank : trace.ranks().ids())
    for (const LogicalThread& thread : trace.ranks()[rank].threads)
      for (const Execution& work : thread.executions)
        if (!work.is_copy()) of_path[unified.to_unified[rank][work.path]] = Metric::kDeviceKernels;
}

}  // namespace

void classify_paths(const Trace& trace, const UnifiedTree& unified, RunTimeline& into) {
  const CallTree& tree = unified.tree;
  const Compatibility compatibility = Compatibility::none();
  std::vector<Metric> of_path;
  for (PathIndex path = 0; path < tree.size(); ++path)
    of_path.push_back(timeline_class_of(classify(trace.regions(), tree[path].region, compatibility).time));
  mark_kernels(trace, unified, of_path);
  into.classes = of_path;
  std::ranges::sort(into.classes, InReportOrder());
  into.classes.erase(std::unique(into.classes.begin(), into.classes.end()), into.classes.end());
  for (const Metric metric : of_path)
    into.path_classes.push_back(
        static_cast<std::uint8_t>(std::ranges::find(into.classes, metric) - into.classes.begin()));
}

}  // namespace tarry
