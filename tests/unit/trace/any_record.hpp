// any_record.hpp -- what tests do with events whatever their kind.
#pragma once

#include <string>
#include <string_view>

#include "trace/record.hpp"

namespace tarry {

/// An event of some kind: calls fill(field, is_optional, name) for each of its fields.
template <class Fill>
Event any_event(Ticks time, EventKind kind, Fill fill) {
  Event event;
  event.time = time;
  event.kind = kind;
  visit_record(event, [&](auto record) {
    for_each_field(record, fill);
    set_record(event, record);
  });
  return event;
}

/// "MPI_SEND 1 0 7 64"; absent fields are '-'.
inline std::string spell(const Event& event) {
  std::string text(info_of(event.kind).name);
  visit_record(event, [&](const auto& record) {
    for_each_field(record, [&](auto field, auto is_optional, std::string_view) {
      const std::uint64_t bits = bits_of_field(field, is_optional);
      text += " " + (bits == kNoField ? "-" : std::to_string(bits));
    });
  });
  return text;
}

}  // namespace tarry
