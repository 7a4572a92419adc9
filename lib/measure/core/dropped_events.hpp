// dropped_events.hpp -- what has to be known about events that gave way to later ones: how many, and what was open
// then.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "trace/chunk.hpp"
#include "trace/event.hpp"

namespace tarry::measure {

class DroppedEvents {
 public:
  /// Why events are given up: for want of memory, or because they are not wanted. The latter are not counted.
  enum class Reason : std::uint8_t { kNoMemory, kUnwanted };

  /// The oldest block of a thread that was still there is given up. `payload` must be followed by kDecodePadding bytes.
  void add(const ChunkHeader& header, std::span<const std::uint8_t> payload, Reason reason = Reason::kNoMemory);

  /// The events of a block before the time `from` are given up as unwanted. The rest goes to `records`, and `header` is
  /// made to fit them.
  void add_before(Ticks from, ChunkHeader& header, std::span<const std::uint8_t> payload,
                  std::vector<std::uint8_t>& records);

  /// If blocks of the thread of `first_kept` were given up, this gives a chunk to put before that one. It counts the
  /// missing events and enters the regions that were open. False if there is none, or the chunk was taken before.
  bool take(const ChunkHeader& first_kept, ChunkHeader& header, std::vector<std::uint8_t>& records);

  /// The place of a chunk that was kept among those that were kept, the chunk of take() being the first.
  std::uint32_t number(const ChunkHeader& kept) const;

  /// Events that were given up for want of memory.
  std::uint64_t count() const { return count_; }

 private:
  struct Stream {
    std::vector<RegionId> open_regions;
    std::uint64_t lost = 0;
    std::uint32_t last_sequence = 0;
    bool is_taken = false;

    void follow(const Event& event);
  };

  std::map<std::uint32_t, Stream> streams_;  // by thread
  std::uint64_t count_ = 0;
};

}  // namespace tarry::measure
