// record.hpp -- one type for each kind of event, with named and typed fields, made of event_kinds.def.
//
// Whoever makes or reads an event does so by these: record::MpiSend{.receiver = to, .comm = comm, ...}. Only the codec
// and what is here know where an Event keeps a field.
//
// Calls: handler-safe.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "trace/event.hpp"

namespace tarry {

/// What stands for an absent value in a field of type T: an id that names nothing, or kNoField.
template <class T>
inline constexpr T kAbsent = T{};
template <>
inline constexpr std::uint64_t kAbsent<std::uint64_t> = kNoField;

namespace record {

using Number = std::uint64_t;

#define TARRY_FIELD(type, name) type name{};
#define TARRY_OPTIONAL(type, name) type name = kAbsent<type>;
#define TARRY_EVENT(code, Name, text, fields)                      \
  struct Name {                                                    \
    static constexpr EventKind kKind = EventKind::k##Name;         \
    fields constexpr bool operator==(const Name&) const = default; \
  };
#include "trace/event_kinds.def"
#undef TARRY_EVENT
#undef TARRY_OPTIONAL
#undef TARRY_FIELD

/// Calls visit(field, is_optional, name) for each field of a record, in the order of the file. `is_optional` is a
/// std::bool_constant.
#define TARRY_FIELD(type, name) visit(record.name, std::false_type(), std::string_view(#name));
#define TARRY_OPTIONAL(type, name) visit(record.name, std::true_type(), std::string_view(#name));
#define TARRY_EVENT(code, Name, text, fields)                                            \
  template <class Record, class Visit>                                                   \
  requires std::same_as<std::remove_const_t<Record>, Name>                               \
  [[gnu::always_inline]] constexpr void for_each_field([[maybe_unused]] Record& record,  \
                                                       [[maybe_unused]] Visit&& visit) { \
    fields                                                                               \
  }
#include "trace/event_kinds.def"
#undef TARRY_EVENT
#undef TARRY_OPTIONAL
#undef TARRY_FIELD

}  // namespace record

/// The meaning of a field, which its type tells.
template <class Field>
inline constexpr FieldMeaning kFieldMeaning = FieldMeaning::kPlain;
template <>
inline constexpr FieldMeaning kFieldMeaning<RegionId> = FieldMeaning::kRegion;
template <>
inline constexpr FieldMeaning kFieldMeaning<CommId> = FieldMeaning::kComm;
template <>
inline constexpr FieldMeaning kFieldMeaning<WindowId> = FieldMeaning::kWindow;
template <>
inline constexpr FieldMeaning kFieldMeaning<GroupId> = FieldMeaning::kGroup;
template <>
inline constexpr FieldMeaning kFieldMeaning<IoHandleId> = FieldMeaning::kIoHandle;
template <>
inline constexpr FieldMeaning kFieldMeaning<CounterId> = FieldMeaning::kCounter;

/// The 64 bits that an Event holds of a field.
template <class Tag, class Number>
constexpr std::uint64_t bits_of_field(StrongId<Tag, Number> id, bool is_optional) {
  return is_optional && !id.is_valid() ? kNoField : id.value;
}
template <class Value>
requires std::integral<Value> || std::is_enum_v<Value>
constexpr std::uint64_t bits_of_field(Value value, bool) { return static_cast<std::uint64_t>(value); }

/// And back. A number that the type cannot hold becomes its largest: of an id, one that names nothing.
template <class Field>
constexpr void set_field(Field& field, std::uint64_t bits) {
  if constexpr (std::is_enum_v<Field>) {
    constexpr std::uint64_t kLast = std::numeric_limits<std::underlying_type_t<Field>>::max();
    field = static_cast<Field>(bits < kLast ? bits : kLast);
  } else {
    field = bits;
  }
}
template <class Tag, class Number>
constexpr void set_field(StrongId<Tag, Number>& id, std::uint64_t bits) {
  id.value = bits < id.kNone ? static_cast<Number>(bits) : id.kNone;
}

template <class Field>
constexpr Field field_of(std::uint64_t bits) {
  Field field{};
  set_field(field, bits);
  return field;
}

/// The fields of an event, whose kind must be that of the record.
template <class Record>
[[gnu::always_inline]] constexpr Record record_of(const Event& event) {
  Record record;
  std::size_t at = 0;
  for_each_field(record, [&](auto& field, auto, std::string_view) { set_field(field, event.fields[at++]); });
  return record;
}

/// Makes `event` that of a record; its time stays.
template <class Record>
[[gnu::always_inline]] constexpr void set_record(Event& event, const Record& record) {
  event.kind = Record::kKind;
  std::size_t at = 0;
  for_each_field(record, [&](const auto& field, auto is_optional, std::string_view) {
    event.fields[at++] = bits_of_field(field, is_optional);
  });
}

/// The event of a record at `time`.
template <class Record>
constexpr Event event_of(Ticks time, const Record& record) {
  Event event{time, Record::kKind, {}};
  set_record(event, record);
  return event;
}

/// Calls visit(record) with the record of an event, whatever its kind; not for kNone.
template <class Visit>
constexpr void visit_record(const Event& event, Visit&& visit) {
  switch (event.kind) {
    case EventKind::kNone: return;
#define TARRY_EVENT(code, Name, text, fields) \
  case EventKind::k##Name:                    \
    return visit(record_of<record::Name>(event));
#include "trace/event_kinds.def"
#undef TARRY_EVENT
  }
}

}  // namespace tarry
