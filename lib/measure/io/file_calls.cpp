// file_calls.cpp -- records of file operations that the program makes itself, not through MPI.
//
// docs/MEASURED_PROGRAM.md says what is recorded.
#include <fcntl.h>
#include <unistd.h>

#include <iterator>

#include "measure/callpath/calling_code.hpp"
#include "measure/io/file_call.hpp"
#include "measure/io/file_names.hpp"
#include "measure/io/file_transfers.hpp"
#include "measure/io/latest_transfer.hpp"
#include "measure/io/wanted_files.hpp"

namespace tarry::measure {
namespace {

// Defined twice where two threads come first at the same time: equal regions are one when definitions are unified.
[[gnu::noinline]] RegionId define_region(FileFunction function) {
  const FileFunctionInfo& info = kFileFunctions[static_cast<std::size_t>(function)];
  const auto region = definitions().try_add_region(info.name, info.source, 0, Paradigm::kIo, info.role);
  if (!region) return RegionId();
  g_file_regions[static_cast<std::size_t>(function)].store(*region, std::memory_order_release);
  return *region;
}

bool judge_caller(const void* address) {
  const CallingCode code = calling_code(address);
  return code != CallingCode::kRuntime && code != CallingCode::kOpenMp;
}

// As in OTF2_IoAccessMode, OTF2_IoCreationFlag and OTF2_IoStatusFlag.
unsigned access_of(int flags) {
  const int mode = flags & O_ACCMODE;
  return mode == O_RDWR ? 2 : mode == O_WRONLY ? 1 : 0;
}
unsigned creation_flags(int flags) {
  return (flags & O_CREAT ? 1 : 0) | (flags & O_TRUNC ? 2 : 0) | (flags & O_DIRECTORY ? 4 : 0) |
         (flags & O_EXCL ? 8 : 0) | (flags & O_NOCTTY ? 16 : 0) | (flags & O_NOFOLLOW ? 32 : 0);
}
unsigned status_flags(int flags) {
  return (flags & O_CLOEXEC ? 1 : 0) | (flags & O_APPEND ? 2 : 0) | (flags & O_NONBLOCK ? 4 : 0);
}

}  // namespace

constinit std::atomic<RegionId> g_file_regions[std::size(kFileFunctions)];

// The same place calls again and again.
bool is_of_program(const void* caller) {
  const void* const address = return_address_of(caller);
  Thread* const thread = t_thread;
  if (thread && address == kFileCaller.of(*thread)) return true;
  if (!judge_caller(address)) return false;
  if (thread) kFileCaller.of(*thread) = address;
  return true;
}

FileCall enter_file_call(FileFunction function, const void* caller, FileNumber file, Ticks& time) {
  Thread* const thread = current_thread();
  if (!thread) note_missed_call(t_thread);
  // What a library does that MPI calls is MPI's.
  if (!thread || !thread->gate.is_open() || thread->frames.is_closed_call_on_top()) return {};
  const RegionId known = known_region_of(function), region = known.is_valid() ? known : define_region(function);
  if (!region.is_valid()) return {};
  bool is_entered = false;
  begin_library_call_rarely(thread, region, caller, time, is_entered);
  return is_entered ? FileCall{thread, file} : FileCall();
}

FileCall begin_on_slow_path(FileFunction function, const void* caller, int descriptor, Ticks& time) {
  if (!is_recording() || is_file_call_left_out(function) || !is_of_program(caller)) return {};
  const FileNumber file = file_at(descriptor);
  return file == FileNumber::kNone ? FileCall() : enter_file_call(function, caller, file, time);
}

namespace {

FileCall begin_open(FileFunction function, const void* caller) {
  const Hook hook;
  Ticks time = 0;
  const bool is_wanted = is_recording() && is_of_program(caller) && keeps_descriptors();
  return is_wanted ? enter_file_call(function, caller, FileNumber::kNone, time) : FileCall();
}

void end_open(FileCall call, const void* caller, const char* path, int flags, int descriptor) {
  const Hook hook;
  if (!call.thread) {
    if (descriptor >= 0 && keeps_descriptors())
      set_file(descriptor, is_recording() || !is_of_program(caller) ? FileNumber::kNone : note_early(path));
    return;
  }
  const Ticks time = now();
  if (descriptor >= 0) {
    const FileNumber file = file_named(path);
    set_file(descriptor, file);
    if (file != FileNumber::kNone)
      put(thread_of(call), time,
          record::IoCreateHandle{.handle = handle_of(file),
                                 .access = access_of(flags),
                                 .creation_flags = creation_flags(flags),
                                 .status_flags = status_flags(flags)});
  }
  leave_file_call(call, caller, time);
}

FileCall begin_named(FileFunction function, const void* caller) {
  const Hook hook;
  Ticks time = 0;
  const bool is_wanted = is_recording() && !is_file_call_left_out(function) && is_of_program(caller);
  return is_wanted ? enter_file_call(function, caller, FileNumber::kNone, time) : FileCall();
}

FileCall begin(FileFunction function, const void* caller, int descriptor) {
  const Hook hook;
  Ticks time = 0;
  return begin_on_slow_path(function, caller, descriptor, time);
}

void end(FileCall call, const void* caller) {
  const Hook hook;
  leave_file_call(call, caller, now());
}

void end_seek(FileCall call, const void* caller, std::int64_t offset, int whence, std::int64_t result) {
  const Hook hook;
  const Ticks time = now();
  const unsigned from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? 1 : 2;
  if (result >= 0)
    put(thread_of(call), time,
        record::IoSeek{.handle = handle_of(call.file),
                       .offset = static_cast<std::uint64_t>(offset),
                       .whence = from,
                       .result = static_cast<std::uint64_t>(result)});
  leave_file_call(call, caller, time);
}

FileCall begin_close(FileFunction function, const void* caller, int descriptor) {
  const Hook hook;
  if (!keeps_descriptors()) return {};
  Ticks time = 0;
  const FileCall call = begin_on_slow_path(function, caller, descriptor, time);
  set_file(descriptor, FileNumber::kNone);
  return call;
}

void end_close(FileCall call, const void* caller) {
  const Hook hook;
  const Ticks time = now();
  put(thread_of(call), time, record::IoDestroyHandle{.handle = handle_of(call.file)});
  leave_file_call(call, caller, time);
}

void closed(unsigned first, unsigned last) {
  const Hook hook;
  if (keeps_descriptors()) forget_descriptors(first, last);
}

void duplicated(int from, int to) {
  const Hook hook;
  if (keeps_descriptors()) copy_descriptor(from, to);
}

constexpr FileHooks kHooks = {
    .files = g_files,
    .begin_open = begin_open,
    .end_open = end_open,
    .begin_named = begin_named,
    .begin = begin,
    .end = end,
    .read = record_read,
    .write = record_write,
    .pread = record_pread,
    .pwrite = record_pwrite,
    .transfer = record_transfer,
    .add_transfer = add_transfer,
    .end_seek = end_seek,
    .begin_close = begin_close,
    .end_close = end_close,
    .closed = closed,
    .duplicated = duplicated,
};

}  // namespace
}  // namespace tarry::measure

const tarry::measure::FileHooks* tarry_file_hooks() {
  tarry::measure::note_standard_descriptors();
  return &tarry::measure::kHooks;
}
