// score_text.hpp -- prints what a trace would need.
#pragma once

#include <string>
#include <vector>

#include "score/filter_proposal.hpp"

namespace tarry {

/// Everything that is printed is about one report, with or without some of its regions.
struct ScoreView {
  const ScoreTable& table;
  const ReportStructure& report;
  const ScoreOptions& options;
  const DilationModel& model;
  const Dilation& dilation;
  std::vector<bool> is_dropped;               // [region]
  FilterPlace place = FilterPlace::kRunTime;  // where the filter has to take effect
  std::string filter;                         // its file; empty if there is none
};

/// With the filter of the view, or without.
ScoreTotals totals_of(const ScoreView& view, bool is_filtered);

/// Totals, classes and the table of regions or call paths, for people.
std::string score_as_text(const ScoreView& view);

/// The same as CSV: kind,name,class,filtered,events,buffer_bytes,largest_buffer_bytes,disk_bytes,visits,time,
/// added_time,undilated_time,dilation_trace,dilation_summary,dilation_both.
std::string score_as_csv(const ScoreView& view);

/// The description of a filter file in itself, as comment lines.
std::string filter_remark(const ScoreView& view);

/// "12.4 MB": binary multiples, as --memory understands them.
std::string format_size(double bytes);

/// A size for --memory that holds the largest buffer: whole blocks for each thread, and something to spare.
std::string memory_to_request(const ScoreView& view);

}  // namespace tarry
