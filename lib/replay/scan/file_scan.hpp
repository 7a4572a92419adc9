// file_scan.hpp -- the part of the pass over the events that adds up what a thread reads from files and writes to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "defs/file_count.hpp"
#include "replay/scan/scanned_thread.hpp"
#include "trace/record.hpp"

namespace tarry {

/// Leaves: LogicalThread::files, LogicalRank::file_counts.
class [[gnu::visibility("hidden")]] FileScan {
 public:
  explicit FileScan(ScannedThread & thread) : thread_(thread) {}

  void open(Ticks time, const record::IoCreateHandle& open);

  /// The time until a record of a file, from the begin of the call or from the record before, is the file's.
  void spend(Ticks time, IoHandleId file);

  void begin(Ticks time, const record::IoOperationBegin& begin);
  void complete(Ticks time, const record::IoOperationComplete& end);

 private:
  struct OpenOperation {
    IoHandleId file;
    std::uint64_t matching;
    std::size_t depth;  // of the call that began it
    Ticks enter;        // of that call
  };

  FileCount& count_of(IoHandleId file) { return thread_.rank.file_counts.insert(file.value, {.file = file.value}); }
  void keep_open(IoHandleId file, std::uint64_t matching);
  bool is_part_of_operation(IoHandleId file) const;

  ScannedThread& thread_;
  Ticks last_record_ = 0;            // of any file: when
  std::vector<OpenOperation> open_;  // that block; the innermost last
};

}  // namespace tarry
