// file_table.hpp -- what a run has done with each file, as an extra file of a report (docs/CUBEX.md, "File table").
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "defs/file_count.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// One file, by the name that the program has opened it with.
struct FileUse {
  std::string name;
  std::uint64_t processes = 0;
  std::uint64_t opens = 0, reads = 0, writes = 0;
  Bytes bytes_read = 0, bytes_written = 0;
  double seconds = 0;  // of all threads together

  bool operator==(const FileUse&) const = default;
};

/// Sorted by name; each name once.
using FileTable = std::vector<FileUse>;

/// The files of all processes, from those of each. Times are added up as ticks: so the table does not depend on the
/// order of threads and processes.
class FileTableBuilder {
 public:
  /// `definitions` number the files.
  explicit FileTableBuilder(const Definitions& definitions) : definitions_(definitions) {}

  /// What one process has done, or each of its threads: a file may be there more than once.
  void add_process(std::span<const FileCount> files);

  /// Beyond a bound, those that took the least time are counted as "other files".
  FileTable take();

 private:
  struct NamedCount {
    std::string name;
    std::uint64_t processes = 1;
    FileCount count;
  };

  static void merge_names(std::vector<NamedCount>& files);
  FileUse use_of(const NamedCount& file) const;

  const Definitions& definitions_;
  std::vector<NamedCount> all_;
  std::size_t merged_ = 0;  // of these: sorted, each name once
};

/// Adds the table to a report; nothing if it is empty.
void add_file_table(const FileTable& table, std::vector<ReportFile>& files);

/// The table of a report; empty if it has none.
Result<FileTable> read_file_table(const std::vector<ReportFile>& files);

}  // namespace tarry
