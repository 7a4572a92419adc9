// otf2_event_writer.cpp -- the table from our events to OTF2's records, and the records that need more than a table.
#include "trace/otf2/otf2_event_writer.hpp"

#include <algorithm>
#include <concepts>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "trace/otf2/otf2_events.hpp"
#include "trace/otf2/otf2_record_codec.hpp"

// Records that OTF2 advises against are copied nevertheless where a trace has them.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tarry {
namespace {

/// An event that OTF2's record cannot hold.
constexpr OTF2_ErrorCode kNotRepresentable = OTF2_ERROR_INVALID_ARGUMENT;

/// Unwind distance: only the last region of the path is entered.
constexpr std::uint32_t kOneNewRegion = 2;

const std::vector<std::uint64_t>& references_of(const Otf2References& all, RegionId) { return all.regions; }
const std::vector<std::uint64_t>& references_of(const Otf2References& all, CommId) { return all.comms; }
const std::vector<std::uint64_t>& references_of(const Otf2References& all, TeamId) { return all.comms; }
const std::vector<std::uint64_t>& references_of(const Otf2References& all, WindowId) { return all.windows; }
const std::vector<std::uint64_t>& references_of(const Otf2References& all, GroupId) { return all.groups; }
const std::vector<std::uint64_t>& references_of(const Otf2References& all, IoHandleId) { return all.io_handles; }

/// One field translated back; false if OTF2's field of type T cannot hold it.
template <class T, class Field>
bool translate_back(const Otf2References& references, Field field, bool is_optional, T& out) {
  std::uint64_t value = bits_of_field(field, is_optional);
  bool is_held = value <= std::numeric_limits<std::make_unsigned_t<T>>::max();
  if constexpr (requires { references_of(references, field); }) {
    const auto& table = references_of(references, field);
    is_held = value < table.size();
    if (is_held) value = table[value];
  } else if constexpr (std::same_as<Field, Paradigm>) {
    is_held = field <= Paradigm::kOther;
    if (is_held) value = otf2_paradigm_of(field);
  } else if constexpr (std::same_as<Field, CommRank>) {
    if (is_optional && !field.is_valid()) is_held = true, value = OTF2_UNDEFINED_UINT32;
    else if (is_optional) is_held = value < OTF2_COLLECTIVE_ROOT_THIS_GROUP;
  }
  out = static_cast<T>(value);
  return is_held;
}

template <class Writer, Writer kWriter, class Fields>
struct Otf2Written;

template <class... Args, OTF2_ErrorCode (*kWriter)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, Args...),
          class Record, class... Fields>
struct Otf2Written<OTF2_ErrorCode (*)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, Args...), kWriter,
                   Otf2Fields<Record, Fields...>> {
  static OTF2_ErrorCode write(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes, OTF2_TimeStamp time,
                              const Event& event, [[maybe_unused]] const Otf2References& references) {
    static_assert(sizeof...(Args) == sizeof...(Fields), "not field by field: see otf2_event_map.def");
    [[maybe_unused]] const auto record = record_of<Record>(event);
    std::tuple<Args...> out;
    return [&]<std::size_t... kAt>(std::index_sequence<kAt...>) {
      if (!(translate_back(references, record.*Fields::member, Fields::is_optional, std::get<kAt>(out)) && ...))
        return kNotRepresentable;
      return kWriter(writer, attributes, time, std::get<kAt>(out)...);
    }
    (std::index_sequence_for<Args...>());
  }
};

/// How many events an OTF2 record of metrics was made into.
std::size_t values_in_metric(std::span<const std::uint8_t> payload) {
  ByteReader in(payload);
  in.u8();      // kind of record
  in.varint();  // metric class
  return std::max<std::size_t>(static_cast<std::size_t>(in.varint()), 1);
}

/// Decodes the fields of a record and hands them to its writer.
template <class Writer>
struct Otf2Copy;

template <class... Args>
struct Otf2Copy<OTF2_ErrorCode (*)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, Args...)> {
  template <OTF2_ErrorCode (*kWriter)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, Args...), class Before>
  static bool write(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes, OTF2_TimeStamp time, ByteReader& in,
                    Before&& before) {
    return decode_otf2_fields<Args...>(in, [&](auto... args) {
      if (!before()) return OTF2_ERROR_INVALID_DATA;
      return kWriter(writer, attributes, time, args...);
    });
  }
};

}  // namespace

const std::vector<std::string_view>& own_field_names() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (int code = 0; code < kEventKindCount; ++code) {
      const EventKindInfo& info = info_of(static_cast<std::uint8_t>(code));
      for (int i = 0; i < info.field_count; ++i)
        if (std::find(names.begin(), names.end(), info.fields[i].name) == names.end())
          names.push_back(info.fields[i].name);
    }
    return names;
  }();
  return kNames;
}

OTF2_MetricRef Otf2MetricClasses::find(const std::vector<std::uint32_t>& counters) {
  const std::lock_guard lock(mutex_);
  return classes_.try_emplace(counters, static_cast<OTF2_MetricRef>(classes_.size())).first->second;
}

std::vector<std::vector<std::uint32_t>> Otf2MetricClasses::all() const {
  std::vector<std::vector<std::uint32_t>> by_reference(classes_.size());
  for (const auto& [counters, reference] : classes_) by_reference[reference] = counters;
  return by_reference;
}

Otf2EventWriter::Otf2EventWriter(OTF2_EvtWriter* writer, Otf2WriteModel& model)
    : writer_(writer), model_(model), attributes_(OTF2_AttributeList_New()) {}

Otf2EventWriter::~Otf2EventWriter() { OTF2_AttributeList_Delete(attributes_); }

Status Otf2EventWriter::write(std::span<const Event> events, const RecordExtras& extras) {
  std::size_t next = 0;
  for (std::size_t i = 0; i <= events.size(); ++i) {
    bool is_written = false;
    OTF2_ErrorCode outcome = OTF2_SUCCESS;
    for (; next < extras.items.size() && extras.items[next].event <= i; ++next) {
      const RecordExtra& extra = extras.items[next];
      const auto payload = extras.payload(next);
      if (extra.role == ExtraRole::kAttributes) {
        if (!set_attributes(payload)) ++model_.unwritten[0];
        continue;
      }
      if (extra.role == ExtraRole::kDerived) {
        is_written = true;
        continue;
      }
      outcome = write_record(payload, time_of(extra.time));
      if (outcome == OTF2_ERROR_INVALID_DATA) {
        ++model_.unwritten[0];
        outcome = OTF2_SUCCESS;
      } else if (extra.role == ExtraRole::kExact) {
        is_written = true;
        if (i < events.size() && events[i].kind == EventKind::kMetric) copied_metrics_ = values_in_metric(payload) - 1;
      }
      if (outcome != OTF2_SUCCESS) break;
    }
    if (i == events.size()) return outcome == OTF2_SUCCESS ? Status() : Error{"events", last_otf2_message(), ""};
    if (!is_written && events[i].kind == EventKind::kMetric && copied_metrics_ > 0) {
      --copied_metrics_;
      is_written = true;
    }
    note_enter(events[i]);
    if (outcome == OTF2_SUCCESS && !is_written) outcome = write_event(events[i]);
    note_leave(events[i]);
    if (outcome != OTF2_SUCCESS) return Error{"events", last_otf2_message(), ""};
  }
  return {};
}

/// The calling context of a region that is entered now. What is inside a region without one has none either.
std::uint32_t Otf2EventWriter::context_of(RegionId region) {
  constexpr std::uint32_t kNone = Otf2ContextTree::kNone;
  if (!model_.writes_contexts || region.value >= model_.references.regions.size()) return kNone;
  if (open_regions_.empty()) return contexts_.find(kNone, region);
  const std::uint32_t parent = open_regions_.back().context;
  return parent == kNone ? kNone : contexts_.find(parent, region);
}

/// To tell what a LEAVE without a region leaves.
void Otf2EventWriter::note_enter(const Event& event) {
  if (event.kind != EventKind::kEnter) return;
  const RegionId region = record_of<record::Enter>(event).region;
  open_regions_.push_back({region, context_of(region)});
}

void Otf2EventWriter::note_leave(const Event& event) {
  if (event.kind == EventKind::kLeave && !open_regions_.empty()) open_regions_.pop_back();
}

Status Otf2EventWriter::finish() {
  return write_metrics() == OTF2_SUCCESS ? Status() : Error{"events", last_otf2_message(), ""};
}

/// A record holds one value of each counter; the next group begins where one comes again, or later.
OTF2_ErrorCode Otf2EventWriter::add_metric(const Event& event) {
  const auto metric = record_of<record::Metric>(event);
  const std::uint32_t counter = metric.metric.value;
  if (!model_.can_define || counter >= model_.definitions->counters.size()) {
    ++model_.unwritten[static_cast<std::size_t>(event.kind)];
    return OTF2_SUCCESS;
  }
  const bool is_next = event.time != metric_time_ ||
                       metric_counters_.size() == std::numeric_limits<std::uint8_t>::max() ||
                       std::find(metric_counters_.begin(), metric_counters_.end(), counter) != metric_counters_.end();
  const OTF2_ErrorCode outcome = is_next ? write_metrics() : OTF2_SUCCESS;
  metric_time_ = event.time;
  metric_counters_.push_back(counter);
  metric_types_.push_back(otf2_type_of(model_.definitions->counters[counter].type));
  metric_values_.push_back({.unsigned_int = metric.value});
  return outcome;
}

OTF2_ErrorCode Otf2EventWriter::write_metrics() {
  if (metric_counters_.empty()) return OTF2_SUCCESS;
  const OTF2_ErrorCode outcome = OTF2_EvtWriter_Metric(
      writer_, nullptr, time_of(metric_time_), model_.metric_classes.find(metric_counters_),
      static_cast<std::uint8_t>(metric_counters_.size()), metric_types_.data(), metric_values_.data());
  metric_counters_.clear();
  metric_types_.clear();
  metric_values_.clear();
  return outcome;
}

OTF2_ErrorCode Otf2EventWriter::write_event(const Event& event) {
  if (event.kind == EventKind::kMetric) return add_metric(event);
  if (const OTF2_ErrorCode written = write_metrics(); written != OTF2_SUCCESS) return written;
  const OTF2_TimeStamp time = time_of(event.time);
  const bool is_end_of_visit = event.kind == EventKind::kEnter || event.kind == EventKind::kLeave;
  if (is_end_of_visit && !open_regions_.empty() && open_regions_.back().context != Otf2ContextTree::kNone)
    return write_in_context(event.kind, time);
  OTF2_ErrorCode outcome = kNotRepresentable;
  switch (event.kind) {
    using enum EventKind;
#define TARRY_OTF2_EVENT(name)                                                                                      \
  case k##name:                                                                                                     \
    outcome =                                                                                                       \
        Otf2Written<decltype(&OTF2_EvtWriter_##name), &OTF2_EvtWriter_##name,                                       \
                    Otf2FieldsOf<record::name>::Type>::write(writer_, attributes_, time, event, model_.references); \
    break;
#include "trace/otf2/otf2_event_map.def"
#undef TARRY_OTF2_EVENT
    case kLeave: outcome = write_leave(event, time); break;
    case kProgramBegin: outcome = write_program_begin(event, time); break;
    case kProgramEnd: outcome = write_program_end(event, time); break;
    case kBufferFlush:
      outcome =
          OTF2_EvtWriter_BufferFlush(writer_, attributes_, time, time + record_of<record::BufferFlush>(event).duration);
      break;
    case kMeasurementOnOff:
      outcome = OTF2_EvtWriter_MeasurementOnOff(
          writer_, attributes_, time,
          record_of<record::MeasurementOnOff>(event).is_on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
      break;
    default: break;
  }
  return outcome == kNotRepresentable ? write_own(event) : outcome;
}

/// Enters or leaves the innermost region, which has a calling context.
OTF2_ErrorCode Otf2EventWriter::write_in_context(EventKind kind, OTF2_TimeStamp time) {
  const std::uint32_t context = open_regions_.back().context;
  if (kind == EventKind::kLeave) return OTF2_EvtWriter_CallingContextLeave(writer_, attributes_, time, context);
  return OTF2_EvtWriter_CallingContextEnter(writer_, attributes_, time, context, kOneNewRegion);
}

OTF2_ErrorCode Otf2EventWriter::write_leave(const Event& event, OTF2_TimeStamp time) {
  RegionId region = record_of<record::Leave>(event).region;
  if (!region.is_valid() && !open_regions_.empty()) region = open_regions_.back().region;
  const auto& regions = model_.references.regions;
  const std::uint64_t reference = region.value < regions.size() ? regions[region.value] : OTF2_UNDEFINED_REGION;
  return OTF2_EvtWriter_Leave(writer_, attributes_, time, static_cast<OTF2_RegionRef>(reference));
}

OTF2_ErrorCode Otf2EventWriter::write_program_begin(const Event& event, OTF2_TimeStamp time) {
  OTF2_StringRef name = OTF2_UNDEFINED_STRING;
  if (const RegionId region = record_of<record::ProgramBegin>(event).region; region.is_valid()) {
    if (region.value < model_.programs.size()) name = model_.programs[region.value];
    if (name == OTF2_UNDEFINED_STRING) return kNotRepresentable;
  }
  return OTF2_EvtWriter_ProgramBegin(writer_, attributes_, time, name, 0, nullptr);
}

OTF2_ErrorCode Otf2EventWriter::write_program_end(const Event& event, OTF2_TimeStamp time) {
  const std::uint64_t status = record_of<record::ProgramEnd>(event).status;
  return OTF2_EvtWriter_ProgramEnd(writer_, attributes_, time,
                                   status == kNoField ? OTF2_UNDEFINED_INT64 : static_cast<std::int64_t>(status));
}

/// An event that OTF2 has no record for: a parameter with the name of the kind, and attributes with those of the
/// fields.
OTF2_ErrorCode Otf2EventWriter::write_own(const Event& event) {
  const auto code = static_cast<std::size_t>(event.kind);
  if (!model_.can_define) {
    ++model_.unwritten[code];
    OTF2_AttributeList_RemoveAllAttributes(attributes_);
    return OTF2_SUCCESS;
  }
  model_.own_kinds[code] = true;
  std::uint64_t first = 0;
  visit_record(event, [&](const auto& record) { first = add_own_fields(record); });
  return OTF2_EvtWriter_ParameterUnsignedInt(writer_, attributes_, time_of(event.time),
                                             static_cast<OTF2_ParameterRef>(code), first);
}

/// As attributes; the value of the first one.
template <class Record>
std::uint64_t Otf2EventWriter::add_own_fields(const Record& record) {
  const auto& names = own_field_names();
  const auto& groups = model_.references.groups;  // all other references are our indices
  std::optional<std::uint64_t> first;
  for_each_field(record, [&]<class Field>(const Field& field, auto is_optional, std::string_view name) {
    std::uint64_t value = bits_of_field(field, is_optional);
    if (!first) first = value;
    if (is_optional && value == kNoField) return;
    const auto place = std::find(names.begin(), names.end(), name) - names.begin() +
                       static_cast<std::ptrdiff_t>(model_.attributes.size());
    if (std::same_as<Field, GroupId> && value < groups.size()) value = groups[value];
    OTF2_AttributeList_AddUint64(attributes_, static_cast<OTF2_AttributeRef>(place), value);
  });
  return first.value_or(0);
}

/// The attributes of the next record; none is left from the one before: OTF2's writers empty the list.
bool Otf2EventWriter::set_attributes(std::span<const std::uint8_t> payload) {
  ByteReader in(payload);
  for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left) {
    const auto reference = static_cast<OTF2_AttributeRef>(in.varint());
    const auto type = static_cast<OTF2_Type>(in.varint());
    const std::uint64_t bits = in.varint();
    if (!in.failed()) OTF2_AttributeList_AddAttribute(attributes_, reference, type, value_of_bits(bits));
  }
  return !in.failed();
}

OTF2_ErrorCode Otf2EventWriter::write_record(std::span<const std::uint8_t> payload, OTF2_TimeStamp time) {
  ByteReader in(payload);
  const auto read_attributes = [&] { return set_attributes({in.position(), in.left()}); };
  bool is_written = false;
  switch (in.u8()) {
#define TARRY_OTF2_RECORD(code, name)                                                                                  \
  case code:                                                                                                           \
    is_written = Otf2Copy<decltype(&OTF2_EvtWriter_##name)>::write<&OTF2_EvtWriter_##name>(writer_, attributes_, time, \
                                                                                           in, read_attributes);       \
    break;
#include "trace/otf2/otf2_kinds.def"
#undef TARRY_OTF2_RECORD
    default: break;
  }
  return is_written ? OTF2_SUCCESS : OTF2_ERROR_INVALID_DATA;
}

}  // namespace tarry
