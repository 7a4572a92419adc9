// otf2_event_writer.hpp -- writes the events of one location as OTF2 records; the other way round than otf2_events.
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "defs/definitions.hpp"
#include "trace/event.hpp"
#include "trace/otf2/otf2_context_tree.hpp"
#include "trace/otf2/otf2_facts.hpp"
#include "trace/record_extras.hpp"

namespace tarry {

/// The metric class of a sequence of counters, made when it is first asked for. From several threads.
class Otf2MetricClasses {
 public:
  OTF2_MetricRef find(const std::vector<std::uint32_t>& counters);

  /// Their counters by reference, once all writers are done.
  std::vector<std::vector<std::uint32_t>> all() const;

 private:
  std::mutex mutex_;
  std::map<std::vector<std::uint32_t>, OTF2_MetricRef> classes_;
};

/// An attribute of events that the writer of a trace defines (RecordExtras).
struct Otf2Attribute {
  std::string name, description;
  OTF2_Type type = OTF2_TYPE_NONE;
};

/// What the writers of all locations share.
struct Otf2WriteModel {
  const Definitions* definitions = nullptr;
  Otf2References references;
  /// String references of program regions, by region; OTF2_UNDEFINED_STRING if the name would not lead back to it.
  std::vector<OTF2_StringRef> programs;
  bool can_define = false;       // false: the definitions are those of another trace, nothing can be added
  bool writes_contexts = false;  // ENTER and LEAVE become records of calling contexts
  Otf2ContextTree contexts;      // of all locations, once all writers are done
  Ticks shift = 0;               // added to all times: OTF2 has none below zero
  /// Kinds for which a record of our own had to be made, so that their names are defined.
  std::array<std::atomic<bool>, kEventKindCount> own_kinds{};
  Otf2MetricClasses metric_classes;
  std::vector<Otf2Attribute> attributes;  // those of own_field_names() are numbered behind them
  /// Events and extras that could not be written, by kind (0: extras).
  std::array<std::atomic<std::uint64_t>, kEventKindCount> unwritten{};
};

/// Names of the fields of all kinds, without repetition; the place, behind Otf2WriteModel::attributes, is the reference
/// of the attribute in records of our own.
const std::vector<std::string_view>& own_field_names();

class Otf2EventWriter {
 public:
  Otf2EventWriter(OTF2_EvtWriter* writer, Otf2WriteModel& model);
  ~Otf2EventWriter();
  Otf2EventWriter(const Otf2EventWriter&) = delete;

  /// Events in order of time with what belongs to them.
  Status write(std::span<const Event> events, const RecordExtras& extras);

  /// Writes what waits for its like; nothing may follow.
  Status finish();

  /// The calling contexts of this location, by the numbers that its records have.
  Otf2ContextTree take_contexts() { return std::move(contexts_); }

 private:
  struct OpenRegion {
    RegionId region;
    std::uint32_t context;  // kNone: its records are plain
  };

  OTF2_ErrorCode write_event(const Event& event);
  OTF2_ErrorCode write_own(const Event& event);
  OTF2_ErrorCode add_metric(const Event& event);
  OTF2_ErrorCode write_metrics();
  OTF2_ErrorCode write_in_context(EventKind kind, OTF2_TimeStamp time);
  OTF2_ErrorCode write_leave(const Event& event, OTF2_TimeStamp time);
  OTF2_ErrorCode write_program_begin(const Event& event, OTF2_TimeStamp time);
  OTF2_ErrorCode write_program_end(const Event& event, OTF2_TimeStamp time);
  template <class Record>
  std::uint64_t add_own_fields(const Record& record);
  OTF2_ErrorCode write_record(std::span<const std::uint8_t> payload, OTF2_TimeStamp time);
  bool set_attributes(std::span<const std::uint8_t> payload);
  std::uint32_t context_of(RegionId region);
  void note_enter(const Event& event);
  void note_leave(const Event& event);
  OTF2_TimeStamp time_of(Ticks time) const { return static_cast<OTF2_TimeStamp>(time + model_.shift); }

  OTF2_EvtWriter* writer_;
  Otf2WriteModel& model_;
  OTF2_AttributeList* attributes_;
  std::vector<OpenRegion> open_regions_;
  Otf2ContextTree contexts_;
  // Values of different counters at one time make one record.
  std::vector<std::uint32_t> metric_counters_;
  std::vector<OTF2_Type> metric_types_;
  std::vector<OTF2_MetricValue> metric_values_;
  Ticks metric_time_ = 0;
  std::size_t copied_metrics_ = 0;  // events that follow and are in a record that was copied
};

}  // namespace tarry
