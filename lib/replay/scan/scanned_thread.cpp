// scanned_thread.cpp -- a thread while its events are read: its calls, its moments and what is wrong with its events.
#include "replay/scan/scanned_thread.hpp"

#include <utility>

namespace tarry {

CallIndex ScannedThread::add_call(const OpenVisit& visit) {
  const CallIndex index = rank.calls.next_id();
  MpiCall call;
  call.enter = visit.enter;
  call.path = visit.path;
  call.position = visit.position;
  call.thread = number;
  call.call = process.regions[visit.region].call;
  rank.calls.push_back(call);
  return index;
}

ThreadMoment ScannedThread::moment(Ticks time, LogPosition position) const {
  return {.time = time,
          .path = open.path(),
          .position = position,
          .calls_before = static_cast<std::uint32_t>(rank.calls.size()),
          .event = ordinal()};
}

void ScannedThread::fault(Fault kind, std::string detail, std::uint64_t count) {
  process.source.faults().add(kind, location_name(process.source.definitions(), logical.location), record_number(),
                              std::move(detail), count);
}

}  // namespace tarry
