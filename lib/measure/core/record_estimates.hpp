// record_estimates.hpp -- what a trace of the same run would take in memory, counted for each call path as events come.
//
// A profile counts the least that enters and leaves take from the number of visits (profile_memory.hpp). What is
// counted here is all else: other records, and times and regions that need more bytes (trace/event_codec.hpp).
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <span>

#include "archive/profile/profile_memory.hpp"
#include "base/bytes/bytes.hpp"
#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "trace/event_codec.hpp"

namespace tarry::measure {

/// An enter or a leave, so long after the event before.
inline void estimate_enter(PathNode& path, std::uint64_t delta, RegionId region) {
  path.trace_bytes += enter_bytes(delta, region.value) - enter_bytes(0, region.value);
}
inline void estimate_leave(PathNode& path, std::uint64_t delta) {
  path.trace_bytes += leave_bytes(delta) - leave_bytes(0);
}

/// Any other record.
template <class Record>
[[gnu::always_inline]] inline void estimate_record(PathNode& path, std::uint64_t delta, const Record& record) {
  ++path.trace_events;
  path.trace_bytes += 1 + varint_bytes(delta) + field_bytes(record);
}

/// The record that was counted last, of so many bytes, has been taken back.
inline void take_back_record(PathNode& path, Bytes bytes) {
  --path.trace_events;
  path.trace_bytes -= bytes;
}

/// What the records of all counters take, one after the other.
inline Bytes metric_bytes(std::uint64_t delta, std::span<const CounterId> ids, std::span<const std::uint64_t> values) {
  Bytes bytes = 0;
  for (std::size_t i = 0; i < ids.size(); ++i)
    bytes += 1 + varint_bytes(i ? 0 : delta) + varint_bytes(ids[i].value) + varint_bytes(values[i]);
  return bytes;
}

}  // namespace tarry::measure
