// otf2_events.hpp -- turns the records of one OTF2 location into events.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/faults.hpp"
#include "trace/otf2/otf2_definitions.hpp"
#include "trace/record.hpp"
#include "trace/record_extras.hpp"

namespace tarry {

/// A field of a record of ours.
template <auto kMember, bool kIsOptional>
struct Otf2Field {
  static constexpr auto member = kMember;
  static constexpr bool is_optional = kIsOptional;
};

/// A record of ours with its fields, in the order of event_kinds.def.
template <class Record, class... Fields>
struct Otf2Fields;
template <class Record>
struct Otf2FieldsOf;
#define TARRY_FIELD(type, name) , Otf2Field<&Record::name, false>
#define TARRY_OPTIONAL(type, name) , Otf2Field<&Record::name, true>
#define TARRY_EVENT(code, Name, text, fields) \
  template <>                                 \
  struct Otf2FieldsOf<record::Name> {         \
    using Record = record::Name;              \
    using Type = Otf2Fields<Record fields>;   \
  };
#include "trace/event_kinds.def"
#undef TARRY_EVENT
#undef TARRY_OPTIONAL
#undef TARRY_FIELD

/// Kinds of OTF2's event records; `code` as in otf2_kinds.def.
enum class Otf2Code : std::uint8_t {
#define TARRY_OTF2_RECORD(code, name) name = code,
#include "trace/otf2/otf2_kinds.def"
#undef TARRY_OTF2_RECORD
};

/// Receives the callbacks of OTF2's event reader. The block handed to start() needs room for what all records that are
/// read before the next start() can become (Otf2Model::most_events), and for end().
class Otf2Decoder {
 public:
  /// `extras`: where to keep what the events do not hold; null: not needed.
  Otf2Decoder(const Otf2Model& model, LocationId location, FaultLog& faults, RecordExtras* extras = nullptr)
      : model_(model), location_(location), faults_(faults), extras_(extras), path_(model.contexts) {}

  /// The callbacks of every record we know; their user data is this object.
  const OTF2_EvtReaderCallbacks* callbacks() const;

  void start(std::span<Event> block) {
    first_ = block.data();
    next_ = first_;
  }
  /// Behind the last record: leaves the regions that samples have left open.
  void end();
  std::size_t event_count() const { return static_cast<std::size_t>(next_ - first_); }

  void add_fault(Fault fault, std::uint64_t position, std::string detail = {}) {
    faults_.add(fault, model_.name_of(location_), position, std::move(detail));
  }

 private:
  template <Otf2Code kCode, class Fields>
  friend struct Otf2Record;
  template <Otf2Code kCode>
  friend struct Otf2ForeignRecord;
  friend struct Otf2SpecialRecords;
  friend struct Otf2ContextRecords;

  /// A field of OTF2's becomes one of ours, by the type of ours; false, and a fault, if it makes no sense.
  bool translate(std::uint64_t value, std::uint64_t position, RegionId& id) {
    return look_up(model_.regions, value, position, "region", id);
  }
  bool translate(std::uint64_t value, std::uint64_t position, CommId& id) {
    return look_up(model_.comms, value, position, "communicator", id);
  }
  bool translate(std::uint64_t value, std::uint64_t position, TeamId& id) {
    return look_up(model_.comms, value, position, "communicator", id);
  }
  bool translate(std::uint64_t value, std::uint64_t position, WindowId& id) {
    return look_up(model_.windows, value, position, "window", id);
  }
  bool translate(std::uint64_t value, std::uint64_t position, GroupId& id) {
    return look_up(model_.groups, value, position, "group", id);
  }
  bool translate(std::uint64_t value, std::uint64_t position, IoHandleId& id) {
    return look_up(model_.io_handles, value, position, "file handle", id);
  }
  bool translate(std::uint64_t value, std::uint64_t position, CollectiveOp& operation);
  bool translate(std::uint64_t value, std::uint64_t, Paradigm& paradigm) {
    paradigm = paradigm_of(static_cast<OTF2_Paradigm>(value));
    return true;
  }
  template <class Plain>
  bool translate(std::uint64_t value, std::uint64_t, Plain& field) {
    set_field(field, value);
    return true;
  }
  /// A root may be one of OTF2's special values: absent.
  bool translate_root(std::uint64_t value, CommRank& root) {
    root = value >= OTF2_COLLECTIVE_ROOT_THIS_GROUP ? CommRank() : CommRank(value);
    return true;
  }

  template <class Id>
  bool look_up(const Otf2Index& index, std::uint64_t value, std::uint64_t position, const char* what, Id& id) {
    const std::uint32_t found = index.find(value);
    if (found == Otf2Index::kMissing) return note_undefined(what, value, position);
    id = Id(found);
    return true;
  }

  /// Fills a record from attributes that carry the names of its fields.
  template <class Record>
  bool read_own_fields(Record& record, const OTF2_AttributeList* attributes, std::uint64_t position);

  bool note_undefined(const char* what, std::uint64_t value, std::uint64_t position);

  /// Adds an event.
  template <class Record>
  void put(OTF2_TimeStamp time, std::uint64_t position, const Record& record) {
    set_record(*next_, record);
    next_->time = static_cast<Ticks>(time);
    if (next_->time < last_time_) note_backwards(position);
    last_time_ = next_->time;
    ++next_;
  }

  void note_backwards(std::uint64_t position);

  /// Leaves and enters what lies between the open path and calling context `node`.
  void move_to(std::uint32_t node, std::uint32_t entered, OTF2_TimeStamp time, std::uint64_t position);
  void leave_region(RegionId region, OTF2_TimeStamp time, std::uint64_t position);

  /// Keeps the record that the events from number `first` on were made of.
  template <class... Values>
  void keep_context(std::size_t first, Otf2Code code, OTF2_TimeStamp time, const OTF2_AttributeList* attributes,
                    const Values&... values);
  void keep_derived(std::size_t first);

  /// Adds an event that tells the queue which an attribute of a call names, if one does.
  void put_queue(OTF2_TimeStamp time, std::uint64_t position, const OTF2_AttributeList* attributes);
  /// Adds an event that has no record of its own.
  void put_derived(OTF2_TimeStamp time, std::uint64_t position, const record::Attribute& attribute);

  /// Keeps what the event that was put last does not hold: attributes, and all fields unless it `is_exact`.
  template <class... Values>
  void keep_rest(Otf2Code code, bool is_exact, const OTF2_AttributeList* attributes, const Values&... values);

  /// Keeps a record that is no event.
  template <class... Values>
  void keep_foreign(Otf2Code code, OTF2_TimeStamp time, const OTF2_AttributeList* attributes, const Values&... values);

  const Otf2Model& model_;
  LocationId location_;
  FaultLog& faults_;
  RecordExtras* extras_;
  Event* first_ = nullptr;
  Event* next_ = nullptr;
  Ticks last_time_ = 0;
  Otf2OpenPath path_;
};

}  // namespace tarry
