// posix_calls.cpp -- in front of the file functions of POSIX.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>
#include <cstddef>
#include <cstdio>

#include "measure/io-calls/interposition.hpp"

extern "C" {
ssize_t __read_chk(int descriptor, void* buffer, std::size_t size, std::size_t room);
ssize_t __pread_chk(int descriptor, void* buffer, std::size_t size, off_t offset, std::size_t room);
ssize_t __pread64_chk(int descriptor, void* buffer, std::size_t size, off64_t offset, std::size_t room);
int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int folder, const char* path, int flags);
int __openat64_2(int folder, const char* path, int flags);
int __dprintf_chk(int descriptor, int flag, const char* format, ...);
int __vdprintf_chk(int descriptor, int flag, const char* format, va_list arguments);
}

namespace tarry::measure {
namespace {

using enum FileFunction;

// What this file replaces.
// clang-format off
#define TARRY_REPLACED(X)                                                                                              \
  X(open) X(open64) X(openat) X(openat64) X(creat) X(creat64) X(close) X(read) X(write) X(pread) X(pread64) X(pwrite)  \
  X(pwrite64) X(readv) X(writev) X(preadv) X(preadv64) X(pwritev) X(pwritev64) X(lseek) X(lseek64) X(fsync)            \
  X(fdatasync) X(ftruncate) X(ftruncate64) X(dup) X(dup2) X(dup3) X(__read_chk) X(__pread_chk) X(__pread64_chk)        \
  X(__open_2) X(__open64_2) X(__openat_2) X(__openat64_2) X(preadv2) X(preadv64v2) X(pwritev2) X(pwritev64v2)         \
  X(vdprintf) X(__vdprintf_chk) X(close_range) X(closefrom)
// clang-format on
TARRY_REAL_FUNCTIONS(TARRY_REPLACED)

#define TARRY_TRANSFER(name, function, bytes, ...) \
  TARRY_REAL(name);                                \
  return record_descriptor_transfer(function, descriptor, bytes, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); })

// The function of that name behind ours, which has not been looked for yet.
template <class Pointer, class... Arguments>
[[gnu::noinline]] auto call_found(Pointer& cache, const char* name, Arguments... arguments) {
  return next_function(cache, name)(arguments...);
}

// The recorder makes the real call, behind arguments that are its own. All calls are the last thing that is done: so
// nothing has to be kept on the stack. Nothing is recorded before the real function is found.
#define TARRY_QUICK(name, hook, ...)                                        \
  const auto real_##name = __atomic_load_n(&g_real.name, __ATOMIC_RELAXED); \
  if (!real_##name) [[unlikely]]                                            \
    return call_found(g_real.name, #name, __VA_ARGS__);                     \
  if (!may_be_known(descriptor)) return real_##name(__VA_ARGS__);           \
  forget_stream(descriptor);                                                \
  return g_hooks.hook(__VA_ARGS__, real_##name)

#define TARRY_FLUSH(name, function) \
  TARRY_REAL(name);                 \
  return record_flush(function, descriptor, TARRY_CALLER, [&] { return real_##name(descriptor); })

#define TARRY_OTHER(name, function, ...) \
  TARRY_REAL(name);                      \
  return record_call(function, descriptor, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); })

#define TARRY_SEEK(name, ...) \
  TARRY_REAL(name);           \
  return record_seek(kLseek, descriptor, offset, whence, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); })

#define TARRY_OPEN(name, function, flags, ...) \
  TARRY_REAL(name);                            \
  return record_open(function, path, flags, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); })

#define TARRY_DUPLICATE(name, from, ...)                      \
  TARRY_REAL(name);                                           \
  const int to = real_##name(__VA_ARGS__);                    \
  if (is_recorded() && to >= 0) g_hooks.duplicated(from, to); \
  return to

#define TARRY_PRINT(name, ...)                                                                                     \
  va_list arguments;                                                                                               \
  va_start(arguments, format);                                                                                     \
  TARRY_REAL(name);                                                                                                \
  const int done =                                                                                                 \
      record_descriptor_transfer(kDprintf, descriptor, 0, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); }); \
  va_end(arguments);                                                                                               \
  return done

// The argument behind the flags; it is there where a file may be made.
#define TARRY_MODE_BEHIND(flags)                                    \
  mode_t mode = 0;                                                  \
  if (((flags)&O_CREAT) != 0 || ((flags)&O_TMPFILE) == O_TMPFILE) { \
    va_list rest;                                                   \
    va_start(rest, flags);                                          \
    mode = va_arg(rest, mode_t);                                    \
    va_end(rest);                                                   \
  }

template <class Call>
int record_open(FileFunction function, const char* path, int flags, const void* caller, Call call) {
  if (!is_recorded()) return call();
  const FileCall record = g_hooks.begin_open(function, caller);
  const int descriptor = call();
  g_hooks.end_open(record, caller, path, flags, descriptor);
  return descriptor;
}

// How much is asked for stays unknown: the list may be no memory at all, which only the kernel finds out.
constexpr std::size_t kUnknownBytes = 0;

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_FILE_ENTRY int open(const char* path, int flags, ...) {
  TARRY_MODE_BEHIND(flags)
  TARRY_OPEN(open, kOpen, flags, path, flags, mode);
}

TARRY_FILE_ENTRY int open64(const char* path, int flags, ...) {
  TARRY_MODE_BEHIND(flags)
  TARRY_OPEN(open64, kOpen, flags, path, flags, mode);
}

TARRY_FILE_ENTRY int openat(int folder, const char* path, int flags, ...) {
  TARRY_MODE_BEHIND(flags)
  TARRY_OPEN(openat, kOpenat, flags, folder, path, flags, mode);
}

TARRY_FILE_ENTRY int openat64(int folder, const char* path, int flags, ...) {
  TARRY_MODE_BEHIND(flags)
  TARRY_OPEN(openat64, kOpenat, flags, folder, path, flags, mode);
}

TARRY_FILE_ENTRY int __open_2(const char* path, int flags) { TARRY_OPEN(__open_2, kOpen, flags, path, flags); }
TARRY_FILE_ENTRY int __open64_2(const char* path, int flags) { TARRY_OPEN(__open64_2, kOpen, flags, path, flags); }
TARRY_FILE_ENTRY int __openat_2(int folder, const char* path, int flags) {
  TARRY_OPEN(__openat_2, kOpenat, flags, folder, path, flags);
}
TARRY_FILE_ENTRY int __openat64_2(int folder, const char* path, int flags) {
  TARRY_OPEN(__openat64_2, kOpenat, flags, folder, path, flags);
}

TARRY_FILE_ENTRY int creat(const char* path, mode_t mode) {
  TARRY_OPEN(creat, kCreat, O_CREAT | O_WRONLY | O_TRUNC, path, mode);
}
TARRY_FILE_ENTRY int creat64(const char* path, mode_t mode) {
  TARRY_OPEN(creat64, kCreat, O_CREAT | O_WRONLY | O_TRUNC, path, mode);
}

TARRY_FILE_ENTRY int close(int descriptor) {
  TARRY_REAL(close);
  return record_close(
      kClose, descriptor, TARRY_CALLER, [](FileCall) {}, [&] { return real_close(descriptor); });
}

TARRY_FILE_ENTRY ssize_t read(int descriptor, void* buffer, std::size_t size) {
  TARRY_QUICK(read, read, descriptor, buffer, size);
}
TARRY_FILE_ENTRY ssize_t __read_chk(int descriptor, void* buffer, std::size_t size, std::size_t room) {
  TARRY_TRANSFER(__read_chk, kRead, size, descriptor, buffer, size, room);
}
TARRY_FILE_ENTRY ssize_t write(int descriptor, const void* buffer, std::size_t size) {
  TARRY_QUICK(write, write, descriptor, buffer, size);
}

TARRY_FILE_ENTRY ssize_t pread(int descriptor, void* buffer, std::size_t size, off_t offset) {
  TARRY_QUICK(pread, pread, descriptor, buffer, size, offset);
}
TARRY_FILE_ENTRY ssize_t pread64(int descriptor, void* buffer, std::size_t size, off64_t offset) {
  TARRY_QUICK(pread64, pread, descriptor, buffer, size, offset);
}
TARRY_FILE_ENTRY ssize_t __pread_chk(int descriptor, void* buffer, std::size_t size, off_t offset, std::size_t room) {
  TARRY_TRANSFER(__pread_chk, kPread, size, descriptor, buffer, size, offset, room);
}
TARRY_FILE_ENTRY ssize_t __pread64_chk(int descriptor, void* buffer, std::size_t size, off64_t offset,
                                       std::size_t room) {
  TARRY_TRANSFER(__pread64_chk, kPread, size, descriptor, buffer, size, offset, room);
}
TARRY_FILE_ENTRY ssize_t pwrite(int descriptor, const void* buffer, std::size_t size, off_t offset) {
  TARRY_QUICK(pwrite, pwrite, descriptor, buffer, size, offset);
}
TARRY_FILE_ENTRY ssize_t pwrite64(int descriptor, const void* buffer, std::size_t size, off64_t offset) {
  TARRY_QUICK(pwrite64, pwrite, descriptor, buffer, size, offset);
}

TARRY_FILE_ENTRY ssize_t readv(int descriptor, const iovec* parts, int count) {
  TARRY_TRANSFER(readv, kReadv, kUnknownBytes, descriptor, parts, count);
}
TARRY_FILE_ENTRY ssize_t writev(int descriptor, const iovec* parts, int count) {
  TARRY_TRANSFER(writev, kWritev, kUnknownBytes, descriptor, parts, count);
}
TARRY_FILE_ENTRY ssize_t preadv(int descriptor, const iovec* parts, int count, off_t offset) {
  TARRY_TRANSFER(preadv, kPreadv, kUnknownBytes, descriptor, parts, count, offset);
}
TARRY_FILE_ENTRY ssize_t preadv64(int descriptor, const iovec* parts, int count, off64_t offset) {
  TARRY_TRANSFER(preadv64, kPreadv, kUnknownBytes, descriptor, parts, count, offset);
}
TARRY_FILE_ENTRY ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t offset) {
  TARRY_TRANSFER(pwritev, kPwritev, kUnknownBytes, descriptor, parts, count, offset);
}
TARRY_FILE_ENTRY ssize_t pwritev64(int descriptor, const iovec* parts, int count, off64_t offset) {
  TARRY_TRANSFER(pwritev64, kPwritev, kUnknownBytes, descriptor, parts, count, offset);
}

TARRY_FILE_ENTRY ssize_t preadv2(int descriptor, const iovec* parts, int count, off_t offset, int flags) {
  TARRY_TRANSFER(preadv2, kPreadv, kUnknownBytes, descriptor, parts, count, offset, flags);
}
TARRY_FILE_ENTRY ssize_t preadv64v2(int descriptor, const iovec* parts, int count, off64_t offset, int flags) {
  TARRY_TRANSFER(preadv64v2, kPreadv, kUnknownBytes, descriptor, parts, count, offset, flags);
}
TARRY_FILE_ENTRY ssize_t pwritev2(int descriptor, const iovec* parts, int count, off_t offset, int flags) {
  TARRY_TRANSFER(pwritev2, kPwritev, kUnknownBytes, descriptor, parts, count, offset, flags);
}
TARRY_FILE_ENTRY ssize_t pwritev64v2(int descriptor, const iovec* parts, int count, off64_t offset, int flags) {
  TARRY_TRANSFER(pwritev64v2, kPwritev, kUnknownBytes, descriptor, parts, count, offset, flags);
}

TARRY_FILE_ENTRY int vdprintf(int descriptor, const char* format, va_list arguments) {
  TARRY_TRANSFER(vdprintf, kDprintf, 0, descriptor, format, arguments);
}
TARRY_FILE_ENTRY int __vdprintf_chk(int descriptor, int flag, const char* format, va_list arguments) {
  TARRY_TRANSFER(__vdprintf_chk, kDprintf, 0, descriptor, flag, format, arguments);
}
TARRY_FILE_ENTRY int dprintf(int descriptor, const char* format, ...) {
  TARRY_PRINT(vdprintf, descriptor, format, arguments);
}
TARRY_FILE_ENTRY int __dprintf_chk(int descriptor, int flag, const char* format, ...) {
  TARRY_PRINT(__vdprintf_chk, descriptor, flag, format, arguments);
}

TARRY_FILE_ENTRY off_t lseek(int descriptor, off_t offset, int whence) noexcept {
  TARRY_SEEK(lseek, descriptor, offset, whence);
}
TARRY_FILE_ENTRY off64_t lseek64(int descriptor, off64_t offset, int whence) noexcept {
  TARRY_SEEK(lseek64, descriptor, offset, whence);
}

TARRY_FILE_ENTRY int fsync(int descriptor) { TARRY_FLUSH(fsync, kFsync); }
TARRY_FILE_ENTRY int fdatasync(int descriptor) { TARRY_FLUSH(fdatasync, kFdatasync); }
TARRY_FILE_ENTRY int ftruncate(int descriptor, off_t length) noexcept {
  TARRY_OTHER(ftruncate, kFtruncate, descriptor, length);
}
TARRY_FILE_ENTRY int ftruncate64(int descriptor, off64_t length) noexcept {
  TARRY_OTHER(ftruncate64, kFtruncate, descriptor, length);
}

TARRY_FILE_ENTRY int dup(int from) noexcept { TARRY_DUPLICATE(dup, from, from); }
TARRY_FILE_ENTRY int dup2(int from, int wanted) noexcept { TARRY_DUPLICATE(dup2, from, from, wanted); }
TARRY_FILE_ENTRY int dup3(int from, int wanted, int flags) noexcept {
  TARRY_DUPLICATE(dup3, from, from, wanted, flags);
}

TARRY_FILE_ENTRY int close_range(unsigned first, unsigned last, int flags) noexcept {
  TARRY_REAL(close_range);
  // CLOSE_RANGE_CLOEXEC leaves them open.
  if (is_recorded() && (flags & CLOSE_RANGE_CLOEXEC) == 0) g_hooks.closed(first, last);
  return real_close_range(first, last, flags);
}
TARRY_FILE_ENTRY void closefrom(int first) noexcept {
  TARRY_REAL(closefrom);
  if (is_recorded()) g_hooks.closed(first < 0 ? 0 : static_cast<unsigned>(first), ~0u);
  real_closefrom(first);
}
