// source.hpp -- what a tool reads events from, whatever the format: an archive or an OTF2 trace.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/result.hpp"
#include "defs/definitions.hpp"
#include "trace/event.hpp"
#include "trace/faults.hpp"
#include "trace/record_extras.hpp"

namespace tarry {

/// Reads the events of one location in order, a block at a time. Readers of different locations may be used by
/// different threads at the same time.
class EventReader {
 public:
  virtual ~EventReader() = default;

  /// The next events, at most a few thousand; empty at the end. The span is valid until the next call. Damage is
  /// noted in the source's fault log and skipped, never returned as an event.
  virtual std::span<const Event> next() = 0;

  /// What the trace holds beyond the events of the last block; only after Source::keep_extras(). Behind the last event
  /// the block is empty, but there may be extras.
  virtual const RecordExtras& extras() const {
    static const RecordExtras kNone;
    return kNone;
  }
};

/// A trace: global definitions and one stream of events per location.
class Source {
 public:
  virtual ~Source() = default;

  virtual const Definitions& definitions() const = 0;

  /// Path as the user gave it, for messages.
  virtual const std::string& path() const = 0;

  /// A reader at the first event of `location` (index into definitions().locations). A location whose events cannot
  /// be read at all gives a reader that is at its end, and a fault.
  virtual std::unique_ptr<EventReader> open(LocationId location) = 0;

  /// What was found damaged so far. Thread-safe.
  virtual FaultLog& faults() = 0;

  /// Nothing will be read for a while: takes pages of files out of memory. They come back when they are read again.
  virtual void rest() {}

  /// Readers that are opened from now on keep what is no event of ours. Call before reading.
  virtual Status keep_extras() { return {}; }

  /// After keep_extras(): the definitions of the OTF2 trace that this is or came from (encode_otf2_facts()); else
  /// empty.
  virtual std::span<const std::uint8_t> otf2_facts() const { return {}; }
};

}  // namespace tarry
