// profile_files.hpp -- what a thread does with each file.
//
// Calls: handler-safe.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "measure/core/count_nodes.hpp"
#include "measure/core/path_tree.hpp"

namespace tarry::measure {

struct FileKey {
  explicit FileKey(IoHandleId file) : file(file) {}
  explicit FileKey(const FileNode& node) : file(node.count.file) {}
  bool operator==(const FileKey&) const = default;
  std::uint64_t hash() const { return file.value; }

  IoHandleId file;
};

class ProfileFiles {
 public:
  explicit ProfileFiles(PathTree& paths) : paths_(paths) {}

  /// That of a file, which is the latest from here on.
  FileNode& of(IoHandleId file) {
    if (latest_->count.file != file.value) {
      FileNode* const known = nodes_.find(FileKey(file));
      latest_ = known ? known : &make(file);
    }
    return *latest_;
  }
  FileNode* latest() const { return latest_; }

  /// A record of the file: the time since the one before it in the same path is the file's.
  void count_time(FileNode& file, const PathNode& path, Ticks time) {
    add_time(file, time - std::max(path.entered_at, last_record_), time);
  }
  void add_time(FileNode& file, Ticks spent, Ticks time) {
    file.count.time += spent;
    last_record_ = time;
  }
  /// Of any file.
  Ticks last_record() const { return last_record_; }

  /// Takes nothing more.
  void release() { nodes_.release(); }

 private:
  [[gnu::noinline]] FileNode& make(IoHandleId file) {
    return nodes_.make({.count = {.file = file.value}}, paths_.slabs(), paths_.head().files);
  }

  PathTree& paths_;
  CountNodes<FileNode, FileKey> nodes_{kMostFiles};
  FileNode* latest_ = &nodes_.lost();  // at first none of those that are told apart
  Ticks last_record_ = 0;
};

}  // namespace tarry::measure
