// gain_table.hpp -- what a program would gain if its delays and heaviest regions were gone, or faster.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "prediction/simulation/machine.hpp"
#include "prediction/simulation/simulate.hpp"
#include "base/units.hpp"
#include "prediction/listed_delays.hpp"
#include "replay/trace.hpp"

namespace tarry {

/// How much of the work is taken away, and how that is called.
struct GainPoint {
  const char* name;     // in JSON and CSV
  const char* heading;  // for people
  double strength;
};
inline constexpr std::array<GainPoint, 4> kGainPoints{{{"gone", "gone", 1},
                                                       {"faster_100", "100 % faster", 1 - 1 / 2.0},
                                                       {"faster_50", "50 % faster", 1 - 1 / 1.5},
                                                       {"faster_10", "10 % faster", 1 - 1 / 1.1}}};

enum class TableFormat : std::uint8_t { kText, kJson, kCsv };

struct GainOptions {
  std::size_t most = 10;  // delays, and as many regions
  bool is_whole = false;
  TableFormat format = TableFormat::kText;  // for those who print it
};

/// What is gained of the run if a delay or a region takes less time.
struct GainRow {
  std::optional<ListedDelay> delay = {};  // none: a region
  std::size_t number = 0;                 // of the delay
  std::string name;
  Seconds cost = 0;  // of a delay: waiting elsewhere. Of a region: what all threads compute in it
  std::array<Seconds, kGainPoints.size()> gain{};
};

struct GainTable {
  std::vector<GainRow> rows;  // the largest gain first
  Seconds predicted = 0;      // on the machine, without gains
  Seconds traced = 0;
  SimulationOutcome outcome;  // also counts the waits that are left out
};

/// The machine's other changes hold for all rows. The trace has matched messages, holds its locks, and is held by one
/// analysis process.
GainTable make_gain_table(const Trace& trace, const Machine& machine, const GainOptions& options);

/// The gains in a trace that has been analysed for options_for_delays(); takes the result of the analysis.
GainTable make_gain_table(Analysis& analysis, const Machine& machine, const GainOptions& options);

/// The table for people.
std::string gain_text(const GainTable& table);

/// One object.
std::string gain_json(const GainTable& table);

/// A row for each delay and region.
std::string gain_csv(const GainTable& table);

}  // namespace tarry
