// filter_proposal.hpp -- which regions to leave out so that a trace becomes small and cheap enough.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "defs/region_filter.hpp"
#include "score/dilation.hpp"
#include "report/tree/report.hpp"
#include "score/score_options.hpp"
#include "score/score_table.hpp"

namespace tarry {

/// What remains of a recording without some regions.
struct ScoreTotals {
  ScoreCost all;
  double largest_buffer = 0;  // bytes of the process that needs most
  std::int64_t largest_rank = 0;
  /// Time that recording adds, as a fraction of the time without it: in the process where it is most.
  std::array<std::array<double, kRecordingModes>, kFilterPlaces> dilation{};

  double dilation_of(FilterPlace place, RecordingMode mode) const {
    return dilation[static_cast<std::size_t>(place)][static_cast<std::size_t>(mode)];
  }
};

/// Totals without the regions for which `is_dropped[region]`.
ScoreTotals totals_without(const ScoreTable& table, const ReportStructure& report, const Dilation& dilation,
                           const std::vector<bool>& is_dropped);

struct FilterProposal {
  std::vector<bool> is_dropped;               // [region]
  FilterPlace place = FilterPlace::kRunTime;  // where the filter has to take effect for the targets
};

/// Regions to leave out so that the targets of `options` are met, and no more. Pure user functions that cost most for
/// the time spent in them come first. Functions on the way to MPI or OpenMP follow only if that is not enough. Regions
/// that run shorter than min_time_per_visit go in any case. What filters leave out at run time still costs a little. If
/// that is too much, the filter is one for the compiler. May miss the targets all the same: MPI and OpenMP stay.
FilterProposal propose_filter(const ScoreTable& table, const ReportStructure& report, const Dilation& dilation,
                              const ScoreOptions& options);

/// Regions that a filter leaves out.
std::vector<bool> apply_filter(const RegionFilter& filter, const ScoreTable& table, const ReportStructure& report);

/// Tells of rules that match no function of the report; empty if there are none.
std::string unused_rules_text(const RegionFilter& filter, const ScoreTable& table, const ReportStructure& report);

/// The text of a filter file that leaves out these regions; `remark` becomes comment lines.
std::string filter_text(const ReportStructure& report, const std::vector<bool>& is_dropped, const std::string& remark);

}  // namespace tarry
