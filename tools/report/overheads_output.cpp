// overheads_output.cpp -- the overheads of a run as text for people.
#include "overheads_output.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "findings/path_place.hpp"
#include "findings/overheads/overheads_lost.hpp"
#include "report/algebra/shown_regions.hpp"

namespace tarry {
namespace {

constexpr std::size_t kRegionsShown = 10;
constexpr std::size_t kPlacesShown = 20;
constexpr std::size_t kTimeWidth = 10;
constexpr std::size_t kShareWidth = 8;
constexpr std::size_t kLabelWidth = 48;

// The first level of the tree, as columns.
constexpr struct {
  Overhead overhead;
  const char* heading;
} kColumns[] = {
    {Overhead::kComputation, "compute"},  {Overhead::kDataMovement, "data"},     {Overhead::kSynchronization, "sync"},
    {Overhead::kControl, "control"},      {Overhead::kAdditional, "additional"}, {Overhead::kLoss, "loss"},
    {Overhead::kUnidentified, "unknown"},
};

// A difference may be negative.
std::string signed_seconds(Seconds seconds) { return (seconds < 0 ? "-" : "") + format_seconds(std::abs(seconds)); }

std::string time_column(Seconds seconds) { return pad_left(signed_seconds(seconds), kTimeWidth); }

std::string share_column(Seconds seconds, Seconds whole) {
  return pad_left(whole > 0 ? format_percent(seconds / whole) : "", kShareWidth);
}

class OverheadText {
 public:
  OverheadText(const OverheadSubject& subject, TextStyle style)
      : subject_(subject),
        overheads_(subject.overheads),
        style_(style),
        names_(subject.report.structure, all_paths(subject), style.has_full_names) {}

  std::string write();

 private:
  // Names are as short as those that are shown together allow.
  static std::vector<CallPathId> all_paths(const OverheadSubject& subject) {
    std::vector<CallPathId> paths;
    for (const OverheadPlace& place : subject.overheads.places) paths.push_back(place.call_path);
    return paths;
  }

  void line(const std::string& text = {}) { add_line(text_, shorten_middle(text, style_.columns)); }
  void write_head();
  void write_reference();
  void write_classes();
  void write_class(const OverheadInfo& info, const OverheadTimes& lost);
  void write_hidden();
  void write_regions();
  void write_places();
  void write_wanted();
  std::string events_of(Overhead overhead) const;
  bool is_shown(const OverheadInfo& info) const;

  const OverheadSubject& subject_;
  const Overheads& overheads_;
  TextStyle style_;
  ShownRegions names_;
  std::string text_;
};

void OverheadText::write_head() {
  std::string who = format_count(overheads_.processes, "process", "processes");
  if (overheads_.locations != overheads_.processes) who += " with " + format_count(overheads_.locations, "thread");
  const std::string what = subject_.region.empty() ? "the run" : "'" + subject_.region + "' and what it calls";
  line("Overheads of " + what + ": " + who + ", allocation time " + format_cpu_time(overheads_.allocation));
  for (const auto& [key, value] : subject_.report.structure.attributes) {
    if (key == kCoveredAttribute) line("  covers only " + value);
    if (key == kIncompleteAttribute) line("  INCOMPLETE: " + value);
  }
}

void OverheadText::write_reference() {
  const Overheads* const before = subject_.reference;
  if (!before) return;
  const Seconds lost = overheads_.allocation - before->allocation;
  const auto count = static_cast<double>(std::max<std::size_t>(1, overheads_.locations));
  line("Reference: " + format_count(before->locations, "thread") + ", allocation time " +
       format_cpu_time(before->allocation) + "; lost against it: " + signed_seconds(lost) + ", " +
       signed_seconds(lost / count) + " per thread");
  if (overheads_.wall <= 0 || before->wall <= 0) return;
  char speedup[64];
  std::snprintf(speedup, sizeof speedup, "%.4g of %.4g", before->wall / overheads_.wall,
                count / static_cast<double>(std::max<std::size_t>(1, before->locations)));
  line(std::string("Speedup: ") + speedup);
}

// "1,204 page-faults": what was counted has a time only if the user gives a cost.
std::string OverheadText::events_of(Overhead overhead) const {
  std::string text;
  for (const OverheadEvents& events : overheads_.events) {
    if (events.overhead != overhead) continue;
    char count[32];
    std::snprintf(count, sizeof count, "%.15g", events.count);
    text += (text.empty() ? "" : ", ") + std::string(count) + " " + events.counter;
  }
  return text;
}

bool OverheadText::is_shown(const OverheadInfo& info) const {
  if (!subject_.chosen.empty() && !subject_.is_chosen(info.overhead)) return false;
  const Seconds before = subject_.reference ? subject_.reference->all[info.overhead] : 0;
  return info.parent == Overhead::kNone || overheads_.all[info.overhead] != 0 || before != 0 ||
         !events_of(info.overhead).empty();
}

void OverheadText::write_class(const OverheadInfo& info, const OverheadTimes& lost) {
  const Seconds seconds = overheads_.all[info.overhead];
  const std::string events = events_of(info.overhead);
  std::string row = time_column(seconds) + share_column(seconds, overheads_.allocation);
  if (!events.empty() && seconds == 0) row = pad_left("-", kTimeWidth) + std::string(kShareWidth, ' ');
  if (subject_.reference) row += time_column(subject_.reference->all[info.overhead]) + time_column(lost[info.overhead]);
  const std::string label = std::string(2 * depth_of(info.overhead), ' ') + info.name;
  row += "  " + pad_right(pad_right(label, kLabelWidth - 14) + info.mnemonic, events.empty() ? 0 : kLabelWidth);
  line(row + (events.empty() ? "" : events));
}

void OverheadText::write_classes() {
  const OverheadTimes lost = subject_.reference ? lost_against(overheads_, *subject_.reference) : OverheadTimes();
  line();
  line(pad_left("time", kTimeWidth) + pad_left("share", kShareWidth) +
       (subject_.reference ? pad_left("before", kTimeWidth) + pad_left("lost", kTimeWidth) : "") + "  class");
  for (const OverheadInfo& info : overhead_classes())
    if (is_shown(info)) write_class(info, lost);
}

// What 0 does not mean: classes that this report cannot tell of.
void OverheadText::write_hidden() {
  std::string hidden, counted;
  for (const OverheadInfo& info : overhead_classes()) {
    const bool needs_reference = info.source == OverheadSource::kCompared && !subject_.reference;
    if (info.source == OverheadSource::kHidden || needs_reference) hidden += std::string(" ") + info.mnemonic;
    if (info.source == OverheadSource::kCounted && events_of(info.overhead).empty())
      counted += std::string(" ") + info.mnemonic;
  }
  line();
  if (!overheads_.has_wait_states)
    line("No wait states: waiting counts as the operation that it is in. 'tarry replay' finds them in a trace.");
  line("Not seen:" + hidden + (subject_.reference ? "" : " (--reference RUN shows OADD_ALG and OLOP_REPL)"));
  if (!counted.empty()) line("Not counted:" + counted + " (tarry measure --metrics)");
}

void OverheadText::write_regions() {
  std::string heading;
  for (const auto& column : kColumns) heading += pad_left(column.heading, kTimeWidth + 1);
  line();
  line("Regions, without those that they call");
  line(heading + "  region");
  const std::size_t count = std::min(kRegionsShown, overheads_.regions.size());
  for (std::size_t i = 0; i < count; ++i) {
    const RegionOverheads& region = overheads_.regions[i];
    std::string row;
    for (const auto& column : kColumns) {
      const Seconds seconds = region.times[column.overhead];
      row += " " + pad_left(seconds == 0 ? "-" : signed_seconds(seconds), kTimeWidth);
    }
    line(row + "  " + names_.name_of(region.region));
  }
  if (count < overheads_.regions.size())
    line("... and " + format_count(overheads_.regions.size() - count, "more region") + " (--csv, --json)");
}

void OverheadText::write_places() {
  Seconds whole = 0;
  std::size_t count = 0;
  for (const OverheadPlace& place : overheads_.places) {
    if (!subject_.is_chosen(place.overhead) || place.seconds == 0) continue;
    whole += place.seconds;
    ++count;
  }
  line();
  line("Call paths");
  std::size_t shown = 0;
  for (const OverheadPlace& place : overheads_.places) {
    if (!subject_.is_chosen(place.overhead) || place.seconds == 0) continue;
    if (shown++ == kPlacesShown) break;
    const auto where = find_place(subject_.report.structure, place.call_path);
    line(time_column(place.seconds) + share_column(place.seconds, whole) + "  " +
         pad_right(info_of(place.overhead).mnemonic, 12) + names_.path_text(place.call_path) +
         (where ? " at " + where->file + ":" + std::to_string(where->line) : ""));
  }
  if (count > kPlacesShown)
    line("... and " + format_count(count - kPlacesShown, "more call path") + " (--csv, --json)");
}

void OverheadText::write_wanted() {
  if (subject_.wanted.empty()) return;
  line();
  line("Asked for in the source (TARRY_REGION_OVERHEADS)");
  for (const WantedOverheads& wanted : subject_.wanted) {
    const Seconds whole = wanted.times.whole();
    line(time_column(whole) + std::string(kShareWidth, ' ') + "  " + names_.name_of(wanted.region) + ": " +
         wanted.mnemonics);
    for (const Overhead overhead : wanted.classes)
      line(time_column(wanted.times[overhead]) + share_column(wanted.times[overhead], whole) + "    " +
           pad_right(info_of(overhead).mnemonic, 12) + info_of(overhead).name);
    if (!wanted.unknown.empty()) line(std::string(kTimeWidth + kShareWidth + 4, ' ') + "no classes: " + wanted.unknown);
  }
}

std::string OverheadText::write() {
  write_head();
  write_reference();
  write_classes();
  if (subject_.chosen.empty()) write_hidden();
  if (subject_.chosen.empty()) write_regions();
  else write_places();
  write_wanted();
  return std::move(text_);
}

}  // namespace

std::string overheads_text(const OverheadSubject& subject, TextStyle style) {
  return OverheadText(subject, style).write();
}

}  // namespace tarry
