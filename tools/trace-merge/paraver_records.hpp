// paraver_records.hpp -- the records of a .prv: they are sorted, and written in order.
#pragma once

#include <cstdint>
#include <string>

#include "base/external_sorter.hpp"
#include "paraver_names.hpp"

namespace tarry {

inline constexpr std::size_t kParaverSorterBytes = 96 << 20;

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

/// Writes the file: `header`, and all records in order.
Status write_records(const std::string& output, const ParaverObjects& objects, const std::string& header,
                     ExternalSorter<ParaverRecord>& sorter);

/// "run" of run.prv
std::string paraver_stem(const std::string& path);

}  // namespace tarry
