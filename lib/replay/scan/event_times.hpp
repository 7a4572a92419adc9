// event_times.hpp -- other times for the events of a trace, given while it is read.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "replay/scan/device_records.hpp"
#include "replay/trees/call_tree.hpp"
#include "replay/trace_ids.hpp"
#include "trace/event.hpp"

namespace tarry {

/// Those of one thread, event after event.
class EventTimes {
 public:
  virtual ~EventTimes() = default;

  /// The next event at its other time. Times never decrease. `path`: where the thread has been since the event before;
  /// `depth`: how many regions are open.
  virtual Event move(const Event& event, PathIndex path, std::size_t depth) = 0;
};

/// Those of a whole trace. Threads are read at the same time.
class Retiming {
 public:
  virtual ~Retiming() = default;

  virtual std::unique_ptr<EventTimes> of_thread(WorldRank rank, ThreadIndex thread) const = 0;

  /// Gives the work of a queue, by its begin, its other times, and the calls that have started it.
  virtual void move_work(WorldRank rank, ThreadIndex queue, std::span<Execution> work) const = 0;
};

}  // namespace tarry
