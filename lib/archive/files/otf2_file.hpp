// otf2_file.hpp -- otf2.tdef: what an imported OTF2 trace holds beyond our events and definitions (docs/FORMAT.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "trace/container.hpp"
#include "trace/correction.hpp"
#include "trace/event.hpp"
#include "trace/record_extras.hpp"

namespace tarry {

/// Writes the file while the events are written.
class Otf2FileWriter {
 public:
  /// Creates it and writes the facts (encode_otf2_facts()).
  static Result<Otf2FileWriter> create(const std::string& archive, std::span<const std::uint8_t> facts);

  /// Of one location; made with its process and thread.
  struct Stream {
    ChunkHeader header;
    std::vector<std::uint8_t> records;
    std::uint64_t event = 0;  // and time of the extra before
    Ticks time = 0;
  };

  /// Extras of events that follow `event_count` others of the location.
  Status append(Stream& stream, std::uint64_t event_count, const RecordExtras& extras);
  Status finish(Stream& stream);
  Status seal();

 private:
  Status flush(Stream& stream, bool is_last);

  std::string path_;
  std::optional<ContainerWriter> container_;
};

/// The file of an archive that has one.
class Otf2File {
 public:
  /// Fails if it is damaged.
  static Result<Otf2File> open(const std::string& archive);

  std::span<const std::uint8_t> facts() const { return facts_; }

  /// Hands out the extras of one location block by block.
  class Reader {
   public:
    Reader() = default;
    /// `clock`: the corrections of the location.
    Reader(const Otf2File& file, std::uint32_t process, std::uint32_t thread, const LocationClock& clock);

    /// Those of the next events; behind the last one (`is_end`) all that are left. `events` count as they were written.
    /// An extra whose time is not that of its event is left out and counted; corrected times are not compared.
    void next(std::span<const Event> events, bool is_end, RecordExtras& out);

    std::uint64_t misplaced() const { return misplaced_; }
    /// Why the rest of them cannot be read; empty if all is well.
    const std::string& failure() const { return failure_; }

   private:
    bool peek();

    const Otf2File* file_ = nullptr;
    LocationClock clock_;
    const std::vector<ChunkRef>* chunks_ = nullptr;
    std::size_t chunk_ = 0;
    std::vector<std::uint8_t> bytes_;
    std::size_t position_ = 0;
    std::uint64_t events_before_ = 0;
    std::uint64_t misplaced_ = 0;
    std::string failure_;
    bool has_next_ = false;
    RecordExtra next_;
    std::span<const std::uint8_t> payload_;
    std::uint64_t last_event_ = 0;
    Ticks last_time_ = 0;
  };

 private:
  std::unique_ptr<Container> container_;
  std::vector<std::uint8_t> facts_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<ChunkRef>> chunks_;  // by process and thread
};

}  // namespace tarry
