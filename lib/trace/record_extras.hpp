// record_extras.hpp -- what a foreign trace holds beyond our events: kept as it is, so that a conversion loses nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"

namespace tarry {

/// How an extra relates to the events around it. Numbers are part of the format (docs/FORMAT.md).
enum class ExtraRole : std::uint8_t {
  kAttributes = 0,  // attributes of the event
  kExact = 1,       // the record that the event was made of, where the event holds less
  kBefore = 2,      // a record that is no event of ours; it is before the event
  kDerived = 3,     // nothing: the event follows from the record of an event before
};

struct RecordExtra {
  std::uint64_t event = 0;  // number of the event it belongs to, within a block or a location
  Ticks time = 0;
  ExtraRole role = ExtraRole::kAttributes;
  std::uint32_t end = 0;  // of its payload in the bytes; it begins where that of the extra before ends
};

/// The extras of a block of events, in order. A `kBefore` behind the last event has the number of events.
struct RecordExtras {
  std::vector<RecordExtra> items;
  std::vector<std::uint8_t> bytes;

  bool empty() const { return items.empty(); }
  void clear() {
    items.clear();
    bytes.clear();
  }
  std::span<const std::uint8_t> payload(std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : items[index - 1].end;
    return {bytes.data() + begin, items[index].end - begin};
  }
  /// `bytes` holds the payload of a new extra already.
  void close_item(std::uint64_t event, Ticks time, ExtraRole role) {
    items.push_back({event, time, role, static_cast<std::uint32_t>(bytes.size())});
  }
};

}  // namespace tarry
