// analysed_patterns.cpp -- the trace of what a replay finds: it is analysed, and each wait, delay and stretch of the
// critical path is an event.
#include "convert/patterns/analysed_patterns.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "archive/files/output_folder.hpp"
#include "base/text/format.hpp"
#include "replay/matching/match_messages.hpp"
#include "report/tree/path_text.hpp"

namespace tarry {
namespace {

struct PatternFormat {
  const char* name;
  Status (*write)(Conversion&, const AnalysedPatterns&);
};

constexpr PatternFormat kPatternFormats[] = {
    {"csv", write_patterns_as_csv},           {"jsonl", write_patterns_as_jsonl},
    {"perfetto", write_patterns_as_perfetto}, {"paraver", write_patterns_as_paraver},
    {"otf2", write_patterns_as_otf2},
};

}  // namespace

Result<std::unique_ptr<AnalysedPatterns>> AnalysedPatterns::create(Conversion& conversion) {
  const MergeOptions& options = conversion.options;
  TARRY_TRY_ASSIGN(selection, read_selection(options.selection, conversion.source.definitions()));
  MetricSelection metrics;
  if (!options.patterns.empty()) {
    TARRY_TRY_ASSIGN(wanted, MetricSelection::parse(options.patterns));
    metrics = std::move(wanted);
  }
  std::unique_ptr<AnalysedPatterns> patterns(new AnalysedPatterns());
  patterns->analyse(conversion, metrics);
  patterns->select(selection, metrics);
  patterns->name_paths();
  return patterns;
}

void AnalysedPatterns::analyse(Conversion& conversion, const MetricSelection& metrics) {
  const std::size_t most = conversion.options.most_patterns;
  AnalysisOptions wanted = options_for_patterns(most ? most : std::numeric_limits<std::size_t>::max());
  wanted.metrics = metrics;
  wanted.progress = &conversion.progress;
  trace_ = std::make_unique<Trace>(conversion.source, exchange_, conversion.workers, TimeSelector(),
                                   wanted.compatibility.kept_details());
  match_messages(*trace_, wanted.compatibility.match_order());
  LockLogs locks = trace_->take_locks();
  analysis_ = tarry::analyse(*trace_, std::move(locks), wanted).result;
}

void AnalysedPatterns::select(const Selection& selection, const MetricSelection& metrics) {
  events_ = list_patterns(*trace_, analysis_, [&](const PatternEvent& event) {
    return metrics.is_wanted(event.metric) && event.begin <= selection.end && event.end >= selection.begin &&
           event.end - event.begin >= selection.min_duration &&
           (selection.keeps_rank.empty() || selection.keeps_rank[place_of(event.location).rank]);
  });
  std::set<Metric, InReportOrder> found;
  for (const PatternEvent& event : events_.all) found.insert(event.metric);
  patterns_.assign(found.begin(), found.end());
}

PatternPlace AnalysedPatterns::place_of(LocationId location) const {
  const Location& at = definitions().locations[location.value];
  return {definitions().processes[at.process.value].rank, at.thread};
}

LocationId AnalysedPatterns::cause_of(const PatternEvent& event) const {
  if (!event.wait || !event.wait->cause.rank.is_valid()) return {};
  return trace_->location_of(event.wait->cause.rank, event.wait->cause.thread);
}

void AnalysedPatterns::name_paths() {
  path_texts_.resize(analysis_.tree.size());
  const auto parent_of = [&](PathIndex at) { return analysis_.tree[at].parent; };
  const auto name_of = [&](PathIndex at) {
    return std::string_view(trace_->regions().name(analysis_.tree[at].region));
  };
  const auto name = [&](PathIndex path) {
    if (path != kNoPath && path_texts_[path].empty()) path_texts_[path] = path_text(path, kNoPath, parent_of, name_of);
  };
  for (const PatternEvent& event : events_.all) {
    name(event.path);
    if (!event.wait) continue;
    name(event.wait->delay_path);
    name(event.wait->cause.path);
  }
}

std::string AnalysedPatterns::left_out() const {
  std::string text;
  for (const auto& [metric, kind] : analysis_.instances) {
    const std::uint64_t count = kind.statistics.count() - kind.worst.size();
    if (count == 0) continue;
    double kept = 0;
    for (const WaitInstance& wait : kind.worst) kept += static_cast<double>(wait.wait);
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + info_of(metric).unique_name + " (" +
            format_seconds(seconds(kind.statistics.sum() - kept)) + ")";
  }
  return text;
}

namespace {

// Before an analysis that may take long.
Status check_pattern_output(const MergeOptions& options) {
  if (options.to == "paraver" && options.output == "-")
    return Error{"-", "a Paraver trace is three files", "name the .prv file"};
  if (options.to == "otf2") TARRY_TRY(OutputFolder::create(options.output));
  return {};
}

}  // namespace

std::string track_title(const PatternTrack& track, std::uint32_t thread) {
  static constexpr const char* kLayers[] = {"wait states", "delays", "critical path"};
  std::string title = kLayers[static_cast<int>(track.layer)];
  if (thread > 0) title += ", thread " + std::to_string(thread);
  if (track.number > 0) title += " (" + std::to_string(track.number + 1) + ")";
  return title;
}

Status write_patterns(Conversion& conversion) {
  const auto* const format = std::ranges::find(kPatternFormats, conversion.options.to, &PatternFormat::name);
  TARRY_TRY(check_pattern_output(conversion.options));
  TARRY_TRY_ASSIGN(patterns, AnalysedPatterns::create(conversion));
  conversion.progress.begin("writing patterns");
  TARRY_TRY(format->write(conversion, *patterns));
  conversion.left_out_patterns = patterns->left_out();
  return {};
}

}  // namespace tarry
