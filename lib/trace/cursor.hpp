// cursor.hpp -- reading the events of a location from its end to its beginning.
#pragma once

#include <span>

#include "trace/event.hpp"

namespace tarry {

/// The mirror image of EventReader.
class BackwardReader {
 public:
  virtual ~BackwardReader() = default;

  /// The events before those handed out last, at most a few thousand, latest first; empty at the beginning. The span is
  /// valid until the next call.
  virtual std::span<const Event> previous() = 0;
};

}  // namespace tarry
