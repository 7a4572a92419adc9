// analysed_patterns.hpp -- the trace of what a replay finds: it is analysed, and each wait, delay and stretch of the
// critical path is an event.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/patterns/pattern_events.hpp"
#include "convert/convert.hpp"
#include "exchange/exchange.hpp"
#include "convert/selected_source.hpp"

namespace tarry {

/// A thread as people name it.
struct PatternPlace {
  std::uint32_t rank = 0, thread = 0;
};

class AnalysedPatterns {
 public:
  /// Reads and analyses the trace of a conversion. Keeps what the options select.
  static Result<std::unique_ptr<AnalysedPatterns>> create(Conversion& conversion);

  const PatternEvents& events() const { return events_; }
  const Definitions& definitions() const { return trace_->definitions(); }

  PatternPlace place_of(LocationId location) const;
  /// Who was waited for, and where. Invalid if that is not known.
  LocationId cause_of(const PatternEvent& event) const;

  /// "main/solve/MPI_Recv"; empty for kNoPath.
  const std::string& text_of(PathIndex path) const { return path == kNoPath ? no_path_ : path_texts_[path]; }
  /// Paths are below this; those that no event has are empty.
  PathIndex path_count() const { return static_cast<PathIndex>(path_texts_.size()); }

  double seconds(double ticks) const { return ticks / definitions().clock.ticks_per_second; }

  /// The metrics that events have, in the order of reports.
  const std::vector<Metric>& patterns() const { return patterns_; }

  /// "12 mpi_latesender (1.5 ms)": waits that are not kept, for there are more than the user wants; empty if there are
  /// none.
  std::string left_out() const;

 private:
  AnalysedPatterns() = default;
  void analyse(Conversion& conversion, const MetricSelection& metrics);
  void select(const Selection& selection, const MetricSelection& metrics);
  void name_paths();

  Exchange exchange_;
  std::unique_ptr<Trace> trace_;
  AnalysisResult analysis_;
  PatternEvents events_;
  std::vector<Metric> patterns_;
  std::vector<std::string> path_texts_;  // of those that events have
  const std::string no_path_;
};

/// "wait states", "delays, thread 1", "critical path"; a second track of the same has " (2)".
std::string track_title(const PatternTrack& track, std::uint32_t thread);

/// Writes the patterns of a trace in the format that the options name.
Status write_patterns(Conversion& conversion);

/// Files of each format.
Status write_patterns_as_csv(Conversion& conversion, const AnalysedPatterns& patterns);
Status write_patterns_as_jsonl(Conversion& conversion, const AnalysedPatterns& patterns);
Status write_patterns_as_perfetto(Conversion& conversion, const AnalysedPatterns& patterns);
Status write_patterns_as_paraver(Conversion& conversion, const AnalysedPatterns& patterns);
Status write_patterns_as_otf2(Conversion& conversion, const AnalysedPatterns& patterns);

}  // namespace tarry
