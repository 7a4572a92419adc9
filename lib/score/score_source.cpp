// score_source.cpp -- finds the report, the clock and the costs that an estimate is made of.
#include "score/score_source.hpp"

#include <utility>

#include "archive/files/manifest.hpp"
#include "archive/files/names.hpp"
#include "base/files/file.hpp"
#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "summary/measure_costs.hpp"

namespace tarry {

Result<ScoreSource> find_score_source(const std::string& input) {
  ScoreSource source;
  source.report = input;
  std::string archive = input;
  if (is_directory(input)) {
    source.report = input + "/" + names::kSummary;
    if (!path_exists(source.report) && path_exists(input + "/profile.cubex")) source.report = input + "/profile.cubex";
    if (!path_exists(source.report)) return Error{input, "holds no summary", "record one with tarry measure -s"};
  } else {
    const std::size_t slash = input.rfind('/');
    archive = slash == input.npos ? "." : input.substr(0, slash);
  }
  if (!path_exists(archive + "/" + names::kManifest)) return source;
  TARRY_TRY(check_manifest_facts(archive));
  const auto manifest = read_manifest(archive);
  if (manifest.ok() && manifest.value().ticks_per_second > 0)
    source.model.ticks_per_second = manifest.value().ticks_per_second;
  return source;
}

Result<DilationModel> find_dilation_model(const ReportStructure& report, const ScoreOptions& options) {
  DilationModel model;
  model.facts = read_recording_facts(report.attributes);
  if (model.facts.costs) {
    model.costs = *model.facts.costs;
    model.source = "measured on " + printable(model.costs.machine) + " when the run was over";
  } else if (options.event_seconds <= 0) {
    auto costs = measure_recording_costs("", "");
    if (!costs.ok())
      return Error{printable(options.input),
                   "has no costs of recording, and none can be measured: " + costs.error().why,
                   "name one: --cost-per-event 20ns"};
    model.costs = std::move(costs.value());
    model.source = "measured on this machine now: the report has none";
  }
  if (options.event_seconds <= 0) return model;
  model.source = "--cost-per-event " + format_seconds(options.event_seconds);
  for (std::size_t kind = 0; kind < kCostKinds; ++kind) {
    const auto what = static_cast<CostKind>(kind);
    if (what == CostKind::kFiltered || what == CostKind::kBusyFiltered) continue;
    const double events = what == CostKind::kByte ? 0 : what == CostKind::kRecord ? 1 : what == CostKind::kFile ? 4 : 2;
    model.costs.seconds[kind].fill(events * options.event_seconds);
  }
  return model;
}

}  // namespace tarry
