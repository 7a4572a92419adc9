// dilation.cpp -- from visits, measured costs and the time without them to what recording adds.
#include "dilation.hpp"

#include <algorithm>

namespace tarry {
namespace {

constexpr double kLeastPart = 0.01;  // of the measured time: errors of the costs must not make the rest negative

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

// While the program runs; a trace is written when it is over.
Seconds Dilation::recorded_in_run(std::uint32_t process, std::uint32_t path, RecordingMode mode) const {
  const CostKind kind = table_.kinds[report_.call_paths[path].region];
  const double visits = table_.visits[process][path];
  Seconds seconds = visits * costs_.of(kind, mode);
  if (kind != CostKind::kFile) seconds += table_.records[process][path] * costs_.of(CostKind::kRecord, mode);
  return seconds * stretch_ + (kind == CostKind::kCall ? visits * lookup_seconds_ : 0);
}

Seconds Dilation::recorded(std::uint32_t process, std::uint32_t path, RecordingMode mode) const {
  return recorded_in_run(process, path, mode) +
         table_.buffers[process][path] * costs_.of(CostKind::kByte, mode) * stretch_;
}

Seconds Dilation::filtered(std::uint32_t process, std::uint32_t path, FilterPlace place) const {
  if (place == FilterPlace::kCompileTime) return 0;
  return table_.visits[process][path] * costs_.of(CostKind::kFiltered, RecordingMode::kTrace) * stretch_;
}

}  // namespace tarry
