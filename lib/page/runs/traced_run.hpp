// traced_run.hpp -- the trace of a run, read and analysed once for all that the page tells of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/analysis.hpp"
#include "base/text/ranges.hpp"
#include "base/result.hpp"
#include "page/runs/explored_run.hpp"
#include "replay/trace.hpp"

namespace tarry {

/// Simulations take longer than a replay. The page of a longer trace has none unless the user says so.
inline constexpr std::uint64_t kEventsOfShortTrace = 500'000;

/// What the page shall tell of traces.
struct TraceRequest {
  bool wants_timeline = true;
  std::optional<std::uint64_t> what_ifs = {};  // delays, and as many regions; none: some of a short trace
  bool is_redacted = false;
  std::vector<TimeWindow> windows = {};  // of the timeline, that are asked for
  unsigned workers = 0;                  // 0: all processors

  bool wants_what_ifs() const { return what_ifs != 0; }
  bool wants_trace() const { return wants_timeline || wants_what_ifs(); }
};

class TracedRun {
 public:
  /// Nothing if it holds no events, or if it is long and no more than simulations was asked for. Fails if it cannot be
  /// read, or if it is not the trace of the report.
  static Result<std::unique_ptr<TracedRun>> read(const ExploredRun& run, const TraceRequest& request);

  /// Messages are matched, locks are held, and visits are logged if a timeline is wanted.
  const Trace& trace() const { return *trace_; }

  /// With its causes; with single waits and the critical path if a timeline is wanted.
  Analysis& analysis() { return *analysis_; }
  const Analysis& analysis() const { return *analysis_; }

  /// [unified path]: its number on the page.
  const std::vector<std::uint32_t>& paths() const { return paths_; }
  const Definitions& definitions() const { return source_->definitions(); }

  /// The rows of a timeline: of each location, its number on the page.
  const std::vector<std::uint32_t>& locations() const { return locations_; }
  std::uint64_t events() const;

  /// What people must know of it: clocks that do not agree, and what could not be read. `name`: of the input.
  std::vector<std::string> notes(const std::string& name) const;

 private:
  Exchange exchange_;
  std::string input_;
  std::unique_ptr<Source> source_;
  std::unique_ptr<Trace> trace_;
  std::unique_ptr<Analysis> analysis_;
  std::vector<std::uint32_t> paths_, locations_;
};

}  // namespace tarry
