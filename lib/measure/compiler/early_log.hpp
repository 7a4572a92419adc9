// early_log.hpp -- events of a process that has no rank yet: kept as they came, told again when the recording starts.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/units.hpp"

namespace tarry::measure {

struct EarlyEvent {
  enum Kind : std::uint32_t { kEnter, kLeave, kPause, kResume };

  Ticks time = 0;
  std::uintptr_t frame = 0;  // key of the frame
  std::uintptr_t key = 0;    // key of the region
  std::uintptr_t stack = 0;
  Kind kind = kEnter;
  bool is_user = false;
};

/// Of the first thread that records anything; others begin with the recording.
class EarlyLog {
 public:
  /// Keeps an event; false, and counted, if there is no room. Takes memory from the kernel now and then.
  bool put(const EarlyEvent& event);

  /// True if the calling thread is the one whose events are kept.
  bool is_mine();

  /// Calls `tell(event)` for each event, in their order, and forgets them.
  template <class Tell>
  void take(Tell tell) {
    for (Slab* slab = first_; slab; slab = slab->next)
      for (std::size_t i = 0; i < slab->used; ++i) tell(slab->events[i]);
    drop();
  }

  void drop();

  /// Events that found no room.
  std::uint64_t lost() const { return lost_; }

 private:
  static constexpr std::size_t kSlabBytes = 1 << 20, kMostSlabs = 64;

  struct Slab {
    Slab* next = nullptr;
    std::size_t used = 0;
    EarlyEvent events[(kSlabBytes - 2 * sizeof(std::size_t)) / sizeof(EarlyEvent)];
  };

  bool append(const EarlyEvent& event);
  bool add_slab();

  volatile bool is_busy_ = false;
  Slab* first_ = nullptr;
  Slab* last_ = nullptr;
  std::size_t slabs_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace tarry::measure
