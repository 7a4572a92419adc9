// location_reader.hpp -- reads the chunks of one location forwards and backwards, a block of events at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "archive/reading/contents.hpp"
#include "trace/correction.hpp"
#include "trace/cursor.hpp"
#include "trace/event_codec.hpp"
#include "trace/source.hpp"

namespace tarry {

/// Everything a reader of one location needs; owned by the source and shared by its readers.
struct LocationStream {
  LocationStream() = default;
  LocationStream(LocationStream&& other) noexcept
      : contents(other.contents),
        definitions(other.definitions),
        chunks(other.chunks),
        ids(other.ids),
        clock(other.clock),
        bounds(std::move(other.bounds)),
        name(std::move(other.name)),
        faults(other.faults),
        is_complete(other.is_complete) {}

  const ArchiveContents* contents = nullptr;
  const Definitions* definitions = nullptr;
  std::span<const ChunkPlace> chunks;
  const IdMap* ids = nullptr;
  LocationClock clock;
  std::vector<Ticks> bounds;  // chunk i may hold times (corrected) from bounds[i] to bounds[i + 1]
  std::string name;           // "rank 3 thread 0"
  FaultLog* faults = nullptr;
  bool is_complete = true;               // false: its process ended without closing the recording
  std::atomic<std::size_t> reported{0};  // faults of the chunks before this one are in the log
};

/// Decodes one chunk after the other into blocks and translates ids and times. The readers below drive it.
class ChunkDecoder {
 public:
  ChunkDecoder(const LocationStream& stream, FaultLog* faults) : stream_(stream), faults_(faults) {}

  /// Loads chunk `index`; false if it cannot be read. `event_number` is that of its first event, for messages.
  bool load(std::size_t index, std::uint64_t event_number);

  /// Decodes up to `block.size()` events, drops what is not usable, and returns how many remain. 0 only at the end.
  std::size_t decode(std::span<Event> block);

  /// Where the next event is: enough to come back to it with seek() while the chunk is loaded.
  struct Mark {
    RecordDecoder decoder;
    Ticks floor = 0;
  };
  Mark mark() const { return {*decoder_, floor_}; }
  void seek(const Mark& mark);

  /// Number of the next event within its location, counting those that were dropped.
  std::uint64_t event_number() const { return event_number_; }

  /// Gives the memory of the chunk back.
  void release();

 private:
  static constexpr std::size_t kMostSpareBytes = 256 << 10;

  enum class Use { kKeep, kDrop, kCut };  // what becomes of an event; kCut: it and the rest of its chunk are dropped

  bool is_plain(Event& event) const;
  Use use_of(Event& event);
  template <class Record>
  bool translate_fields(Record& record);
  void end_of_records();
  void note(Fault fault, std::string detail, std::uint64_t count = 1);

  const LocationStream& stream_;
  FaultLog* faults_;  // null: silent
  std::vector<std::uint8_t> bytes_;
  std::size_t payload_bytes_ = 0;
  std::optional<RecordDecoder> decoder_;
  std::size_t index_ = 0;
  std::uint64_t raw_count_ = 0;  // records decoded of this chunk
  std::uint64_t event_number_ = 0;
  Ticks floor_ = 0, ceiling_ = 0;
  bool is_ended_ = true;
};

std::unique_ptr<EventReader> make_forward_reader(LocationStream& stream, std::size_t block_events);
std::unique_ptr<BackwardReader> make_backward_reader(const LocationStream& stream, std::size_t block_events);

}  // namespace tarry
