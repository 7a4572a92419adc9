// analysed_figure.hpp -- a figure's trace with its analysis, and what must hold in each of them.
#pragma once

#include <gtest/gtest.h>

#include <sstream>

#include "analysis_of.hpp"
#include "figures.hpp"

namespace tarry {

/// Builds the trace of a figure, or any other, and analyses it in the default mode.
class AnalysedFigure {
 public:
  explicit AnalysedFigure(const Figure& figure)
      : trace_(figure.ranks), found_((figure.build(trace_), trace_.finish())) {}

  double total(Metric metric) const { return found_.total(metric); }

  /// At a function of one rank, which all are called by `main`.
  double at(Metric metric, const std::string& function, std::uint32_t rank) const {
    return found_.value(metric, "main/" + function, rank);
  }

  /// At a function, over all ranks.
  double at(Metric metric, const std::string& function) const {
    double sum = 0;
    for (std::uint32_t r = 0; r < trace_.ranks(); ++r) sum += at(metric, function, r);
    return sum;
  }

  double span() const { return static_cast<double>(trace_.end()); }
  double allocation() const { return span() * trace_.ranks(); }
  std::uint32_t ranks() const { return trace_.ranks(); }
  const AnalysisOf& found() const { return found_; }
  const std::vector<Event>& events_of(std::uint32_t rank) { return trace_.events_of(rank).events(); }
  const std::string& region_name(RegionId region) { return found_.trace().regions().name(region); }

  /// All waiting, that in MPI_Finalize for the end of the run included.
  double waits() const {
    double sum = 0;
    for (const Metric wait : {Metric::kLateSender, Metric::kLateReceiver, Metric::kBarrierWait, Metric::kFinalizeWait})
      sum += total(wait);
    return sum;
  }

  /// What holds for every run: sections 3.1 (time), 4.2.5 (costs match waits) and 5.2.1 (length of the path). Sections
  /// 4.1.1 and 4.2.6 have the two partitions of wait states, 5.2.3 and 5.2.4 the imbalance.
  void expect_invariants() const {
    expect_time_is_complete();
    expect_costs_match_waits();
    expect_partitions_of_waits();
    expect_path_is_complete();
    expect_impact_is_complete();
    for (const Metric metric : kNeverNegative) EXPECT_GE(smallest(metric), 0) << info_of(metric).unique_name;
  }

 private:
  static constexpr Metric kNeverNegative[] = {Metric::kDelay,
                                              Metric::kWaitsDirect,
                                              Metric::kWaitsIndirect,
                                              Metric::kWaitsPropagating,
                                              Metric::kWaitsTerminal,
                                              Metric::kCriticalPath,
                                              Metric::kCriticalPathImbalance,
                                              Metric::kImbalanceImpact,
                                              Metric::kIntraPartitionImbalance,
                                              Metric::kInterPartitionImbalance,
                                              Metric::kNonCriticalPathActivities};

  // Smallest value at a call path of a location.
  double smallest(Metric metric) const {
    double smallest = 0;
    found_.for_each_value([&](Metric of, PathIndex, const AnalysedThread&, double value) {
      if (of == metric) smallest = std::min(smallest, value);
    });
    return smallest > -1e-9 ? 0 : smallest;
  }

  void expect_time_is_complete() const {
    EXPECT_DOUBLE_EQ(total(Metric::kTime), allocation());
    EXPECT_DOUBLE_EQ(total(Metric::kComputation) + total(Metric::kMpi), allocation());
    EXPECT_LE(waits(), total(Metric::kMpi));
  }

  void expect_costs_match_waits() const {
    EXPECT_NEAR(total(Metric::kDelayLateSenderAll), total(Metric::kLateSender), 1e-9);
    EXPECT_NEAR(total(Metric::kDelayLateReceiverAll), total(Metric::kLateReceiver), 1e-9);
    EXPECT_NEAR(total(Metric::kDelayBarrierAll), total(Metric::kBarrierWait), 1e-9);
    EXPECT_NEAR(total(Metric::kDelayAllToAllAll), total(Metric::kNxnWait), 1e-9);
    EXPECT_NEAR(total(Metric::kDelayOneToAllAll), total(Metric::kLateBroadcast), 1e-9);
    EXPECT_NEAR(total(Metric::kDelayAllToOneAll), total(Metric::kEarlyReduce), 1e-9);
  }

  void expect_partitions_of_waits() const {
    const double messages = total(Metric::kLateSender) + total(Metric::kLateReceiver);
    EXPECT_NEAR(total(Metric::kWaitsDirect) + total(Metric::kWaitsIndirect), messages, 1e-9);
    EXPECT_NEAR(total(Metric::kWaitsPropagating) + total(Metric::kWaitsTerminal), messages, 1e-9);
    EXPECT_NEAR(total(Metric::kWaitsDirectOrIndirect), messages, 1e-9);
    EXPECT_NEAR(total(Metric::kWaitsPropagatingOrTerminal), messages, 1e-9);
  }

  // One piece after the other from the start of the run to its end.
  void expect_path_is_complete() const {
    EXPECT_DOUBLE_EQ(total(Metric::kCriticalPath), span());
    std::istringstream lines(found_.result().critical_path);
    std::string line;
    std::getline(lines, line);
    double at = 0;
    while (std::getline(lines, line)) {
      const std::size_t comma = line.find(',');
      EXPECT_EQ(std::stod(line), at) << line;
      at = std::stod(line.substr(comma + 1));
    }
    EXPECT_EQ(at, span());
  }

  void expect_impact_is_complete() const {
    EXPECT_NEAR(total(Metric::kPerformanceImpact), allocation(), 1e-9);
    EXPECT_NEAR(total(Metric::kImbalanceImpact), waits(), 1e-9);
    EXPECT_NEAR(total(Metric::kIntraPartitionImbalance) + total(Metric::kInterPartitionImbalance),
                total(Metric::kImbalanceImpact), 1e-9);
  }

  FigureTrace trace_;
  AnalysisOf found_;
};

}  // namespace tarry
