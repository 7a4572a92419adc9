// dilation.hpp -- how much longer a run takes when it is recorded (docs/METRICS.md, "Dilation").
#pragma once

#include <array>
#include <string>
#include <vector>

#include "report/metrics/recording_costs.hpp"
#include "report/tree/report.hpp"
#include "score/score_table.hpp"

namespace tarry {

/// Where a filter takes effect: in hooks that look and return, or in the compiler, which inserts none.
enum class FilterPlace : std::uint8_t { kRunTime, kCompileTime, kCount };
inline constexpr std::size_t kFilterPlaces = static_cast<std::size_t>(FilterPlace::kCount);

/// "at run time", "at compile time".
std::string_view name_of(FilterPlace place);

/// What recording costs, and what the recording that made the report has cost.
struct DilationModel {
  RecordingCosts costs;
  RecordingFacts facts;  // of the report; if they are not known, nothing is taken off the measured time
  std::string source;    // of the costs: "measured on node1 when the run was over"
};

class Dilation {
 public:
  Dilation(const ScoreTable& table, const ReportStructure& report, const DilationModel& model);

  /// Of the run without recording: what its longest process took, less what the process that recorded most spent on it.
  Seconds undilated() const { return undilated_; }
  Seconds measured() const { return measured_; }

  /// Most of the measured time was spent on recording: what is left of it is not well known.
  bool is_uncertain() const { return undilated_ < measured_ / 3; }

  /// What recording the visits of a call path adds to its process.
  Seconds recorded(std::uint32_t process, std::uint32_t path, RecordingMode mode) const;
  /// The same if a filter leaves out its region.
  Seconds filtered(std::uint32_t process, std::uint32_t path, FilterPlace place) const;

  double fraction(Seconds added) const { return undilated_ > 0 ? added / undilated_ : 0; }

 private:
  void find_busy_paths(RecordingMode mode);
  Seconds cost_of_visit(std::uint32_t path, CostKind small, CostKind busy, RecordingMode mode) const;
  Seconds recorded_in_run(std::uint32_t process, std::uint32_t path, RecordingMode mode) const;

  const ScoreTable& table_;
  const ReportStructure& report_;
  const RecordingCosts& costs_;
  std::vector<double> busy_;    // [call path] from 0, functions that do next to nothing, to 1
  double stretch_ = 1;          // of times, since others had the processors, too
  Seconds lookup_seconds_ = 0;  // of the stack, for each call of a library
  Seconds measured_ = 0, undilated_ = 0;
};

}  // namespace tarry
