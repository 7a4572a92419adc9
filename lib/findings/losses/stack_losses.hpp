// stack_losses.hpp -- stacks without their outermost functions, and functions without names, as a report tells them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "defs/cut_stacks.hpp"
#include "report/algebra/metric_totals.hpp"
#include "report/tree/report.hpp"

namespace tarry {

struct StackLosses {
  std::uint64_t stacks = 0;  // that were looked at
  std::array<std::uint64_t, kCutStackReasons> cut{};
  std::string module;           // the one whose functions are at the end of most stacks, without unwind information
  std::uint64_t in_module = 0;  // of so many

  std::uint64_t all_cut() const;
  double share() const;
};

/// None if no stack was cut.
std::optional<StackLosses> read_stack_losses(const ReportStructure& report);

/// "STACKS CUT: 12.0% (24 of 200) lack their outermost functions: 24 in code made at run time". Empty where hardly any
/// are.
std::string stack_losses_text(const StackLosses& losses);

/// Functions that are known by their addresses only, like "libfoo.so+0x11b0".
struct MissingNames {
  std::size_t functions = 0;
  double share = 0;          // of the time: in them, and in what they call
  std::string module;        // the file with the most of them
  bool lacks_libdw = false;  // where a process ran that could not look for names
};
MissingNames find_missing_names(const Report& report, const MetricTotals& times);

/// One line on it and on what helps; empty where it matters to hardly any of the time.
std::string missing_names_text(const MissingNames& names);

}  // namespace tarry
