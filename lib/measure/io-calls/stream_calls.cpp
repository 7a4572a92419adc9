// stream_calls.cpp -- in front of the functions of C streams, through which C++ and others open files, too.
//
// Functions for single characters are too small to be recorded. What they have read or written is found from the
// stream's position. It counts where the stream is next scanned, moved or closed.
#include <fcntl.h>
#include <stdio_ext.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "measure/io-calls/interposition.hpp"

extern "C" {
std::size_t __fread_chk(void* buffer, std::size_t room, std::size_t size, std::size_t count, FILE* stream);
std::size_t __fread_unlocked_chk(void* buffer, std::size_t room, std::size_t size, std::size_t count, FILE* stream);
char* __fgets_chk(char* buffer, std::size_t room, int size, FILE* stream);
char* __fgets_unlocked_chk(char* buffer, std::size_t room, int size, FILE* stream);
int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list arguments);
int __fprintf_chk(FILE* stream, int flag, const char* format, ...);
int __vprintf_chk(int flag, const char* format, va_list arguments);
int __printf_chk(int flag, const char* format, ...);
}

namespace tarry::measure {
namespace {

using enum FileFunction;

// What this file replaces, and functions that it calls instead.
// clang-format off
#define TARRY_REPLACED(X)                                                                                              \
  X(fopen) X(fopen64) X(freopen) X(freopen64) X(fdopen) X(fclose) X(fread) X(__fread_chk) X(fread_unlocked)            \
  X(__fread_unlocked_chk) X(fwrite) X(fwrite_unlocked) X(fgets) X(__fgets_chk) X(fgets_unlocked)                       \
  X(__fgets_unlocked_chk) X(getline) X(getdelim) X(__getdelim) X(fputs) X(fputs_unlocked) X(puts) X(vfprintf)          \
  X(__vfprintf_chk) X(fflush) X(fflush_unlocked) X(fseek) X(fseeko) X(fseeko64) X(rewind)
// clang-format on
TARRY_REAL_FUNCTIONS(TARRY_REPLACED)

class KeptErrno {
 public:
  ~KeptErrno() { errno = errno_; }

 private:
  const int errno_ = errno;
};

// -1 for streams that are no file.
int descriptor_of(FILE* stream) {
  const KeptErrno kept;
  return stream && is_recorded() ? ::fileno_unlocked(stream) : -1;
}

std::int64_t position_of(FILE* stream) {
  const KeptErrno kept;
  return ::ftello(stream);
}

void note_position(int descriptor, std::int64_t position) {
  if (is_in_table(descriptor)) g_recorded_to[descriptor].store(position + 1, std::memory_order_relaxed);
}

void note_recorded(int descriptor, std::int64_t bytes) {
  if (bytes > 0 && g_recorded_to[descriptor].load(std::memory_order_relaxed) != 0)
    g_recorded_to[descriptor].fetch_add(bytes, std::memory_order_relaxed);
}

// Bytes up to the stream's position that have not been recorded. From here on they are.
std::int64_t take_unrecorded(FILE* stream, int descriptor) {
  const std::int64_t recorded = g_recorded_to[descriptor].load(std::memory_order_relaxed);
  const std::int64_t position = recorded ? position_of(stream) : -1;
  if (position < 0) return 0;
  note_position(descriptor, position);
  return position + 1 > recorded ? position + 1 - recorded : 0;
}

void record_rest(FileCall record, FILE* stream, int descriptor) {
  if (const std::int64_t bytes = take_unrecorded(stream, descriptor))
    g_hooks.add_transfer(record, ::__fwriting(stream) != 0, static_cast<std::size_t>(bytes));
}

template <class Call, class BytesDone>
auto record_stream(FileFunction function, FILE* stream, std::size_t bytes, const void* caller, Call call,
                   BytesDone bytes_done) {
  const int descriptor = descriptor_of(stream);
  return record_transfer(function, descriptor, bytes, caller, call, [&](auto outcome) {
    const auto done = static_cast<ssize_t>(bytes_done(outcome));
    note_recorded(descriptor, done);
    return done;
  });
}

int flags_of(const char* mode) {
  const int access = std::strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
  const int making = *mode == 'w' ? O_CREAT | O_TRUNC : *mode == 'a' ? O_CREAT | O_APPEND : 0;
  return access | making | (std::strchr(mode, 'x') ? O_EXCL : 0) | (std::strchr(mode, 'e') ? O_CLOEXEC : 0);
}

// Where others append, too, the position tells nothing.
template <class Call>
FILE* record_fopen(FileFunction function, const char* path, const char* mode, const void* caller, Call call) {
  if (!is_recorded()) return call();
  const FileCall record = g_hooks.begin_open(function, caller);
  FILE* const stream = call();
  const int descriptor = descriptor_of(stream);
  note_position(descriptor, *mode == 'a' ? -1 : 0);
  g_hooks.end_open(record, caller, path, flags_of(mode), descriptor);
  return stream;
}

// Without a path only the mode changes.
template <class Call>
FILE* record_freopen(const char* path, const char* mode, FILE* stream, const void* caller, Call call) {
  const int before = descriptor_of(stream);
  if (is_in_table(before)) {
    note_position(before, -1);
    if (path) g_hooks.closed(static_cast<unsigned>(before), static_cast<unsigned>(before));
  }
  return path ? record_fopen(kFreopen, path, mode, caller, call) : call();
}

template <class Call>
auto record_stream_seek(FILE* stream, std::int64_t offset, int whence, const void* caller, Call call) {
  const int descriptor = descriptor_of(stream);
  const FileCall record = may_be_known(descriptor) ? g_hooks.begin(kFseek, caller, descriptor) : FileCall();
  if (!record.thread) {
    note_position(descriptor, -1);
    return call();
  }
  record_rest(record, stream, descriptor);
  const int outcome = call();
  const std::int64_t position = g_recorded_to[descriptor].load(std::memory_order_relaxed) ? position_of(stream) : -1;
  note_position(descriptor, position);
  g_hooks.end_seek(record, caller, offset, whence, outcome == 0 ? position : -1);
  return outcome;
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

#define TARRY_FOPEN(name, path, mode) \
  TARRY_REAL(name);                   \
  return record_fopen(kFopen, path, mode, TARRY_CALLER, [&] { return real_##name(path, mode); })

#define TARRY_FREOPEN(name, path, mode, stream) \
  TARRY_REAL(name);                             \
  return record_freopen(path, mode, stream, TARRY_CALLER, [&] { return real_##name(path, mode, stream); })

#define TARRY_ITEMS(name, function, ...)                                                      \
  TARRY_REAL(name);                                                                           \
  return record_stream(                                                                       \
      function, stream, size * count, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); }, \
      [&](std::size_t items) { return items * size; })

#define TARRY_LINE(name, ...)                                                    \
  TARRY_REAL(name);                                                              \
  return record_stream(                                                          \
      kFgets, stream, 0, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); }, \
      [](const char* line) { return line ? std::strlen(line) : 0; })

#define TARRY_DELIMITED(name, function, ...)                                       \
  TARRY_REAL(name);                                                                \
  return record_stream(                                                            \
      function, stream, 0, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); }, \
      [](ssize_t length) { return length; })

#define TARRY_TEXT(name, function, stream, newline, ...)                           \
  TARRY_REAL(name);                                                                \
  return record_stream(                                                            \
      function, stream, 0, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); }, \
      [&](int outcome) { return outcome < 0 ? 0 : std::strlen(text) + (newline); })

#define TARRY_PRINTED(name, function, stream, ...) \
  TARRY_REAL(name);                                \
  return record_stream(                            \
      function, stream, 0, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); }, [](int length) { return length; })

#define TARRY_PRINT(name, function, stream, ...)                                                                       \
  va_list arguments;                                                                                                   \
  va_start(arguments, format);                                                                                         \
  TARRY_REAL(name);                                                                                                    \
  const int done = record_stream(                                                                                      \
      function, stream, 0, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); }, [](int length) { return length; }); \
  va_end(arguments);                                                                                                   \
  return done

TARRY_FILE_ENTRY FILE* fopen(const char* path, const char* mode) { TARRY_FOPEN(fopen, path, mode); }
TARRY_FILE_ENTRY FILE* fopen64(const char* path, const char* mode) { TARRY_FOPEN(fopen64, path, mode); }
TARRY_FILE_ENTRY FILE* freopen(const char* path, const char* mode, FILE* stream) {
  TARRY_FREOPEN(freopen, path, mode, stream);
}
TARRY_FILE_ENTRY FILE* freopen64(const char* path, const char* mode, FILE* stream) {
  TARRY_FREOPEN(freopen64, path, mode, stream);
}

TARRY_FILE_ENTRY FILE* fdopen(int descriptor, const char* mode) noexcept {
  TARRY_REAL(fdopen);
  FILE* const stream = record_call(kFdopen, descriptor, TARRY_CALLER, [&] { return real_fdopen(descriptor, mode); });
  if (stream && may_be_known(descriptor)) note_position(descriptor, *mode == 'a' ? -1 : position_of(stream));
  return stream;
}

TARRY_FILE_ENTRY int fclose(FILE* stream) {
  TARRY_REAL(fclose);
  const int descriptor = descriptor_of(stream);
  return record_close(
      kFclose, descriptor, TARRY_CALLER, [&](FileCall record) { record_rest(record, stream, descriptor); },
      [&] { return real_fclose(stream); });
}

TARRY_FILE_ENTRY std::size_t fread(void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  TARRY_ITEMS(fread, kFread, buffer, size, count, stream);
}
TARRY_FILE_ENTRY std::size_t __fread_chk(void* buffer, std::size_t room, std::size_t size, std::size_t count,
                                         FILE* stream) {
  TARRY_ITEMS(__fread_chk, kFread, buffer, room, size, count, stream);
}
TARRY_FILE_ENTRY std::size_t fread_unlocked(void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  TARRY_ITEMS(fread_unlocked, kFread, buffer, size, count, stream);
}
TARRY_FILE_ENTRY std::size_t __fread_unlocked_chk(void* buffer, std::size_t room, std::size_t size, std::size_t count,
                                                  FILE* stream) {
  TARRY_ITEMS(__fread_unlocked_chk, kFread, buffer, room, size, count, stream);
}
TARRY_FILE_ENTRY std::size_t fwrite(const void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  TARRY_ITEMS(fwrite, kFwrite, buffer, size, count, stream);
}
TARRY_FILE_ENTRY std::size_t fwrite_unlocked(const void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  TARRY_ITEMS(fwrite_unlocked, kFwrite, buffer, size, count, stream);
}

TARRY_FILE_ENTRY char* fgets(char* buffer, int size, FILE* stream) { TARRY_LINE(fgets, buffer, size, stream); }
TARRY_FILE_ENTRY char* __fgets_chk(char* buffer, std::size_t room, int size, FILE* stream) {
  TARRY_LINE(__fgets_chk, buffer, room, size, stream);
}
TARRY_FILE_ENTRY char* fgets_unlocked(char* buffer, int size, FILE* stream) {
  TARRY_LINE(fgets_unlocked, buffer, size, stream);
}
TARRY_FILE_ENTRY char* __fgets_unlocked_chk(char* buffer, std::size_t room, int size, FILE* stream) {
  TARRY_LINE(__fgets_unlocked_chk, buffer, room, size, stream);
}
TARRY_FILE_ENTRY ssize_t getline(char** line, std::size_t* room, FILE* stream) {
  TARRY_DELIMITED(getline, kGetline, line, room, stream);
}
TARRY_FILE_ENTRY ssize_t getdelim(char** line, std::size_t* room, int end, FILE* stream) {
  TARRY_DELIMITED(getdelim, kGetdelim, line, room, end, stream);
}
TARRY_FILE_ENTRY ssize_t __getdelim(char** line, std::size_t* room, int end, FILE* stream) {
  TARRY_DELIMITED(__getdelim, kGetdelim, line, room, end, stream);
}

TARRY_FILE_ENTRY int fputs(const char* text, FILE* stream) { TARRY_TEXT(fputs, kFputs, stream, 0, text, stream); }
TARRY_FILE_ENTRY int fputs_unlocked(const char* text, FILE* stream) {
  TARRY_TEXT(fputs_unlocked, kFputs, stream, 0, text, stream);
}
TARRY_FILE_ENTRY int puts(const char* text) { TARRY_TEXT(puts, kPuts, stdout, 1, text); }

TARRY_FILE_ENTRY int vfprintf(FILE* stream, const char* format, va_list arguments) {
  TARRY_PRINTED(vfprintf, kFprintf, stream, stream, format, arguments);
}
TARRY_FILE_ENTRY int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list arguments) {
  TARRY_PRINTED(__vfprintf_chk, kFprintf, stream, stream, flag, format, arguments);
}
TARRY_FILE_ENTRY int fprintf(FILE* stream, const char* format, ...) {
  TARRY_PRINT(vfprintf, kFprintf, stream, stream, format, arguments);
}
TARRY_FILE_ENTRY int __fprintf_chk(FILE* stream, int flag, const char* format, ...) {
  TARRY_PRINT(__vfprintf_chk, kFprintf, stream, stream, flag, format, arguments);
}
TARRY_FILE_ENTRY int vprintf(const char* format, va_list arguments) {
  TARRY_PRINTED(vfprintf, kPrintf, stdout, stdout, format, arguments);
}
TARRY_FILE_ENTRY int __vprintf_chk(int flag, const char* format, va_list arguments) {
  TARRY_PRINTED(__vfprintf_chk, kPrintf, stdout, stdout, flag, format, arguments);
}
TARRY_FILE_ENTRY int printf(const char* format, ...) {
  TARRY_PRINT(vfprintf, kPrintf, stdout, stdout, format, arguments);
}
TARRY_FILE_ENTRY int __printf_chk(int flag, const char* format, ...) {
  TARRY_PRINT(__vfprintf_chk, kPrintf, stdout, stdout, flag, format, arguments);
}

TARRY_FILE_ENTRY int fflush(FILE* stream) {
  TARRY_REAL(fflush);
  return record_flush(kFflush, descriptor_of(stream), TARRY_CALLER, [&] { return real_fflush(stream); });
}
TARRY_FILE_ENTRY int fflush_unlocked(FILE* stream) {
  TARRY_REAL(fflush_unlocked);
  return record_flush(kFflush, descriptor_of(stream), TARRY_CALLER, [&] { return real_fflush_unlocked(stream); });
}

TARRY_FILE_ENTRY int fseek(FILE* stream, long offset, int whence) {
  TARRY_REAL(fseek);
  return record_stream_seek(stream, offset, whence, TARRY_CALLER, [&] { return real_fseek(stream, offset, whence); });
}
TARRY_FILE_ENTRY int fseeko(FILE* stream, off_t offset, int whence) {
  TARRY_REAL(fseeko);
  return record_stream_seek(stream, offset, whence, TARRY_CALLER, [&] { return real_fseeko(stream, offset, whence); });
}
TARRY_FILE_ENTRY int fseeko64(FILE* stream, off64_t offset, int whence) {
  TARRY_REAL(fseeko64);
  return record_stream_seek(stream, offset, whence, TARRY_CALLER,
                            [&] { return real_fseeko64(stream, offset, whence); });
}
TARRY_FILE_ENTRY void rewind(FILE* stream) {
  TARRY_REAL(rewind);
  record_stream_seek(stream, 0, SEEK_SET, TARRY_CALLER, [&] {
    real_rewind(stream);
    return 0;
  });
}

// The header gives those that scan other names, by version of the language. These are the library's.
using ScanList = int (*)(FILE*, const char*, va_list);

template <class Call>
static int record_scan(FileFunction function, FILE* stream, const void* caller, Call call) {
  const int descriptor = descriptor_of(stream);
  return record_transfer(function, descriptor, 0, caller, call,
                         [&](int) { return static_cast<ssize_t>(take_unrecorded(stream, descriptor)); });
}

#define TARRY_SCAN_LIST(version, function, stream)                                               \
  return record_scan(function, stream, TARRY_CALLER, [&] {                                       \
    return tarry::next_function(g_scan##version, #version "vfscanf")(stream, format, arguments); \
  })

#define TARRY_SCAN(version, function, stream)                                                    \
  va_list arguments;                                                                             \
  va_start(arguments, format);                                                                   \
  const int fields = record_scan(function, stream, TARRY_CALLER, [&] {                           \
    return tarry::next_function(g_scan##version, #version "vfscanf")(stream, format, arguments); \
  });                                                                                            \
  va_end(arguments);                                                                             \
  return fields

#define TARRY_SCANNERS(version)                                                                                        \
  static ScanList g_scan##version = nullptr;                                                                           \
  [[gnu::constructor]] static void find_scan##version() { tarry::next_function(g_scan##version, #version "vfscanf"); } \
  TARRY_FILE_ENTRY int tarry_fscanf##version(FILE* stream, const char* format, ...) asm(#version "fscanf");            \
  TARRY_FILE_ENTRY int tarry_scanf##version(const char* format, ...) asm(#version "scanf");                            \
  TARRY_FILE_ENTRY int tarry_vfscanf##version(FILE* stream, const char* format,                                        \
                                              va_list arguments) asm(#version "vfscanf");                              \
  TARRY_FILE_ENTRY int tarry_vscanf##version(const char* format, va_list arguments) asm(#version "vscanf");            \
  int tarry_fscanf##version(FILE* stream, const char* format, ...) { TARRY_SCAN(version, kFscanf, stream); }           \
  int tarry_scanf##version(const char* format, ...) { TARRY_SCAN(version, kScanf, stdin); }                            \
  int tarry_vfscanf##version(FILE* stream, const char* format, va_list arguments) {                                    \
    TARRY_SCAN_LIST(version, kFscanf, stream);                                                                         \
  }                                                                                                                    \
  int tarry_vscanf##version(const char* format, va_list arguments) { TARRY_SCAN_LIST(version, kScanf, stdin); }

TARRY_SCANNERS()
TARRY_SCANNERS(__isoc99_)
TARRY_SCANNERS(__isoc23_)
