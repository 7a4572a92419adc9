// closing_lines.cpp -- what a measurement prints at its end.
#include "closing_lines.hpp"

#include <cstdio>

#include "base/text/format.hpp"
#include "base/text/function_name.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/metric_totals.hpp"
#include "report/tree/metric_tree.hpp"
#include "report/algebra/shown_regions.hpp"
#include "report/metrics/time_classes.hpp"

namespace tarry {
namespace {

constexpr std::size_t kPathWidth = 60;

// A part of the time that the headline names. Parts do not overlap.
struct TimePart {
  const char* name;
  bool (*holds)(TimeClass);
  bool is_programs_choice;  // else it costs much in short runs and tells nothing
};

constexpr TimePart kTimeParts[] = {
    {"MPI", [](TimeClass kind) { return is_mpi(kind) && kind != TimeClass::kManagement; }, true},
    {"MPI management", [](TimeClass kind) { return kind == TimeClass::kManagement; }, false},
    {"OpenSHMEM", [](TimeClass kind) { return kind == TimeClass::kShmem; }, true},
    {"OpenMP", [](TimeClass kind) { return kind == TimeClass::kOpenMp; }, true},
    {"idle threads", [](TimeClass kind) { return kind == TimeClass::kIdle; }, false},
    {"POSIX threads", [](TimeClass kind) { return kind == TimeClass::kThreads; }, true},
    {"file I/O", [](TimeClass kind) { return kind == TimeClass::kOwnFileIo; }, true},
    {"accelerators", [](TimeClass kind) { return kind == TimeClass::kAccelerator; }, true},
    {"blocked", [](TimeClass kind) { return kind == TimeClass::kBlocked; }, false},
};

Seconds time_of(const TimePart& part, const TimeShares& shares) {
  Seconds sum = 0;
  for (std::size_t kind = 0; kind < kTimeClasses; ++kind)
    if (part.holds(static_cast<TimeClass>(kind))) sum += shares.seconds[kind];
  return sum;
}

// "31.2% MPI, 12.0% OpenMP": what is at least a thousandth; the computation if nothing is.
std::string parts_text(const TimeShares& shares) {
  constexpr double kLeast = 0.001;
  std::string text;
  for (const TimePart& part : kTimeParts) {
    const double share = shares.total > 0 ? time_of(part, shares) / shares.total : 0;
    if (share >= kLeast) text += (text.empty() ? "" : ", ") + format_percent(share) + " " + part.name;
  }
  if (!text.empty() || shares.total <= 0) return text;
  return format_percent(shares.of(TimeClass::kComputation) / shares.total) + " computation";
}

// The call path with the most time among all that are of the largest part.
CallPathId largest_path(const ReportStructure& structure, const TimeShares& shares, const MetricTotals& time) {
  const TimePart* most = nullptr;
  for (const TimePart& part : kTimeParts)
    if (part.is_programs_choice && (!most || time_of(part, shares) > time_of(*most, shares))) most = &part;
  CallPathId largest;
  for (std::size_t path = 0; path < time.exclusive.size(); ++path) {
    const ReportRegion& region = structure.regions[structure.call_paths[path].region];
    if (!most->holds(time_class(region)) || time.exclusive[path] <= 0) continue;
    if (!largest.is_valid() || time.exclusive[path] > time.exclusive[largest.value]) largest = CallPathId(path);
  }
  return largest;
}

std::string people(const Recorded& recorded) {
  std::string text = format_count(recorded.processes, "process", "processes");
  return recorded.threads > recorded.processes ? text + " with " + format_count(recorded.threads, "thread") : text;
}

}  // namespace

std::string where_line(const std::string& archive, const Recorded& recorded) {
  const char* what = recorded.has_trace && recorded.has_summary ? "a summary and a trace"
                     : recorded.has_trace                       ? "a trace"
                     : recorded.has_summary                     ? "a summary"
                                                                : "neither a summary nor a trace";
  return archive + " holds " + what + " of " + people(recorded);
}

std::string summary_line(const CubeSource& summary) {
  const ReportStructure& structure = summary.structure();
  const MetricId time_metric = find_metric(structure, "time");
  if (!time_metric.is_valid()) return "no time was recorded in any region";
  const TimeShares shares = time_shares(summary);
  std::string line =
      format_cpu_time(shares.total) + " in " + format_count(structure.processes.size(), "process", "processes");
  if (const std::string parts = parts_text(shares); !parts.empty()) line += ": " + parts;
  const MetricTotals time = total_of(summary, time_metric);
  const CallPathId path = largest_path(structure, shares, time);
  if (!path.is_valid()) return line;
  const ReportCallPath& facts = structure.call_paths[path.value];
  line += "; most in " + function_name(structure.regions[facts.region].name);
  if (facts.parent.is_valid())
    line += " under " + shorten_path(short_path_texts({call_path_text(structure, facts.parent)})[0], kPathWidth);
  return line + " (" + format_seconds(time.exclusive[path.value]) + ")";
}

std::string trace_line(const Recorded& recorded) {
  if (!recorded.has_trace) return "a summary is lost with its process; a trace survives up to the last event";
  std::string line = format_count(recorded.events, "event");
  if (recorded.events == 0) return line;
  char bytes[32];
  std::snprintf(bytes, sizeof bytes, "%.1f",
                static_cast<double>(recorded.event_bytes) / static_cast<double>(recorded.events));
  return line + ", " + bytes + " bytes each on disk";
}

std::string call_path_line(const Recorded& recorded) {
  if (recorded.call_path_stacks == 0) return "";
  std::string line = "call paths cost " + format_cpu_time(static_cast<double>(recorded.call_path_nanoseconds) * 1e-9) +
                     ": " + format_count(recorded.call_path_stacks, "stack");
  if (recorded.call_paths_truncated > 0)
    line += "; " + std::to_string(recorded.call_paths_truncated) + " of them lack their outermost functions";
  return line;
}

std::string sample_line(const Recorded& recorded) {
  if (!recorded.samples) return "";
  const SampleFigures& samples = *recorded.samples;
  std::string line = format_count(samples.taken, "sample") + " cost " +
                     format_cpu_time(static_cast<double>(samples.nanoseconds) * 1e-9);
  std::string others;
  if (samples.inside_calls > 0) others = std::to_string(samples.inside_calls) + " inside recorded calls were left out";
  if (samples.lost > 0) others += (others.empty() ? "" : ", ") + std::to_string(samples.lost) + " were lost";
  return others.empty() ? line : line + "; " + others;
}

std::string next_line(const std::string& archive, const Recorded& recorded) {
  if (recorded.has_trace) return "next: tarry replay " + archive + " && tarry report " + archive;
  if (!recorded.has_summary) return "next: tarry measure -t -- COMMAND";
  return "next: tarry report " + archive + "; to find wait states: tarry measure -t -- COMMAND";
}

}  // namespace tarry
