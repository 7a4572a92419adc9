// file_calls.cpp -- records of file operations that the program makes itself, not through MPI.
//
// Descriptors that the program has opened by name are files, and so are those that every process begins with. All
// others (sockets, pipes, what MPI has opened) are not looked at. docs/MEASURED_PROGRAM.md says what that means.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>

#include "measure/callpath/library_call.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/io/file_hooks.hpp"
#include "measure/io/file_names.hpp"
#include "measure/threads/calling_code.hpp"
#include "trace/event_codec.hpp"

namespace tarry::measure {
namespace {

// As in OTF2_IoOperationMode.
enum class Mode : std::uint8_t { kRead = 0, kWrite = 1, kFlush = 2, kNone };

struct FunctionInfo {
  const char* name;
  const char* source;
  RegionRole role;
  Mode mode;
};

constexpr FunctionInfo kFunctions[] = {
#define FILE_FUNCTION(enumerator, name, source, role, mode) {name, source, RegionRole::role, Mode::mode},
#include "measure/io/file_functions.def"
#undef FILE_FUNCTION
};

constexpr const FunctionInfo& info_of(FileFunction function) { return kFunctions[static_cast<std::size_t>(function)]; }

std::atomic<std::uint32_t> g_files[kMostDescriptors];
std::atomic<std::uint32_t> g_regions[std::size(kFunctions)];  // region + 1; 0: not defined yet
std::atomic<bool> g_is_replaced[3];                           // of the standard descriptors: another file by now

// Defined twice where two threads come first at the same time: equal regions are one when definitions are unified.
[[gnu::noinline]] std::uint32_t define_region(FileFunction function) {
  const FunctionInfo& info = info_of(function);
  const auto region = definitions().try_add_region(info.name, info.source, 0, Paradigm::kIo, info.role);
  if (!region) return 0;
  g_regions[static_cast<std::size_t>(function)].store(*region + 1, std::memory_order_release);
  return *region + 1;
}

[[gnu::always_inline]] inline std::uint32_t region_of(FileFunction function) {
  const std::uint32_t known = g_regions[static_cast<std::size_t>(function)].load(std::memory_order_acquire);
  return known ? known : define_region(function);
}

// Libraries of languages work for the program; MPI, the C library and the recorder for themselves.
[[gnu::noinline]] bool judge_caller(const void* address) {
  const CallingCode code = calling_code(address);
  return code != CallingCode::kRuntime && code != CallingCode::kOpenMp;
}

// The same place calls again and again.
__thread const void* t_program_caller __attribute__((tls_model("initial-exec"))) = nullptr;

[[gnu::always_inline]] inline bool is_of_program(const void* caller) {
  const void* const address = static_cast<void* const*>(caller)[-1];
  if (address == t_program_caller) [[likely]]
    return true;
  if (!judge_caller(address)) return false;
  t_program_caller = address;
  return true;
}

bool may_begin() { return phase() == Phase::kUntouched || phase() == Phase::kWaitsForMpi; }

// Whether descriptors are to be kept. Between vfork() and exec a child has this memory, too. A recording ends in front
// of a sandbox, in which the question might be forbidden.
bool keeps_descriptors() {
  if (!is_recording() && !may_begin()) return false;
  static const pid_t self = ::getpid();
  return ::getpid() == self;
}

/// Holds what a hook may not do to the program.
class Hook {
 public:
  ~Hook() { place_ = errno_; }
  bool has_memory() const { return InHandler::has_memory(); }

 private:
  const InHandler memory_;
  int& place_ = errno;
  const int errno_ = place_;
};

Thread& thread_of(FileCall& call) { return *static_cast<Thread*>(call.thread); }

[[gnu::always_inline]] inline bool enter_call(FileCall& call, FileFunction function, const void* caller) {
  Thread* const thread = current_thread();
  // What a library does that MPI calls is MPI's.
  const bool is_open = thread && thread->gate.is_open() && !thread->frames.is_any_call_on_top();
  const std::uint32_t region = is_open ? region_of(function) : 0;
  if (region == 0) return false;
  call.caller = caller;
  call.thread = begin_library_call(thread, region - 1, caller, call.time, call.is_entered, [&] {
    return begin_library_call_rarely(thread, region - 1, caller, call.time, call.is_entered);
  });
  return call.is_entered;
}

[[gnu::always_inline]] inline void leave_call(FileCall& call) {
  end_library_call(thread_of(call), call.caller, call.time);
}

// Names of files that are opened before the recording begins, in front of MPI_Init. Their numbers have this bit until
// they are met again.
constexpr std::uint32_t kEarly = 1u << 31;
constexpr std::size_t kMostEarly = 64, kMostPathBytes = 4096;
char g_early_paths[kMostEarly][kMostPathBytes];
std::atomic<std::uint32_t> g_early_count = 0;

std::uint32_t note_early(const char* path) {
  if (!may_begin()) return 0;
  const std::size_t length = std::strlen(path);
  if (length >= kMostPathBytes || g_early_count.load(std::memory_order_relaxed) >= kMostEarly) return 0;
  const std::uint32_t number = g_early_count.fetch_add(1);
  if (number >= kMostEarly) return 0;
  std::memcpy(g_early_paths[number], path, length + 1);
  return kEarly | number;
}

std::uint32_t name_early(int descriptor, std::uint32_t file) {
  const std::uint32_t named = file_named(g_early_paths[file & ~kEarly]);
  g_files[descriptor].store(named, std::memory_order_release);
  return named;
}

// While something is recorded: else there are no definitions.
[[gnu::always_inline]] inline std::uint32_t file_at(int descriptor) {
  if (descriptor < 0 || descriptor >= kMostDescriptors) return 0;
  const std::uint32_t file = g_files[descriptor].load(std::memory_order_acquire);
  if (file & kEarly) [[unlikely]]
    return name_early(descriptor, file);
  if (file != 0 || descriptor > 2 || g_is_replaced[descriptor].load(std::memory_order_relaxed)) return file;
  constexpr const char* kNames[] = {"<stdin>", "<stdout>", "<stderr>"};
  const std::uint32_t standard = file_named(kNames[descriptor]);
  g_files[descriptor].store(standard, std::memory_order_release);
  return standard;
}

void set_file(int descriptor, std::uint32_t file) {
  if (descriptor < 0 || descriptor >= kMostDescriptors) return;
  if (descriptor <= 2) g_is_replaced[descriptor].store(true, std::memory_order_relaxed);
  g_files[descriptor].store(file, std::memory_order_release);
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

// Tells apart what is under way at the same time: by other threads, and in a signal handler.
std::uint64_t operation_number(const Thread& thread, Mode mode) {
  return std::uint64_t{thread.number} * 4 + static_cast<std::uint64_t>(mode);
}

[[gnu::always_inline]] inline void put_begin(FileCall& call, Mode mode, Ticks time, Bytes bytes) {
  Thread& thread = thread_of(call);
  put(thread, EventKind::kIoOperationBegin, time, call.file - 1, static_cast<unsigned>(mode), 0u,
      optional_field(bytes == 0 ? kNoField : bytes), operation_number(thread, mode));
}

[[gnu::always_inline]] inline void put_complete(FileCall& call, Mode mode, Ticks time, Bytes bytes) {
  Thread& thread = thread_of(call);
  put(thread, EventKind::kIoOperationComplete, time, call.file - 1, bytes, operation_number(thread, mode));
  if (thread.summarises && thread.gate.is_open() && mode != Mode::kFlush)
    thread.profile.count_file_operation(call.file - 1, mode == Mode::kWrite, bytes);
}

// ---- hooks

bool begin_open(FileCall& call, FileFunction function, const void* caller) {
  const Hook hook;
  call.caller = caller;
  return is_recording() && hook.has_memory() && is_of_program(caller) && keeps_descriptors() &&
         enter_call(call, function, caller);
}

void end_open(FileCall& call, const char* path, int flags, int descriptor) {
  const Hook hook;
  if (!call.is_entered) {
    if (descriptor >= 0 && keeps_descriptors())
      set_file(descriptor, is_recording() || !is_of_program(call.caller) ? 0 : note_early(path));
    return;
  }
  call.time = now();
  if (descriptor >= 0) {
    const std::uint32_t file = file_named(path);
    set_file(descriptor, file);
    if (file)
      put(thread_of(call), EventKind::kIoCreateHandle, call.time, file - 1, access_of(flags), creation_flags(flags),
          status_flags(flags));
  }
  leave_call(call);
}

[[gnu::always_inline]] inline bool begin_call(FileCall& call, FileFunction function, const void* caller,
                                              int descriptor) {
  if (!is_recording() || !is_of_program(caller)) return false;
  call.file = file_at(descriptor);
  return call.file && enter_call(call, function, caller);
}

bool begin(FileCall& call, FileFunction function, const void* caller, int descriptor) {
  const Hook hook;
  return hook.has_memory() && begin_call(call, function, caller, descriptor);
}

void end(FileCall& call) {
  const Hook hook;
  call.time = now();
  leave_call(call);
}

bool begin_transfer(FileCall& call, FileFunction function, const void* caller, int descriptor, std::size_t bytes) {
  const Hook hook;
  if (!hook.has_memory() || !begin_call(call, function, caller, descriptor)) return false;
  put_begin(call, info_of(function).mode, call.time, bytes);
  return true;
}

// What has failed has moved nothing, but it is an operation.
void end_transfer(FileCall& call, FileFunction function, ssize_t done) {
  const Hook hook;
  call.time = now();
  const Mode mode = info_of(function).mode;
  put_complete(call, mode, call.time, done > 0 && mode != Mode::kFlush ? static_cast<Bytes>(done) : 0);
  leave_call(call);
}

void add_transfer(FileCall& call, bool is_write, std::size_t bytes) {
  const Hook hook;
  const Mode mode = is_write ? Mode::kWrite : Mode::kRead;
  put_begin(call, mode, now(), bytes);
  put_complete(call, mode, now(), bytes);
}

void end_seek(FileCall& call, std::int64_t offset, int whence, std::int64_t result) {
  const Hook hook;
  call.time = now();
  const unsigned from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? 1 : 2;
  if (result >= 0)
    put(thread_of(call), EventKind::kIoSeek, call.time, call.file - 1, static_cast<std::uint64_t>(offset), from,
        optional_field(static_cast<std::uint64_t>(result)));
  leave_call(call);
}

bool begin_close(FileCall& call, FileFunction function, const void* caller, int descriptor) {
  const Hook hook;
  if (!keeps_descriptors()) return false;
  const bool is_begun = hook.has_memory() && begin_call(call, function, caller, descriptor);
  set_file(descriptor, 0);
  return is_begun;
}

void end_close(FileCall& call) {
  const Hook hook;
  call.time = now();
  put(thread_of(call), EventKind::kIoDestroyHandle, call.time, call.file - 1);
  leave_call(call);
}

void closed(unsigned first, unsigned last) {
  const Hook hook;
  if (!keeps_descriptors()) return;
  for (unsigned descriptor = first; descriptor <= last && descriptor < kMostDescriptors; ++descriptor)
    if (descriptor <= 2 || g_files[descriptor].load(std::memory_order_relaxed) != 0)
      set_file(static_cast<int>(descriptor), 0);
}

// Copies of the standard descriptors that are made before the recording begins are not known behind it.
std::uint32_t file_to_copy(int descriptor) {
  if (is_recording()) return file_at(descriptor);
  return descriptor >= 0 && descriptor < kMostDescriptors ? g_files[descriptor].load(std::memory_order_acquire) : 0;
}

void duplicated(int from, int to) {
  const Hook hook;
  if (from != to && keeps_descriptors()) set_file(to, hook.has_memory() ? file_to_copy(from) : 0);
}

constexpr FileHooks kHooks = {
    .files = g_files,
    .begin_open = begin_open,
    .end_open = end_open,
    .begin = begin,
    .end = end,
    .begin_transfer = begin_transfer,
    .end_transfer = end_transfer,
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
  return tarry::measure::prepare_handler_memory() ? &tarry::measure::kHooks : nullptr;
}
