// dilation.cpp -- from visits, measured costs and the time without them to what recording adds.
#include "score/dilation.hpp"

#include <algorithm>
#include <cmath>

namespace tarry {
namespace {

constexpr double kLeastPart = 0.01;     // of the measured time: errors of the costs must not make the rest negative
constexpr Seconds kBusySeconds = 8e-9;  // from there on what hooks keep from overlapping no longer grows

double sum_over_paths(std::size_t paths, auto value) {
  double sum = 0;
  for (std::uint32_t path = 0; path < paths; ++path) sum += value(path);
  return sum;
}

}  // namespace

std::string_view name_of(FilterPlace place) {
  return place == FilterPlace::kRunTime ? "at run time" : "at compile time";
}

Dilation::Dilation(const ScoreTable& table, const ReportStructure& report, const DilationModel& model)
    : table_(table), report_(report), costs_(model.costs), stretch_(model.facts.stretch) {
  find_busy_paths(model.facts.mode);
  double calls = 0;
  for (std::uint32_t path = 0; path < table.costs.size(); ++path)
    if (table.kinds[report.call_paths[path].region] == CostKind::kCall) calls += table.costs[path].visits;
  if (calls > 0) lookup_seconds_ = model.facts.lookup_seconds / calls;
  Seconds most = 0;
  for (std::uint32_t process = 0; process < table.buffers.size(); ++process) {
    measured_ = std::max(measured_, table.seconds[process]);
    most = std::max(most, sum_over_paths(table.costs.size(), [&](std::uint32_t path) {
                      return recorded_in_run(process, path, model.facts.mode);
                    }));
  }
  undilated_ = model.facts.is_known ? std::max(measured_ - most, kLeastPart * measured_) : measured_;
}

// By the exclusive time of a visit. That holds about one half of what its hooks take, and of what those of its callees
// take.
void Dilation::find_busy_paths(RecordingMode mode) {
  std::vector<double> hooks(table_.costs.size());
  for (std::uint32_t path = 0; path < hooks.size(); ++path) {
    const double visits = table_.costs[path].visits;
    const CallPathId parent = report_.call_paths[path].parent;
    hooks[path] += visits;
    if (parent.is_valid()) hooks[parent.value] += visits;
  }
  for (std::uint32_t path = 0; path < hooks.size(); ++path) {
    const ScoreCost& cost = table_.costs[path];
    const Seconds work = cost.seconds - hooks[path] * costs_.of(CostKind::kFunction, mode) / 2;
    busy_.push_back(cost.visits > 0 ? std::clamp(work / cost.visits / kBusySeconds, 0.0, 1.0) : 0);
  }
}

Seconds Dilation::cost_of_visit(std::uint32_t path, CostKind small, CostKind busy, RecordingMode mode) const {
  return std::lerp(costs_.of(small, mode), costs_.of(busy, mode), busy_[path]);
}

// While the program runs; a trace is written when it is over.
Seconds Dilation::recorded_in_run(std::uint32_t process, std::uint32_t path, RecordingMode mode) const {
  const CostKind kind = table_.kinds[report_.call_paths[path].region];
  const double visits = table_.visits[process][path];
  const CostKind busy = kind == CostKind::kFunction ? CostKind::kBusyFunction : kind;
  Seconds seconds = visits * cost_of_visit(path, kind, busy, mode);
  if (kind != CostKind::kFile) seconds += table_.records[process][path] * costs_.of(CostKind::kRecord, mode);
  return seconds * stretch_ + (kind == CostKind::kCall ? visits * lookup_seconds_ : 0);
}

Seconds Dilation::recorded(std::uint32_t process, std::uint32_t path, RecordingMode mode) const {
  return recorded_in_run(process, path, mode) +
         table_.buffers[process][path] * costs_.of(CostKind::kByte, mode) * stretch_;
}

Seconds Dilation::filtered(std::uint32_t process, std::uint32_t path, FilterPlace place) const {
  if (place == FilterPlace::kCompileTime) return 0;
  return table_.visits[process][path] * stretch_ *
         cost_of_visit(path, CostKind::kFiltered, CostKind::kBusyFiltered, RecordingMode::kTrace);
}

}  // namespace tarry
