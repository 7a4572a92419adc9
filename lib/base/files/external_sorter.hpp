// external_sorter.hpp -- sorts more plain records than fit into memory, through temporary files without names.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/files/file.hpp"
#include "base/arrays/merge_heap.hpp"
#include "base/result.hpp"
#include "base/files/temporary_file.hpp"

namespace tarry {

/// `Record` may be copied as bytes and is ordered by `<`, a total order. Add all, finish, then take one after the
/// other.
template <class Record>
class ExternalSorter {
  static_assert(std::is_trivially_copyable_v<Record>);

 public:
  /// At most `memory_bytes` of records wait in memory.
  explicit ExternalSorter(std::size_t memory_bytes, std::string folder = temporary_folder())
      : most_(std::max<std::size_t>(memory_bytes / sizeof(Record), 2)), folder_(std::move(folder)) {}

  Status add(const Record& record) {
    records_.push_back(record);
    return records_.size() < most_ ? Status() : write_run();
  }

  Status finish() {
    if (runs_.empty()) {
      std::sort(records_.begin(), records_.end());
      return {};
    }
    if (!records_.empty()) TARRY_TRY(write_run());
    records_ = {};
    const std::size_t each = std::max<std::size_t>(most_ / runs_.size(), 1);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      TARRY_TRY(refill(runs_[i], each));
      heap_.push({runs_[i].records.front(), i});
    }
    each_ = each;
    return {};
  }

  /// The next record, or null at the end; valid until the next call.
  Result<const Record*> next() {
    if (runs_.empty()) return at_ < records_.size() ? &records_[at_++] : nullptr;
    if (heap_.empty()) return nullptr;
    current_ = heap_.top().record;
    Run& run = runs_[heap_.top().run];
    const std::size_t number = heap_.top().run;
    if (++run.at == run.records.size()) TARRY_TRY(refill(run, each_));
    if (run.records.empty()) heap_.pop();
    else heap_.replace_top({run.records[run.at], number});
    return &current_;
  }

 private:
  struct Run {
    File file;
    std::uint64_t left = 0;  // records that are not read
    std::uint64_t offset = 0;
    std::vector<Record> records;
    std::size_t at = 0;
  };
  struct Key {
    Record record;
    std::size_t run;
    bool operator<(const Key& other) const { return record < other.record; }
  };

  Status write_run() {
    std::sort(records_.begin(), records_.end());
    TARRY_TRY_ASSIGN(file, open_temporary_file(folder_));
    Run& run = runs_.emplace_back();
    run.file = std::move(file);
    run.left = records_.size();
    TARRY_TRY(write_all(run.file, records_.data(), records_.size() * sizeof(Record), folder_));
    records_.clear();
    return {};
  }

  Status refill(Run& run, std::size_t most) {
    run.at = 0;
    run.records.resize(static_cast<std::size_t>(std::min<std::uint64_t>(most, run.left)));
    run.left -= run.records.size();
    auto* at = reinterpret_cast<char*>(run.records.data());
    for (std::size_t bytes = run.records.size() * sizeof(Record); bytes > 0;) {
      const ssize_t count = ::pread(run.file.descriptor(), at, bytes, static_cast<off_t>(run.offset));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return Error{folder_, count < 0 ? system_error() : "a temporary file is cut off", ""};
      at += count;
      bytes -= static_cast<std::size_t>(count);
      run.offset += static_cast<std::uint64_t>(count);
    }
    return {};
  }

  std::size_t most_;
  std::string folder_;
  std::vector<Record> records_;
  std::size_t at_ = 0;
  std::vector<Run> runs_;
  std::size_t each_ = 1;
  MergeHeap<Key> heap_;
  Record current_{};
};

}  // namespace tarry
