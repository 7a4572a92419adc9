// delay_study.hpp -- the delay analysis of the recorded run, kept for what a prediction asks of it.
#pragma once

#include <optional>

#include "analysis/analysis.hpp"
#include "analysis/delay/delay_instances.hpp"

namespace tarry {

/// The waits of a run and who caused them, exactly as 'tarry replay' finds them.
class DelayStudy {
 public:
  /// The trace has matched messages, holds its locks, and is held by one analysis process. `most`: so many single waits
  /// of each kind are kept, the longest.
  explicit DelayStudy(const Trace& trace, std::size_t most = 0);

  const UnifiedTree& unified() const { return unified_; }
  const DelayContext& context() const { return *context_; }
  const DelaysByCause& instances() const { return instances_; }

  /// The unified call path that stands for one in all iterations of its loop: the one that causes are told of.
  PathIndex shown(PathIndex unified) const { return groups_.shown(unified); }

  /// The single waits, with unified call paths and their causes. To be taken once.
  Instances take_waits(const Trace& trace);

  /// What a report needs to tell the causes: no values of metrics. To be taken once.
  AnalysisResult take_result(const Trace& trace);

 private:
  UnifiedTree unified_;
  IterationSlots slots_;
  const Compatibility compatibility_ = Compatibility::none();
  const CountedWaits counted_;
  AllSyncPoints sync_;
  WaitGroups groups_;
  std::optional<DelayContext> context_;
  DelaysByCause instances_;
  Instances waits_;
  AnalysisResult result_;
};

}  // namespace tarry
