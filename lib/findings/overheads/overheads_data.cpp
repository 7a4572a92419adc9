// overheads_data.cpp -- the overheads of a run for programs: CSV and JSON.
#include "findings/overheads/overheads_data.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/text/csv.hpp"
#include "base/text/json.hpp"
#include "findings/path_place.hpp"
#include "findings/overheads/overheads_lost.hpp"
#include "report/tree/call_path_tree.hpp"

namespace tarry {
namespace {

constexpr int kOverheadsVersion = 1;
constexpr std::size_t kPlacesListed = 10'000;

std::string_view name_of_source(OverheadSource source) {
  static constexpr std::array<std::string_view, 5> kNames = {"parts", "timed", "counted", "compared", "hidden"};
  return kNames[static_cast<std::size_t>(source)];
}

double fraction_of(Seconds seconds, Seconds whole) { return whole > 0 ? seconds / whole : 0.0; }

// The call paths that the user chose.
class ListedPlaces {
 public:
  explicit ListedPlaces(const OverheadSubject& subject) : code_(subject.report.structure) {
    for (const OverheadPlace& place : subject.overheads.places) {
      if (!subject.is_chosen(place.overhead) || place.seconds == 0) continue;
      if (largest_.size() < kPlacesListed) largest_.push_back(place);
      else others_ += place.seconds;
    }
  }

  const std::vector<OverheadPlace>& largest() const { return largest_; }
  Seconds others() const { return others_; }
  std::optional<PathPlace> find(const OverheadPlace& place) const { return code_.find(place.call_path); }

 private:
  PathPlaces code_;
  std::vector<OverheadPlace> largest_;
  Seconds others_ = 0;
};

class OverheadCsv {
 public:
  explicit OverheadCsv(const OverheadSubject& subject) : subject_(subject), overheads_(subject.overheads) {}

  std::string classes() {
    CsvWriter csv("overhead,seconds,fraction,reference,lost,source,name,region");
    const OverheadTimes lost = subject_.reference ? lost_against(overheads_, *subject_.reference) : OverheadTimes();
    for (const OverheadInfo& info : overhead_classes()) {
      begin_row(csv, info, overheads_.all[info.overhead]);
      if (subject_.reference) csv.add(subject_.reference->all[info.overhead]).add(lost[info.overhead]);
      else csv.skip(2);
      end_row(csv, info, subject_.region);
    }
    for (const RegionOverheads& region : overheads_.regions)
      for (const OverheadInfo& info : overhead_classes()) {
        if (!is_leaf(info.overhead) || region.times[info.overhead] == 0) continue;
        begin_row(csv, info, region.times[info.overhead]);
        csv.skip(2);
        end_row(csv, info, region.name);
      }
    return csv.take();
  }

  std::string places() {
    CsvWriter csv("callpath,overhead,seconds,fraction,function,file,line");
    const ListedPlaces listed(subject_);
    for (const OverheadPlace& place : listed.largest()) {
      csv.add(call_path_text(subject_.report.structure, place.call_path)).add(info_of(place.overhead).mnemonic);
      csv.add(place.seconds).add(fraction_of(place.seconds, overheads_.allocation));
      if (const auto where = listed.find(place)) {
        csv.add(subject_.report.structure.regions[where->region].name).add(where->file).add(where->line).end_row();
      } else {
        csv.skip(3).end_row();
      }
    }
    if (const Seconds others = listed.others(); others != 0)
      csv.skip(2).add(others).add(fraction_of(others, overheads_.allocation)).skip(3).end_row();
    return csv.take();
  }

 private:
  void begin_row(CsvWriter& csv, const OverheadInfo& info, Seconds seconds) {
    csv.add(info.mnemonic).add(seconds).add(fraction_of(seconds, overheads_.allocation));
  }
  void end_row(CsvWriter& csv, const OverheadInfo& info, std::string_view region) {
    csv.add(name_of_source(info.source)).add(info.name).add(region).end_row();
  }

  const OverheadSubject& subject_;
  const Overheads& overheads_;
};

void add_classes(JsonWriter& out, const OverheadSubject& subject) {
  const Overheads& overheads = subject.overheads;
  const OverheadTimes lost = subject.reference ? lost_against(overheads, *subject.reference) : OverheadTimes();
  out.name("classes").begin_array(JsonWriter::Layout::kLines);
  for (const OverheadInfo& info : overhead_classes()) {
    if (!subject.is_chosen(info.overhead)) continue;
    out.begin_object().member("overhead", info.mnemonic).name("parent");
    if (info.parent == Overhead::kNone) out.add_null();
    else out.add(info_of(info.parent).mnemonic);
    out.member("name", info.name).member("source", name_of_source(info.source)).member("definition", info.definition);
    out.member("seconds", overheads.all[info.overhead]);
    out.member("fraction", fraction_of(overheads.all[info.overhead], overheads.allocation));
    if (subject.reference)
      out.member("reference", subject.reference->all[info.overhead]).member("lost", lost[info.overhead]);
    out.end();
  }
  out.end();
}

void add_times(JsonWriter& out, const OverheadSubject& subject, const OverheadTimes& times) {
  out.name("classes").begin_object();
  for (const OverheadInfo& info : overhead_classes())
    if (is_leaf(info.overhead) && times[info.overhead] != 0 && subject.is_chosen(info.overhead))
      out.member(info.mnemonic, times[info.overhead]);
  out.end();
}

void add_regions(JsonWriter& out, const OverheadSubject& subject) {
  out.name("regions").begin_array(JsonWriter::Layout::kLines);
  for (const RegionOverheads& region : subject.overheads.regions) {
    out.begin_object().member("region", region.name).member("seconds", region.times.whole());
    add_times(out, subject, region.times);
    out.end();
  }
  out.end();
}

void add_places(JsonWriter& out, const OverheadSubject& subject) {
  const ReportStructure& structure = subject.report.structure;
  const ListedPlaces listed(subject);
  out.name("callpaths").begin_array(JsonWriter::Layout::kLines);
  for (const OverheadPlace& place : listed.largest()) {
    out.begin_object().member("callpath", call_path_text(structure, place.call_path));
    out.member("overhead", info_of(place.overhead).mnemonic).member("seconds", place.seconds);
    if (const auto where = listed.find(place))
      out.member("function", structure.regions[where->region].name)
          .member("file", where->file)
          .member("line", where->line);
    out.end();
  }
  out.end().member("other_callpaths", listed.others());
}

void add_events(JsonWriter& out, const OverheadSubject& subject) {
  out.name("events").begin_array();
  for (const OverheadEvents& events : subject.overheads.events)
    out.begin_object()
        .member("overhead", info_of(events.overhead).mnemonic)
        .member("counter", events.counter)
        .member("count", events.count)
        .end();
  out.end();
}

void add_wanted(JsonWriter& out, const OverheadSubject& subject) {
  out.name("wanted").begin_array(JsonWriter::Layout::kLines);
  for (const WantedOverheads& wanted : subject.wanted) {
    out.begin_object().member("region", subject.report.structure.regions[wanted.region].name);
    out.member("mnemonics", wanted.mnemonics).member("unknown", wanted.unknown);
    out.member("seconds", wanted.times.whole()).name("classes").begin_object();
    for (const Overhead overhead : wanted.classes) out.member(info_of(overhead).mnemonic, wanted.times[overhead]);
    out.end().end();
  }
  out.end();
}

std::string_view attribute_of(const Report& report, std::string_view wanted) {
  for (const auto& [key, value] : report.structure.attributes)
    if (key == wanted) return value;
  return "";
}

void add_run(JsonWriter& out, const Overheads& overheads) {
  out.member("allocation", overheads.allocation).member("wall", overheads.wall);
  out.member("processes", overheads.processes).member("locations", overheads.locations);
}

}  // namespace

bool OverheadSubject::is_chosen(Overhead overhead) const {
  return chosen.empty() || std::ranges::any_of(chosen, [&](Overhead whole) { return is_within(overhead, whole); });
}

std::string overheads_csv(const OverheadSubject& subject) {
  OverheadCsv csv(subject);
  return subject.chosen.empty() ? csv.classes() : csv.places();
}

std::string overheads_json(const OverheadSubject& subject) {
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines).member("version", kOverheadsVersion).member("region", subject.region);
  out.member("covers", attribute_of(subject.report, kCoveredAttribute));
  out.member("incomplete", attribute_of(subject.report, kIncompleteAttribute));
  add_run(out, subject.overheads);
  out.member("has_wait_states", subject.overheads.has_wait_states);
  if (subject.reference) {
    out.name("reference").begin_object();
    add_run(out, *subject.reference);
    out.end();
  }
  add_classes(out, subject);
  add_regions(out, subject);
  add_places(out, subject);
  add_events(out, subject);
  add_wanted(out, subject);
  return out.end().take();
}

}  // namespace tarry
