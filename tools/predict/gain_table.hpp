// gain_table.hpp -- what a program would gain if its delays and heaviest regions were gone, or faster.
#pragma once

#include <cstddef>
#include <string>

#include "analysis/simulation/machine.hpp"
#include "analysis/simulation/simulate.hpp"
#include "replay/trace.hpp"

namespace tarry {

enum class TableFormat : std::uint8_t { kText, kJson, kCsv };

struct GainOptions {
  std::size_t most = 10;  // delays, and as many regions
  bool is_whole = false;
  TableFormat format = TableFormat::kText;
};

/// The table as text. The machine's other changes hold for all its rows. Also counts the waits that are left out.
struct GainTable {
  std::string text;
  SimulationOutcome outcome;
};
GainTable make_gain_table(const Trace& trace, const Machine& machine, const GainOptions& options);

}  // namespace tarry
