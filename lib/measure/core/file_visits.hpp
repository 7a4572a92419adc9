// file_visits.hpp -- the fast path of a read or a write that is like one before: same path, same file.
//
// All that enter(), two records and leave() would find out is known. So a whole call takes a few additions.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "measure/core/profile_files.hpp"
#include "measure/core/path_tree.hpp"
#include "measure/core/record_estimates.hpp"

namespace tarry::measure {

/// Where calls on a file count: those from one path.
struct FilePlace {
  PathNode* path = nullptr;  // nullptr: elsewhere
  FileNode* file = nullptr;
};

/// Made for a call, out of the parts of a profile.
class FileVisits {
 public:
  [[gnu::always_inline]] FileVisits(PathTree& paths, ProfileFiles& files) : paths_(paths), files_(files) {}

  /// The place of the open path, if an operation on the file was the latest to be complete.
  FilePlace open_place(IoHandleId file) const {
    PathNode* const path = paths_.open_path();
    const bool is_known = path->transfers && paths_.has_memory() && files_.latest()->count.file == file.value;
    return is_known ? FilePlace{path, files_.latest()} : FilePlace();
  }

  /// Whether a call there is begun in the path that is open, and nothing has to be found or made for it.
  [[gnu::always_inline]] bool would_enter(const FilePlace& place) const {
    return paths_.open_path()->latest_child == place.path && files_.latest() == place.file;
  }
  /// Whether the event before is not so long ago that begin() could not count it.
  [[gnu::always_inline]] bool is_soon(Ticks time) const { return paths_.is_within(time, kFirstLongCallDelta); }

  /// What the calls there have in common takes so many bytes in a trace.
  void count_pattern(const FilePlace& place, Bytes bytes) { place.path->trace_bytes += bytes; }

  /// The enter, and the record of the begin of an operation. Together they take what an enter takes at the least, as
  /// does the rest of a whole call in place of its leave.
  [[gnu::always_inline]] void begin(const FilePlace& place, Ticks time) {
    ++place.path->trace_events;
    paths_.set_last_time(time);
    paths_.begin_visit(*place.path, time);
  }

  /// Whether such a call is open there, and nothing has been counted since it began.
  [[gnu::always_inline]] bool is_latest(const FilePlace& place, Ticks begun) const {
    return paths_.open_path() == place.path && files_.latest() == place.file && paths_.last_time() == begun &&
           place.path->entered_at == begun && files_.last_record() <= begun;
  }
  /// Of the record of its end and of the leave, what needs no time.
  [[gnu::always_inline]] void prepare_end(const FilePlace& place, bool is_write, Bytes bytes) {
    ++place.path->trace_events;
    place.path->transfers->count_file_operation(is_write, bytes);
    place.file->count.add_operation(is_write, bytes);
  }
  /// The rest, so long after the begin.
  [[gnu::always_inline]] void end(const FilePlace& place, Ticks time, Ticks spent) {
    paths_.set_last_time(time);
    files_.add_time(*place.file, spent, time);
    paths_.end_known_visit(*place.path, spent);
  }
  /// The same for any difference, where records of their own have fields of so many bytes.
  void end_after_gap(const FilePlace& place, Ticks time, Bytes fields) {
    place.path->trace_bytes += 1 + varint_bytes(paths_.advance(time)) + fields;
    files_.count_time(*place.file, *place.path, time);
    paths_.end_visit(*place.path, time);
  }

 private:
  PathTree& paths_;
  ProfileFiles& files_;
};

}  // namespace tarry::measure
