// findings_text.cpp -- findings as text for people, within a screenful.
#include "findings_text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "base/text/format.hpp"
#include "base/tool/log.hpp"
#include "base/text/printable.hpp"
#include "findings/causes/advice.hpp"
#include "findings/path_place.hpp"
#include "device_text.hpp"
#include "imbalance_text.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/shown_regions.hpp"

namespace tarry {
namespace {

constexpr std::size_t kBarWidth = 40;
constexpr std::size_t kBarColumn = 44;
constexpr std::size_t kIndent = 20;  // of call paths and what else belongs to a finding
constexpr std::size_t kMostAdvice = 3;
constexpr std::size_t kClustersShown = 5;
constexpr std::size_t kPathsOfAnalysis = 2;  // beside its wait states
constexpr std::size_t kWaitNameColumn = 24;  // of wait states
constexpr double kLeastListed = 0.02;        // of the waiting: call paths with less are not listed beside larger ones
constexpr std::ptrdiff_t kWaitsOfState = 3;
constexpr double kMostOfWaiting = 0.8;  // what the listed call paths have if nothing is said
constexpr std::size_t kMostDelays = 4;  // that a command names
constexpr std::size_t kPartsOfPath = 3;
constexpr double kLeastOfPath = 0.05;  // of the critical path: call paths with less get no line

struct LabelledClass {
  TimeClass kind;
  const char* label;
  const char* colour;
};

constexpr LabelledClass kClasses[] = {
    {TimeClass::kComputation, "Computation", "32"},
    {TimeClass::kPointToPoint, "MPI point-to-point", "31"},
    {TimeClass::kCollective, "MPI collective", "31"},
    {TimeClass::kSynchronization, "MPI synchronization", "31"},
    {TimeClass::kOneSided, "MPI one-sided", "31"},
    {TimeClass::kFileIo, "MPI file I/O", "31"},
    {TimeClass::kManagement, "MPI management", "31"},
    {TimeClass::kShmem, "OpenSHMEM", "31"},
    {TimeClass::kOpenMp, "OpenMP", "35"},
    {TimeClass::kThreads, "POSIX threads", "35"},
    {TimeClass::kOwnFileIo, "File I/O", "31"},
    {TimeClass::kAccelerator, "Accelerators", "35"},
    {TimeClass::kBlocked, "Blocked", "33"},
    {TimeClass::kIdle, "Idle threads", "33"},
    {TimeClass::kOverhead, "Overhead of measuring", "33"},
};

class TextWriter {
 public:
  explicit TextWriter(TextStyle style) : style_(style) {}

  void line(const std::string& text = {}) { text_ += shorten_middle(text, style_.columns) + "\n"; }
  /// A paragraph of at most three lines.
  void paragraph(const std::string& raw_text) {
    std::string text = printable(raw_text);
    const std::string indent(std::min(text.find_first_not_of(' '), text.size()) + 4, ' ');
    for (int lines = 1; lines < 3 && display_width(text) > style_.columns; ++lines) {
      const std::size_t cut = text.rfind(' ', style_.columns);
      if (cut == std::string::npos || cut < style_.columns / 2) break;
      line(text.substr(0, cut));
      text = indent + text.substr(cut + 1);
    }
    line(text);
  }
  std::size_t columns() const { return style_.columns; }
  void heading(const std::string& text) { text_ += painted(shorten_middle(text, style_.columns), "1") + "\n"; }
  void bar(const std::string& label, double fraction, const char* colour) {
    const std::size_t length = style_.columns > kBarColumn ? std::min(kBarWidth, style_.columns - kBarColumn) : 0;
    const std::string bar = blocks(fraction, length);
    text_ += bar.empty() ? label : pad_right(label, kBarColumn) + painted(bar, colour);
    text_ += "\n";
  }
  std::string take() { return std::move(text_); }

 private:
  std::string painted(const std::string& text, const char* colour) const {
    return style_.has_colour ? std::string("\x1b[") + colour + "m" + text + "\x1b[0m" : text;
  }

  // A bar in eighths of a character, or whole ones in ASCII.
  std::string blocks(double fraction, std::size_t width) const {
    const double length = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(width);
    if (!style_.has_unicode) return std::string(static_cast<std::size_t>(std::lround(length)), '#');
    const auto eighths = static_cast<std::size_t>(std::lround(length * 8));
    std::string bar;
    for (std::size_t i = 0; i < eighths / 8; ++i) bar += "\xe2\x96\x88";
    if (eighths % 8) bar += {'\xe2', '\x96', static_cast<char>(0x90 - eighths % 8)};
    return bar;
  }

  TextStyle style_;
  std::string text_;
};

double share(const Findings& findings, Seconds seconds) {
  return findings.shares.total > 0 ? seconds / findings.shares.total : 0;
}

std::string time_and_share(const Findings& findings, Seconds seconds) {
  return pad_left(format_seconds(seconds), 10) + "  " + pad_left(format_percent(share(findings, seconds)), 6) + "  ";
}

std::string who(const Findings& findings) {
  std::string text = format_count(findings.processes, "process", "processes");
  if (findings.locations != findings.processes) text += " with " + format_count(findings.locations, "thread");
  if (findings.nodes > 0) text += " on " + format_count(findings.nodes, "node");
  return text;
}

void write_head(TextWriter& out, const Findings& findings) {
  out.heading(findings.program + ": " + who(findings));
  out.paragraph("  wall time " + format_seconds(findings.wall) + ", allocation time " +
                format_cpu_time(findings.shares.total) +
                (findings.locations > 1 ? " (all processes and threads)" : ""));
  if (!findings.predicted.empty()) out.paragraph("  predicted: " + findings.predicted);
  if (!findings.covers.empty()) out.paragraph("  covers only " + findings.covers);
  if (!findings.incomplete.empty()) out.paragraph("  INCOMPLETE: " + findings.incomplete);
  if (!findings.unreceived.empty())
    out.paragraph("  UNRECEIVED: " + findings.unreceived + "; the program or a library leaves them");
  if (!findings.left_out.empty())
    out.paragraph("  LEFT OUT: calls of MPI, " + findings.left_out +
                  ": what they wait for is not known, and counts as computation");
  if (!findings.calls_left_out.empty())
    out.paragraph("  LEFT OUT: " + findings.calls_left_out +
                  ": waits there are not known, and their time counts for what is around");
  if (!findings.unfollowed.empty()) out.paragraph("  HEAP: " + findings.unfollowed + "; what is leaked may be less");
  if (!findings.unseen_openmp.empty()) out.paragraph("  " + findings.unseen_openmp);
  for (const std::string& line : processor_lines(findings)) out.paragraph(line);
  const std::string losses = findings.samples ? sample_losses_text(*findings.samples) : "";
  if (!losses.empty()) out.paragraph("  " + losses);
  const std::string cut = findings.stacks ? stack_losses_text(*findings.stacks) : "";
  if (!cut.empty()) out.paragraph("  " + cut);
  if (const std::string throttled = throttled_text(findings.throttled); !throttled.empty())
    out.paragraph("  " + throttled);
  const std::string names = missing_names_text(findings.missing_names);
  if (!names.empty()) out.paragraph("  " + names);
}

void write_classes(TextWriter& out, const Findings& findings) {
  out.line();
  out.heading("Where the time goes");
  for (const LabelledClass& row : kClasses) {
    const Seconds seconds = findings.shares.of(row.kind);
    if (seconds <= 0 && row.kind != TimeClass::kComputation) continue;
    out.bar(time_and_share(findings, seconds) + row.label, share(findings, seconds), row.colour);
    if (row.kind == TimeClass::kComputation && findings.shares.recording_off > 0)
      out.paragraph(std::string(kIndent, ' ') + format_cpu_time(findings.shares.recording_off) +
                    " of it while the program had the recording switched off: what it did is not known");
    if (row.kind == TimeClass::kManagement && findings.init_and_finalize > 0)
      out.paragraph(std::string(kIndent, ' ') + format_cpu_time(findings.init_and_finalize) +
                    " of it MPI_Init and MPI_Finalize, without waiting");
    if (row.kind == TimeClass::kOwnFileIo && findings.shares.file_metadata > 0)
      out.paragraph(std::string(kIndent, ' ') + format_cpu_time(findings.shares.file_metadata) +
                    " of it metadata of files: names, attributes, open and close");
  }
}

// What is written about: all parts of the text need it.
struct Subject {
  const Report& report;
  const Findings& findings;
  const SourceLines& sources;
  ShownRegions names;
  std::string all_causes;  // the command that lists them
};

// "tarry predict ARCHIVE --without-delay 1". Empty where there is no trace, or where it would be too long; and where
// accelerators worked, as predictions do not know them.
std::string gain_command(const Advice& advice, const Findings& findings, const std::string& archive) {
  if (archive.empty() || findings.devices || advice.causes.empty() || advice.causes.size() > kMostDelays) return "";
  std::string command = "tarry predict " + archive;
  for (const std::uint64_t number : advice.causes) command += " --without-delay " + std::to_string(number);
  return command;
}

// What people act on comes first.
void write_advice(TextWriter& out, const Subject& subject, const std::string& archive) {
  const std::vector<Advice> advice = give_advice(subject.report, subject.findings, kMostAdvice);
  if (advice.empty()) return;
  out.line();
  out.heading("What to look at");
  double told = 0;
  for (const Advice& each : advice) {
    out.paragraph("  " + each.sentence);
    if (!each.detail.empty()) out.paragraph("      " + each.detail);
    if (const std::string command = gain_command(each, subject.findings, archive); !command.empty())
      out.line("      what the run gains without it: " + command);
    told += each.share;
  }
  if (told <= 0) return;
  const std::string part = told < kMostOfWaiting ? "together " + format_percent(told) + " of the waiting; " : "";
  out.line("  " + part + "all causes: " + subject.all_causes);
}

// "compute at heat.c:45: for (i = 0; i < n; ++i)"; empty if the report has no file and line. If it is too long, file
// and line take half of it, and the end of the source line is missing.
std::string place_text(const Subject& subject, CallPathId path, std::size_t width) {
  const auto place = find_place(subject.report.structure, path);
  if (!place) return {};
  const std::string source = printable(subject.sources.find(place->file, place->line));
  const std::string where =
      subject.names.name_of(place->region) + " at " + place->file + ":" + std::to_string(place->line);
  if (source.empty()) return shorten_middle(where, width);
  if (display_width(where) + 2 + display_width(source) <= width) return where + ": " + source;
  const std::string text = shorten_middle(where, std::max(width / 2, std::size_t{5})) + ": ";
  return text + shorten_end(source, width - display_width(text));
}

// The call path, and below it the function, its file and line, and the line itself.
void write_place(TextWriter& out, const Subject& subject, CallPathId path) {
  const std::string blanks(kIndent, ' ');
  const std::size_t width = out.columns() - kIndent;
  out.line(blanks + shorten_path(subject.names.path_text(path), width));
  const std::string place = place_text(subject, path, width);
  if (!place.empty()) out.line(blanks + place);
}

// "ranks 0-2; most on rank 1: 2 s". `kind`: rank or thread.
template <class Id>
std::string waiting_most(const std::string& kind, const std::vector<Id>& most, Id worst, Seconds seconds, Seconds all) {
  const std::string which = kind + " " + std::to_string(worst.value);
  if (most.size() == 1) return which + (seconds < all ? ": " + format_seconds(seconds) : "");
  std::vector<std::int64_t> numbers;
  for (const Id id : most) numbers.push_back(id.value);
  return kind + "s " + format_ranges(std::move(numbers), 5) + "; most on " + which + ": " + format_seconds(seconds);
}

// Of a wait state at one call path, or over all.
std::string who_waits(const Findings& findings, const auto& wait) {
  if (findings.processes > 1)
    return waiting_most("rank", wait.waiting_most, wait.worst.rank, wait.worst.seconds, wait.seconds);
  if (wait.waiting_threads.empty()) return "";
  return waiting_most("thread", wait.waiting_threads, wait.worst_thread.thread, wait.worst_thread.seconds,
                      wait.seconds);
}

// Behind the visits of a call path: where it takes longest.
std::string spread_of(const Findings& findings, const PathFinding& path) {
  const auto text = [&](const std::string& per, const std::string& worst, Seconds seconds) {
    return "; " + format_seconds(path.mean) + " per " + per + ", most on " + worst + ": " + format_seconds(seconds);
  };
  if (findings.processes > 1)
    return text("process", "rank " + std::to_string(path.worst.rank.value), path.worst.seconds);
  if (findings.locations < 2) return "";
  return text("thread", "thread " + std::to_string(path.worst_thread.thread.value), path.worst_thread.seconds);
}

// The longest single waits, and their causes.
std::string longest_line(const SevereWait& wait, std::size_t columns) {
  std::string line = std::string(kIndent, ' ') + "longest " + format_seconds(wait.waiting) + " on rank " +
                     std::to_string(wait.rank.value) + " at " + format_seconds(wait.enter);
  if (!wait.delaying_rank) return line;
  line += ", for rank " + std::to_string(wait.delaying_rank->value) + " in ";
  const std::size_t used = display_width(line);
  return line + shorten_path(short_path_texts({wait.delaying_call_path})[0], used + 5 < columns ? columns - used : 5);
}

// With the longest wait below them, fewer findings fill the same space.
std::size_t most_waits(const Findings& findings) {
  const bool has_longest = std::any_of(findings.waits.begin(), findings.waits.end(),
                                       [](const WaitFinding& wait) { return wait.longest.has_value(); });
  return has_longest ? kFindingsShown * 2 / 3 : kFindingsShown;
}

// The wait states that get a line.
std::span<const WaitTotal> shown_totals(const Findings& findings) {
  return std::span(findings.wait_totals).first(std::min(findings.wait_totals.size(), kFindingsShown));
}

// The largest waits, and the largest of each wait state if that has a part worth a line.
std::vector<const WaitFinding*> shown_waits(const Findings& findings) {
  std::vector<const WaitFinding*> shown;
  for (std::size_t i = 0; i < findings.waits.size(); ++i) {
    const WaitFinding& wait = findings.waits[i];
    const auto has_metric = [&](const auto& total) { return total.metric == wait.metric; };
    if (std::ranges::none_of(shown_totals(findings), has_metric)) continue;
    const auto of_same = std::ranges::count_if(shown, [&](const WaitFinding* each) { return has_metric(*each); });
    const bool is_large = wait.seconds >= kLeastListed * findings.waiting;
    const bool is_among_largest = i < most_waits(findings);
    if (of_same == 0 ? is_among_largest || is_large : is_among_largest && is_large && of_same < kWaitsOfState)
      shown.push_back(&wait);
  }
  return shown;
}

// What is below the line of a wait.
void write_wait_place(TextWriter& out, const Subject& subject, const WaitFinding& wait) {
  write_place(out, subject, wait.call_path);
  const std::string cause = describe_main_cause(subject.report, subject.findings, wait, subject.names);
  if (!cause.empty()) out.line(std::string(kIndent, ' ') + cause);
  if (wait.longest) out.line(longest_line(*wait.longest, out.columns()));
}

// A wait state as a whole, then its largest waits by call path.
void write_total(TextWriter& out, const Subject& subject, const WaitTotal& total,
                 const std::vector<const WaitFinding*>& shown) {
  const Findings& findings = subject.findings;
  const auto line = [&](Seconds seconds, const std::string& name, const auto& wait) {
    out.line(time_and_share(findings, seconds) + pad_right(name, kWaitNameColumn) + "  " + who_waits(findings, wait));
  };
  std::vector<const WaitFinding*> own;
  std::ranges::copy_if(shown, std::back_inserter(own), [&](auto* wait) { return wait->metric == total.metric; });
  if (total.call_paths == 1 && own.size() == 1) {
    const std::string& part = own.front()->name;
    line(total.seconds, part == total.name ? part : total.name + " (" + part + ")", total);
    return write_wait_place(out, subject, *own.front());
  }
  line(total.seconds, total.name, total);
  if (own.empty()) return;
  Seconds rest = total.seconds;
  for (const WaitFinding* wait : own) {
    const std::string part = wait->name == total.name ? "of it" : wait->name;
    line(wait->seconds, "  " + part, *wait);
    write_wait_place(out, subject, *wait);
    rest -= wait->seconds;
  }
  if (total.call_paths > own.size())
    out.line(time_and_share(findings, std::max(0.0, rest)) + "  and " +
             format_count(total.call_paths - own.size(), "more call path"));
}

void write_waits(TextWriter& out, const Subject& subject) {
  const Findings& findings = subject.findings;
  out.line();
  if (findings.waits.empty()) {
    out.heading("No wait states: no process waits for another");
    return;
  }
  out.heading("Waiting: " + format_cpu_time(findings.waiting) + ", " +
              format_percent(share(findings, findings.waiting)) + " of the allocation time; by wait state");
  const std::vector<const WaitFinding*> shown = shown_waits(findings);
  for (const WaitTotal& total : shown_totals(findings)) write_total(out, subject, total, shown);
  Seconds listed = 0, others = findings.waiting;
  for (const WaitFinding* wait : shown) listed += wait->seconds;
  for (const WaitTotal& total : shown_totals(findings)) others -= total.seconds;
  if (const std::size_t more = findings.wait_totals.size() - shown_totals(findings).size(); more > 0)
    out.line(time_and_share(findings, std::max(0.0, others)) + format_count(more, "more wait state"));
  if (listed < kMostOfWaiting * findings.waiting)
    out.line(std::string(kIndent, ' ') + "the call paths above have " + format_percent(listed / findings.waiting) +
             " of the waiting");
}

// The call paths of the critical path that get a line: the largest, which stand first.
std::span<const PathPart> shown_parts(const Findings& findings) {
  if (!findings.critical_path) return {};
  const CriticalPathFinding& path = *findings.critical_path;
  const std::span<const PathPart> first = std::span(path.parts).first(std::min(path.parts.size(), kPartsOfPath));
  const auto is_small = [&](const PathPart& part) { return part.seconds < kLeastOfPath * path.length; };
  return first.first(static_cast<std::size_t>(std::ranges::find_if(first, is_small) - first.begin()));
}

// "3 processes, most on rank 1", "thread 2".
std::string where_on_path(const PathPart& part) {
  if (!part.worst_queue.empty()) return part.worst_queue;
  if (part.threads > 0)
    return (part.threads > 1 ? format_count(part.threads, "thread") + ", most on " : "") + "thread " +
           std::to_string(part.worst_thread.value);
  return (part.processes > 1 ? format_count(part.processes, "process", "processes") + ", most on " : "") + "rank " +
         std::to_string(part.worst.value);
}

// What others wait for the path: for the same work, and for work that they have no part in.
std::string partition_text(const Subject& subject, const CriticalPathFinding& path) {
  std::string text = "others wait for it: " + format_cpu_time(path.intra) +
                     " at call paths that they have, too (intra-partition imbalance)";
  if (!path.lacked) return text;
  text += ", " + format_cpu_time(path.inter) + " at call paths that they do not have (inter-partition imbalance)";
  return text + "; most for " + subject.names.path_text(path.lacked->call_path) + ": " +
         format_cpu_time(path.lacked->inter);
}

// Percentages are of the path: only what is on it decides how long the run takes.
void write_critical_path(TextWriter& out, const Subject& subject) {
  const std::span<const PathPart> parts = shown_parts(subject.findings);
  if (parts.empty() || subject.findings.waits.empty()) return;
  const CriticalPathFinding& path = *subject.findings.critical_path;
  const auto amount = [&](Seconds seconds) {
    return pad_left(format_seconds(seconds), 10) + "  " + pad_left(format_percent(seconds / path.length), 6) + "  ";
  };
  out.line();
  out.heading("Critical path: the " + format_seconds(path.length) + " that decide how long the run takes");
  for (const PathPart& part : parts) {
    out.line(amount(part.seconds) + where_on_path(part) +
             (part.imbalance >= kLeastOfPath * part.seconds
                  ? "; perfect balance would save " + format_seconds(part.imbalance)
                  : ""));
    out.line(std::string(kIndent, ' ') +
             shorten_path(subject.names.path_text(part.call_path), out.columns() - kIndent));
  }
  if (path.intra + path.inter > 0) out.paragraph("  " + partition_text(subject, path));
}

void write_imbalances(TextWriter& out, const Report& report, const Findings& findings, bool has_full_names) {
  const std::vector<std::string> lines = imbalance_lines(report, findings, has_full_names);
  if (lines.empty()) return;
  out.line();
  out.heading(lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i) out.line(printable(lines[i]));
}

void write_paths(TextWriter& out, const Subject& subject, std::size_t most) {
  const Findings& findings = subject.findings;
  if (findings.paths.empty()) return;
  out.line();
  out.heading("Where most of it is spent (time of the call path itself)");
  for (std::size_t i = 0; i < std::min(most, findings.paths.size()); ++i) {
    const PathFinding& path = findings.paths[i];
    out.line(time_and_share(findings, path.seconds) + format_count(static_cast<std::uint64_t>(path.visits), "visit") +
             spread_of(findings, path));
    write_place(out, subject, path.call_path);
  }
}

void write_clusters(TextWriter& out, const Subject& subject) {
  const ReportStructure& structure = subject.report.structure;
  const Findings& findings = subject.findings;
  if (findings.clusters.empty()) return;
  out.line();
  out.heading("Iterations that are like each other (TARRY_ITERATIONS, TARRY_CLUSTERS)");
  for (std::size_t i = 0; i < std::min(findings.clusters.size(), kClustersShown); ++i) {
    const ClusterFinding& cluster = findings.clusters[i];
    const ReportCallPath& path = structure.call_paths[cluster.call_path.value];
    out.line(time_and_share(findings, cluster.seconds) + structure.regions[path.region].name + ": " +
             format_count(static_cast<std::uint64_t>(cluster.iterations), "visit") + ", " +
             format_seconds(cluster.iterations > 0 ? cluster.seconds / cluster.iterations : 0) + " each");
    out.paragraph(std::string(20, ' ') + cluster.numbers);
  }
  if (findings.clusters.size() > kClustersShown)
    out.line("  and " + format_count(findings.clusters.size() - kClustersShown, "smaller cluster"));
}

void write_devices(TextWriter& out, const Subject& subject) {
  if (!subject.findings.devices) return;
  const std::vector<std::string> lines =
      device_lines(*subject.findings.devices, subject.report.structure, subject.names, out.columns());
  out.line();
  out.heading(lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i) out.paragraph(lines[i]);
}

void write_iterations(TextWriter& out, const Findings& findings) {
  if (!findings.iterations) return;
  out.line();
  out.paragraph("Iterations of '" + findings.iterations->region + "' that stick out in " + findings.waits[0].metric +
                ": " + outlying_text(*findings.iterations));
}

// "1234", "52.43 MB", "1.5 G".
std::string counter_amount(double value, const std::string& unit) {
  if (unit == "ns") return format_seconds(value * 1e-9);
  if (unit == "us") return format_seconds(value * 1e-6);
  return format_amount(value, unit == "bytes" ? "B" : unit);
}

void write_counters(TextWriter& out, const Subject& subject) {
  const Findings& findings = subject.findings;
  if (findings.counters.empty()) return;
  out.line();
  out.heading("Counters, and the call path that most is from");
  for (const CounterFinding& counter : findings.counters) {
    std::string line = pad_left(counter_amount(counter.value, counter.unit), 12) + "  " + pad_right(counter.name, 20);
    if (counter.is_level) line += " at most";
    if (counter.call_path.is_valid()) {
      line += " " + counter_amount(counter.at_path, counter.unit) + " in ";
      const std::size_t used = display_width(line);
      const std::size_t left = out.columns() - std::min(out.columns(), used);
      line += shorten_path(subject.names.path_text(counter.call_path), std::max(kIndent, left));
    }
    out.line(line);
  }
}

// What a process had at most, and what was left.
void write_heap(TextWriter& out, const Subject& subject) {
  const auto& [leak, peak] = subject.findings.heap;
  const bool has_ranks = subject.findings.processes > 1;
  const auto amount = [](double bytes) { return counter_amount(bytes, "bytes"); };
  if (leak)
    out.paragraph("  LEAK: " + amount(leak->bytes) + " in " +
                  format_count(static_cast<std::uint64_t>(leak->blocks), "block") + " that " +
                  subject.names.name_of(leak->region) + " allocated were never freed" +
                  (has_ranks ? ", most on rank " + std::to_string(leak->worst.value) : ""));
  if (peak)
    out.paragraph("  heap: recorded call paths had " + amount(peak->bytes) + " at the peak" +
                  (has_ranks ? " of rank " + std::to_string(peak->rank.value) : "") + ", " + amount(peak->at_path) +
                  " of it from " + subject.names.path_text(peak->call_path));
}

}  // namespace

TextStyle find_text_style(int descriptor) {
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* value = std::getenv(name); value && *value) {
      locale = value;
      break;
    }
  for (char& c : locale) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const bool is_utf8 = locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  return {is_for_people(descriptor), is_utf8, text_columns(descriptor), false};
}

std::string findings_text(const Report& report, const Findings& findings, const SourceLines& sources,
                          const NextCommands& next, TextStyle style) {
  std::vector<CallPathId> shown;
  for (const WaitFinding* wait : shown_waits(findings)) {
    shown.push_back(wait->call_path);
    if (wait->causes && !wait->causes->delays.empty()) shown.push_back(wait->causes->delays.front().path);
  }
  std::erase_if(shown, [](CallPathId path) { return !path.is_valid(); });
  for (const PathFinding& path : findings.paths) shown.push_back(path.call_path);
  for (const PathPart& part : shown_parts(findings)) shown.push_back(part.call_path);
  if (findings.critical_path && findings.critical_path->lacked)
    shown.push_back(findings.critical_path->lacked->call_path);
  for (const CounterFinding& counter : findings.counters)
    if (counter.call_path.is_valid()) shown.push_back(counter.call_path);
  if (findings.heap.peak) shown.push_back(findings.heap.peak->call_path);
  if (findings.devices)
    for (const KernelFinding& kernel : findings.devices->longest) shown.push_back(kernel.call_path);
  if (findings.devices && findings.devices->order)
    for (const QueuedPath& path : {findings.devices->order->waits, findings.devices->order->holds})
      shown.push_back(path.call_path);
  const Subject subject{report, findings, sources, ShownRegions(report.structure, shown, style.has_full_names),
                        next.all_causes};
  TextWriter out(style);
  write_head(out, findings);
  write_advice(out, subject, next.traced_archive);
  write_classes(out, findings);
  if (findings.is_analysis) write_waits(out, subject);
  write_critical_path(out, subject);
  write_devices(out, subject);
  write_imbalances(out, report, findings, style.has_full_names);
  write_paths(out, subject, findings.is_analysis ? kPathsOfAnalysis : kFindingsShown);
  write_clusters(out, subject);
  write_counters(out, subject);
  write_heap(out, subject);
  write_iterations(out, findings);
  out.line();
  out.paragraph(next.step);
  return out.take();
}

}  // namespace tarry
