// repeated_transfer.cpp -- what is rare on the fast path: long gaps between events, and new patterns.
#include "measure/io/repeated_transfer.hpp"

#include "measure/io/file_transfer.hpp"
#include "trace/event_codec.hpp"

namespace tarry::measure {

void begin_repeated_after_gap(Thread& thread, Ticks time) {
  const LatestTransfer& latest = kLatestTransfer.of(thread);
  const RegionId region = latest.kind().region();
  const record::IoOperationBegin begin =
      begin_record(handle_of(latest.kind().file()), latest.mode(), latest.wanted(), latest.number());
  if (thread.traces) {
    thread.events.enter_in_room(time, region);
    thread.events.put_in_room(time, begin);
  }
  if (!thread.summarises) return;
  thread.profile.enter_child(*latest.place().path, region, time);
  thread.profile.count_event(time, begin);
}

void end_repeated_after_gap(Thread& thread, Ticks time) {
  const LatestTransfer& latest = kLatestTransfer.of(thread);
  const record::IoOperationComplete end{
      .handle = handle_of(latest.kind().file()), .bytes = latest.moved(), .matching = latest.number()};
  if (thread.traces) {
    thread.events.put_in_room(time, end);
    thread.events.leave_in_room(time);
  }
  if (thread.summarises) thread.profile.file_visits().end_after_gap(latest.place(), time, field_bytes(end));
  LongHold::release(thread.gate);
}

bool prepare_pattern(Thread& thread, Bytes bytes) {
  LatestTransfer& latest = kLatestTransfer.of(thread);
  const bool is_other = latest.wanted() != bytes;
  if (is_other) latest.set_wanted(bytes);
  const std::uint64_t wanted = wanted_of(bytes);
  if (is_other && thread.summarises)
    thread.profile.file_visits().count_pattern(
        latest.place(),
        latest.head().size + varint_bytes(stored_field(wanted, std::true_type())) + varint_bytes(latest.moved()));
  if (!thread.traces) return true;
  thread.events.forget_pattern();
  return thread.events.put_pattern(latest.head(), wanted, latest.moved()) && thread.events.may_repeat();
}

}  // namespace tarry::measure
