// otf2_events.cpp -- the table from OTF2's event records to ours, and the records that need more than a table.
#include "trace/otf2/otf2_events.hpp"

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <utility>

#include "trace/otf2/otf2_record_codec.hpp"

namespace tarry {

namespace {

/// How many attributes, then for each reference, type and value.
void encode_attributes(std::vector<std::uint8_t>& out, const OTF2_AttributeList* attributes) {
  Otf2FieldEncoder encoder(out);
  const std::uint32_t count = attributes ? OTF2_AttributeList_GetNumberOfElements(attributes) : 0;
  encoder.varint(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    OTF2_AttributeRef reference = 0;
    OTF2_Type type = OTF2_TYPE_NONE;
    OTF2_AttributeValue value = value_of_bits(0);
    OTF2_AttributeList_GetAttributeByIndex(attributes, i, &reference, &type, &value);
    encoder.varint(reference);
    encoder.varint(type);
    encoder.varint(bits_of(type, value));
  }
}

bool has_attributes(const OTF2_AttributeList* attributes) {
  return attributes && OTF2_AttributeList_GetNumberOfElements(attributes) > 0;
}

/// Where ranks are absent, OTF2 has special values.
template <class Field, class Record>
constexpr bool kIsRoot =
    std::is_same_v<decltype(std::declval<Record&>().*Field::member), CommRank&>&& Field::is_optional;

/// Whether a field can be had back from the event.
template <class Field, class Record>
bool is_exact(std::uint64_t value, const Record& record) {
  if constexpr (kIsRoot<Field, Record>)
    return value < OTF2_COLLECTIVE_ROOT_THIS_GROUP || value == OTF2_UNDEFINED_UINT32;
  if constexpr (std::same_as<decltype(record.*Field::member), const Paradigm&>)
    return otf2_paradigm_of(record.*Field::member) == value;
  return true;
}

}  // namespace

template <class... Values>
void Otf2Decoder::keep_rest(Otf2Code code, bool is_exact, const OTF2_AttributeList* attributes,
                            const Values&... values) {
  if (is_exact && !has_attributes(attributes)) return;
  if (!is_exact) {
    extras_->bytes.push_back(static_cast<std::uint8_t>(code));
    encode_otf2_fields(extras_->bytes, values...);
  }
  encode_attributes(extras_->bytes, attributes);
  const Event& event = next_[-1];
  extras_->close_item(event_count() - 1, event.time, is_exact ? ExtraRole::kAttributes : ExtraRole::kExact);
}

template <class... Values>
void Otf2Decoder::keep_foreign(Otf2Code code, OTF2_TimeStamp time, const OTF2_AttributeList* attributes,
                               const Values&... values) {
  extras_->bytes.push_back(static_cast<std::uint8_t>(code));
  encode_otf2_fields(extras_->bytes, values...);
  encode_attributes(extras_->bytes, attributes);
  extras_->close_item(event_count(), static_cast<Ticks>(time), ExtraRole::kBefore);
}

template <class... Values>
void Otf2Decoder::keep_context(std::size_t first, Otf2Code code, OTF2_TimeStamp time,
                               const OTF2_AttributeList* attributes, const Values&... values) {
  if (!extras_) return;
  if (first == event_count()) return keep_foreign(code, time, attributes, values...);
  extras_->bytes.push_back(static_cast<std::uint8_t>(code));
  encode_otf2_fields(extras_->bytes, values...);
  encode_attributes(extras_->bytes, attributes);
  extras_->close_item(first, first_[first].time, ExtraRole::kExact);
  keep_derived(first + 1);
}

/// The callback of a record whose fields each are one of ours, in the same order.
template <Otf2Code kCode, class Fields>
struct Otf2Record;

template <Otf2Code kCode, class Record, class... Fields>
struct Otf2Record<kCode, Otf2Fields<Record, Fields...>> {
  template <class... Values>
  static OTF2_CallbackCode read(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                OTF2_AttributeList* attributes, Values... values) {
    static_assert(sizeof...(Values) == sizeof...(Fields), "not field by field: see otf2_event_map.def");
    auto& decoder = *static_cast<Otf2Decoder*>(user);
    Record record;
    if (!(translate<Fields>(decoder, static_cast<std::uint64_t>(values), position, record) && ...))
      return OTF2_CALLBACK_SUCCESS;
    decoder.put(time, position, record);
    if (decoder.extras_)
      decoder.keep_rest(kCode, (is_exact<Fields>(static_cast<std::uint64_t>(values), record) && ...), attributes,
                        values...);
    if constexpr (std::same_as<Record, record::Enter>) decoder.put_queue(time, position, attributes);
    return OTF2_CALLBACK_SUCCESS;
  }

  template <class Field>
  static bool translate(Otf2Decoder& decoder, std::uint64_t value, std::uint64_t position, Record& record) {
    if constexpr (kIsRoot<Field, Record>) return decoder.translate_root(value, record.*Field::member);
    else return decoder.translate(value, position, record.*Field::member);
  }
};

/// The callback of a record that is no event of ours.
template <Otf2Code kCode>
struct Otf2ForeignRecord {
  template <class... Values>
  static OTF2_CallbackCode read(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                OTF2_AttributeList* attributes, Values... values) {
    static_cast<Otf2Decoder*>(user)->keep_foreign(kCode, time, attributes, values...);
    return OTF2_CALLBACK_SUCCESS;
  }
};

/// Records that do not map field by field.
struct Otf2SpecialRecords {
  static Otf2Decoder& of(void* user) { return *static_cast<Otf2Decoder*>(user); }

  template <class Record, class... Values>
  static OTF2_CallbackCode finish(void* user, const Record& record, OTF2_TimeStamp time, std::uint64_t position,
                                  Otf2Code code, bool is_exact, const OTF2_AttributeList* attributes,
                                  const Values&... values) {
    of(user).put(time, position, record);
    if (of(user).extras_) of(user).keep_rest(code, is_exact, attributes, values...);
    return OTF2_CALLBACK_SUCCESS;
  }

  /// A region is missing only where a trace of ours had none open.
  static OTF2_CallbackCode leave(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                 OTF2_AttributeList* attributes, OTF2_RegionRef region) {
    record::Leave record;
    if (region != OTF2_UNDEFINED_REGION && !of(user).translate(region, position, record.region))
      return OTF2_CALLBACK_SUCCESS;
    of(user).put_queue(time, position, attributes);
    of(user).put(time, position, record);
    if (of(user).extras_) of(user).keep_rest(Otf2Code::Leave, true, attributes, region);
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode buffer_flush(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                        OTF2_AttributeList* attributes, OTF2_TimeStamp stop) {
    return finish(user, record::BufferFlush{.duration = stop > time ? stop - time : 0}, time, position,
                  Otf2Code::BufferFlush, stop >= time, attributes, stop);
  }

  static OTF2_CallbackCode measurement_on_off(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                              OTF2_AttributeList* attributes, OTF2_MeasurementMode mode) {
    return finish(user, record::MeasurementOnOff{.is_on = mode == OTF2_MEASUREMENT_ON}, time, position,
                  Otf2Code::MeasurementOnOff, mode == OTF2_MEASUREMENT_ON || mode == OTF2_MEASUREMENT_OFF, attributes,
                  mode);
  }

  static OTF2_CallbackCode program_begin(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                         OTF2_AttributeList* attributes, OTF2_StringRef name, std::uint32_t count,
                                         const OTF2_StringRef* arguments) {
    const std::uint32_t region = of(user).model_.find_program(name);
    const bool is_known = region != Otf2Index::kMissing;
    if (!is_known && name != OTF2_UNDEFINED_STRING) of(user).note_undefined("program name", name, position);
    return finish(user, record::ProgramBegin{.region = is_known ? RegionId(region) : RegionId()}, time, position,
                  Otf2Code::ProgramBegin, false, attributes, name, count, arguments);
  }

  static OTF2_CallbackCode program_end(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                       OTF2_AttributeList* attributes, std::int64_t status) {
    const bool is_known = status != OTF2_UNDEFINED_INT64;
    const record::ProgramEnd record{.status = is_known ? static_cast<std::uint64_t>(status) & 0xff : kNoField};
    return finish(user, record, time, position, Otf2Code::ProgramEnd, !is_known || (status >= 0 && status <= 0xff),
                  attributes, status);
  }

  /// Events that OTF2 has no record for are written as a parameter that carries their name, fields as attributes.
  static OTF2_CallbackCode parameter(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                     OTF2_AttributeList* attributes, OTF2_ParameterRef parameter, std::uint64_t value) {
    Otf2Decoder& decoder = of(user);
    const std::uint32_t code = decoder.model_.own_kinds.find(parameter);
    if (code == Otf2Index::kMissing) {
      if (decoder.extras_) decoder.keep_foreign(Otf2Code::ParameterUnsignedInt, time, attributes, parameter, value);
      if (value != 0 &&
          std::ranges::find(decoder.model_.work_parameters, parameter) != decoder.model_.work_parameters.end())
        decoder.put_derived(time, position, {.attribute = kWorkAttribute, .value = value});
      return OTF2_CALLBACK_SUCCESS;
    }
    Event event;
    event.kind = static_cast<EventKind>(code);
    visit_record(event, [&](auto record) {
      if (!decoder.read_own_fields(record, attributes, position)) return;
      decoder.put(time, position, record);
      if (decoder.extras_) decoder.keep_rest(Otf2Code::ParameterUnsignedInt, false, attributes, parameter, value);
    });
    return OTF2_CALLBACK_SUCCESS;
  }

  /// One event for each member. The record is kept beside the first of them: it tells which class they make. Without
  /// such a class the meaning of the values is unknown.
  static OTF2_CallbackCode metric(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                  OTF2_AttributeList* attributes, OTF2_MetricRef metric, std::uint8_t count,
                                  const OTF2_Type* types, const OTF2_MetricValue* values) {
    Otf2Decoder& decoder = of(user);
    const std::uint32_t place = decoder.model_.metrics.find(metric);
    if (place == Otf2Index::kMissing || count == 0 || count != decoder.model_.metric_classes[place].size()) {
      if (decoder.extras_) decoder.keep_foreign(Otf2Code::Metric, time, attributes, metric, count, types, values);
      return OTF2_CALLBACK_SUCCESS;
    }
    const auto& counters = decoder.model_.metric_classes[place];
    for (std::size_t i = 0; i < counters.size(); ++i) {
      decoder.put(time, position, record::Metric{.metric = CounterId(counters[i]), .value = values[i].unsigned_int});
      if (i == 0 && decoder.extras_)
        decoder.keep_rest(Otf2Code::Metric, false, attributes, metric, count, types, values);
    }
    return OTF2_CALLBACK_SUCCESS;
  }

  template <class... Values>
  static OTF2_CallbackCode unknown(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t position, void* user,
                                   OTF2_AttributeList*, Values...) {
    of(user).add_fault(Fault::kUnknownRecord, position);
    return OTF2_CALLBACK_SUCCESS;
  }
};

/// Records of calling contexts: what samples saw between two records is left and entered at the second.
struct Otf2ContextRecords {
  static constexpr std::uint32_t kUndefined = Otf2Index::kMissing;

  static Otf2Decoder& of(void* user) { return *static_cast<Otf2Decoder*>(user); }

  static std::uint32_t find(const Otf2Decoder& decoder, OTF2_CallingContextRef context) {
    return decoder.model_.calling_contexts.find(context);
  }

  static OTF2_CallbackCode note_undefined(Otf2Decoder& decoder, OTF2_CallingContextRef context,
                                          std::uint64_t position) {
    decoder.note_undefined("calling context", context, position);
    return OTF2_CALLBACK_SUCCESS;
  }

  /// The region is entered anew, even if it was open.
  static OTF2_CallbackCode enter(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                 OTF2_AttributeList* attributes, OTF2_CallingContextRef context,
                                 std::uint32_t distance) {
    Otf2Decoder& decoder = of(user);
    const std::uint32_t node = find(decoder, context);
    if (node == kUndefined) return note_undefined(decoder, context, position);
    const std::size_t first = decoder.event_count();
    decoder.move_to(node, std::max(distance, 2u) - 1, time, position);
    decoder.path_.mark_instrumented();
    decoder.keep_context(first, Otf2Code::CallingContextEnter, time, attributes, context, distance);
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode leave(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                 OTF2_AttributeList* attributes, OTF2_CallingContextRef context) {
    Otf2Decoder& decoder = of(user);
    const std::uint32_t node = find(decoder, context);
    if (node == kUndefined) return note_undefined(decoder, context, position);
    const std::size_t first = decoder.event_count();
    decoder.move_to(node, 0, time, position);
    decoder.path_.pop([&](RegionId region) { decoder.leave_region(region, time, position); });
    decoder.keep_context(first, Otf2Code::CallingContextLeave, time, attributes, context);
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode sample(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                  OTF2_AttributeList* attributes, OTF2_CallingContextRef context,
                                  std::uint32_t distance, OTF2_InterruptGeneratorRef generator) {
    Otf2Decoder& decoder = of(user);
    const std::uint32_t node = find(decoder, context);
    if (node == kUndefined) return note_undefined(decoder, context, position);
    const std::size_t first = decoder.event_count();
    decoder.move_to(node, std::max(distance, 1u) - 1, time, position);
    decoder.last_time_ = std::max(decoder.last_time_, static_cast<Ticks>(time));  // its path holds until then
    decoder.keep_context(first, Otf2Code::CallingContextSample, time, attributes, context, distance, generator);
    return OTF2_CALLBACK_SUCCESS;
  }
};

void Otf2Decoder::leave_region(RegionId region, OTF2_TimeStamp time, std::uint64_t position) {
  put(time, position, record::Leave{.region = region});
}

void Otf2Decoder::move_to(std::uint32_t node, std::uint32_t entered, OTF2_TimeStamp time, std::uint64_t position) {
  const auto leave = [&](RegionId region) { leave_region(region, time, position); };
  path_.move_to(node, entered, leave, [&](RegionId region) { put(time, position, record::Enter{.region = region}); });
}

void Otf2Decoder::end() {
  const std::size_t first = event_count();
  path_.end([&](RegionId region) { leave_region(region, static_cast<OTF2_TimeStamp>(last_time_), 0); });
  keep_derived(first);
}

/// The events from number `first` on have no record of their own.
void Otf2Decoder::keep_derived(std::size_t first) {
  if (!extras_) return;
  for (std::size_t i = first; i < event_count(); ++i) extras_->close_item(i, first_[i].time, ExtraRole::kDerived);
}

void Otf2Decoder::put_derived(OTF2_TimeStamp time, std::uint64_t position, const record::Attribute& attribute) {
  put(time, position, attribute);
  keep_derived(event_count() - 1);
}

void Otf2Decoder::put_queue(OTF2_TimeStamp time, std::uint64_t position, const OTF2_AttributeList* attributes) {
  for (const std::uint32_t reference : model_.queue_attributes) {
    OTF2_LocationRef location = 0;
    if (!attributes || OTF2_AttributeList_GetLocationRef(attributes, reference, &location) != OTF2_SUCCESS) continue;
    const std::uint32_t found = model_.location_ids.find(location);
    if (found == Otf2Index::kMissing) continue;
    const std::uint32_t number = model_.definitions.locations[found].thread;
    return put_derived(time, position, {.attribute = kQueueAttribute, .value = number});
  }
}

template <class Record>
bool Otf2Decoder::read_own_fields(Record& record, const OTF2_AttributeList* attributes, std::uint64_t position) {
  std::uint64_t bits[kMaxEventFields];
  std::fill(std::begin(bits), std::end(bits), kNoField);
  const EventKindInfo& info = info_of(Record::kKind);
  const std::uint32_t count = attributes ? OTF2_AttributeList_GetNumberOfElements(attributes) : 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    OTF2_AttributeRef reference = 0;
    OTF2_Type type = OTF2_TYPE_NONE;
    OTF2_AttributeValue value = value_of_bits(0);
    OTF2_AttributeList_GetAttributeByIndex(attributes, i, &reference, &type, &value);
    const auto name = model_.own_fields.find(reference);
    if (name == model_.own_fields.end()) continue;
    for (int f = 0; f < info.field_count; ++f)
      if (info.fields[f].name == name->second) bits[f] = bits_of(type, value);
  }
  const std::uint64_t* next = bits;
  bool is_usable = true;
  for_each_field(record, [&]<class Field>(Field& field, auto is_optional, std::string_view) {
    const std::uint64_t value = *next++;
    if (is_optional && value == kNoField) return set_field(field, kNoField);
    constexpr FieldMeaning kMeaning = kFieldMeaning<Field>;
    if constexpr (kMeaning != FieldMeaning::kPlain && kMeaning != FieldMeaning::kCounter)
      is_usable = is_usable && translate(value, position, field);
    else set_field(field, value);
  });
  return is_usable;
}

bool Otf2Decoder::translate(std::uint64_t value, std::uint64_t position, CollectiveOp& operation) {
  static_assert(static_cast<int>(CollectiveOp::kAllreduce) == OTF2_COLLECTIVE_OP_ALLREDUCE);
  static_assert(static_cast<int>(CollectiveOp::kScan) == OTF2_COLLECTIVE_OP_SCAN);
  static_assert(static_cast<int>(CollectiveOp::kReduceScatterBlock) == OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK);
  static_assert(static_cast<int>(CollectiveOp::kDestroyHandleAndDeallocate) ==
                OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE);
  operation = static_cast<CollectiveOp>(value);
  if (value <= OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE) return true;
  add_fault(Fault::kUnknownRecord, position, "collective operation " + std::to_string(value));
  return false;
}

bool Otf2Decoder::note_undefined(const char* what, std::uint64_t value, std::uint64_t position) {
  add_fault(Fault::kUndefinedReference, position, std::string(what) + " " + std::to_string(value));
  return false;
}

void Otf2Decoder::note_backwards(std::uint64_t position) {
  add_fault(Fault::kTimeBackwards, position);
  next_->time = last_time_;
}

namespace {

void set_events(OTF2_EvtReaderCallbacks* set) {
#define TARRY_OTF2_EVENT(name) \
  OTF2_EvtReaderCallbacks_Set##name##Callback(set, Otf2Record<Otf2Code::name, Otf2FieldsOf<record::name>::Type>::read);
#include "trace/otf2/otf2_event_map.def"
#undef TARRY_OTF2_EVENT
  OTF2_EvtReaderCallbacks_SetLeaveCallback(set, Otf2SpecialRecords::leave);
  OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(set, Otf2ContextRecords::enter);
  OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(set, Otf2ContextRecords::leave);
  OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(set, Otf2ContextRecords::sample);
  OTF2_EvtReaderCallbacks_SetBufferFlushCallback(set, Otf2SpecialRecords::buffer_flush);
  OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(set, Otf2SpecialRecords::measurement_on_off);
  OTF2_EvtReaderCallbacks_SetProgramBeginCallback(set, Otf2SpecialRecords::program_begin);
  OTF2_EvtReaderCallbacks_SetProgramEndCallback(set, Otf2SpecialRecords::program_end);
  OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(set, Otf2SpecialRecords::parameter);
  OTF2_EvtReaderCallbacks_SetMetricCallback(set, Otf2SpecialRecords::metric);
  OTF2_EvtReaderCallbacks_SetUnknownCallback(set, Otf2SpecialRecords::unknown);
}

/// OTF2 1.0's OpenMP records were replaced by the thread records before the first version we read.
/// Parameters, samples and I/O records need no callback if they are not kept.
void set_old_records(OTF2_EvtReaderCallbacks* set) {
  OTF2_EvtReaderCallbacks_SetOmpForkCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpJoinCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpAcquireLockCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpReleaseLockCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpTaskCreateCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpTaskSwitchCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpTaskCompleteCallback(set, Otf2SpecialRecords::unknown);
}

/// Every kind of record; those that are events are set again later.
void set_foreign(OTF2_EvtReaderCallbacks* set) {
#define TARRY_OTF2_RECORD(code, name) \
  OTF2_EvtReaderCallbacks_Set##name##Callback(set, Otf2ForeignRecord<Otf2Code::name>::read);
#include "trace/otf2/otf2_kinds.def"
#undef TARRY_OTF2_RECORD
}

}  // namespace

const OTF2_EvtReaderCallbacks* Otf2Decoder::callbacks() const {
  static const OTF2_EvtReaderCallbacks* const kCallbacks = [] {
    OTF2_EvtReaderCallbacks* set = OTF2_EvtReaderCallbacks_New();
    set_old_records(set);
    set_events(set);
    return set;
  }();
  static const OTF2_EvtReaderCallbacks* const kKeepingCallbacks = [] {
    OTF2_EvtReaderCallbacks* set = OTF2_EvtReaderCallbacks_New();
    set_foreign(set);
    set_events(set);
    return set;
  }();
  return extras_ ? kKeepingCallbacks : kCallbacks;
}

}  // namespace tarry
