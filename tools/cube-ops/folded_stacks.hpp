// folded_stacks.hpp -- a call tree as collapsed stacks, the input of flame graphs: "main;solve;MPI_Send 1234".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "report/algebra/cube_source.hpp"
#include "report/algebra/metric_totals.hpp"

namespace tarry {

/// A name in a stack: printable, ';' as "\x3b", and "step 3" as "step_3", because flamegraph.pl takes a number after a
/// blank for a weight.
std::string stack_name(std::string_view name);

/// Weights of times are nanoseconds, others are rounded.
std::string_view weight_unit(const ReportMetric& metric);

struct FoldedWishes {
  double least = 0;  // absolute, calls included; what is below counts in its caller
  std::uint32_t depth = 0xffffffffu;
  bool has_full_names = false;
};

struct FoldedStacks {
  std::string text;          // a line per stack; those of equal names are one
  std::size_t left_out = 0;  // stacks of negative weight, which a flame graph cannot show
};

/// Levels of a stack; deeper calls count in the last one.
inline constexpr std::uint32_t kMostFrames = 1024;

FoldedStacks folded_stacks(const CubeSource& report, MetricId metric, const MetricTotals& totals,
                           const FoldedWishes& wishes);

}  // namespace tarry
