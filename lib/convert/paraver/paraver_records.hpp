// paraver_records.hpp -- the records of a .prv: they are sorted, and written in order.
#pragma once

#include <cstdint>
#include <string>

#include "base/files/external_sorter.hpp"
#include "convert/paraver/paraver_names.hpp"
#include "convert/text/text_pipeline.hpp"

namespace tarry {

enum RecordType : std::uint32_t { kStateRecord = 1, kEventRecord = 2, kCommRecord = 3 };

/// One record; times in nanoseconds from the start. `more`: state: end, state; event: type, value; communication:
/// physical send, other location, logical and physical receive, size, tag.
struct ParaverRecord {
  std::int64_t time = 0;
  std::uint32_t type = 0;
  std::uint32_t location = 0;
  std::uint64_t number = 0;  // in the order in which they were found
  std::int64_t more[6] = {};

  bool operator<(const ParaverRecord& other) const {
    if (time != other.time) return time < other.time;
    if (type != other.type) return type < other.type;
    return location != other.location ? location < other.location : number < other.number;
  }
};

/// All records of a trace. They are found in any order: a sorter holds them, in temporary files when they are many.
class ParaverRecords {
 public:
  explicit ParaverRecords(const Clock& clock) : time_of_(clock), sorter_(kSorterBytes) {}

  /// In nanoseconds; nothing is before the start.
  std::int64_t time(Ticks ticks);

  Status add(ParaverRecord record);
  Status add_event(std::uint32_t location, std::int64_t time, std::uint32_t type, std::int64_t value) {
    return add({time, kEventRecord, location, 0, {type, value}});
  }

  /// The latest that time() has told.
  std::int64_t last_time() const { return last_time_; }

  /// Writes the .prv, and beside it `pcf` and the names of the locations, or their `labels`.
  Status write(const std::string& output, const Definitions& all, const std::string& pcf,
               const std::vector<std::string>& labels = {});

 private:
  static constexpr std::size_t kSorterBytes = 96 << 20;

  NanosecondClock time_of_;
  ExternalSorter<ParaverRecord> sorter_;
  std::uint64_t next_number_ = 0;
  std::int64_t last_time_ = 0;
};

}  // namespace tarry
