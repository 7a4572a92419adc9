// name_calls.cpp -- in front of the functions that look up, make or change names and attributes of files.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include <climits>
#include <cstdio>
#include <cstdlib>

#include "measure/io-calls/interposition.hpp"

// Of older programs, and of those that the compiler checks.
extern "C" {
int __xstat(int version, const char* path, struct stat* into) noexcept;
int __xstat64(int version, const char* path, struct stat64* into) noexcept;
int __lxstat(int version, const char* path, struct stat* into) noexcept;
int __lxstat64(int version, const char* path, struct stat64* into) noexcept;
int __fxstat(int version, int descriptor, struct stat* into) noexcept;
int __fxstat64(int version, int descriptor, struct stat64* into) noexcept;
int __fxstatat(int version, int folder, const char* path, struct stat* into, int flags) noexcept;
int __fxstatat64(int version, int folder, const char* path, struct stat64* into, int flags) noexcept;
ssize_t __readlink_chk(const char* path, char* into, std::size_t size, std::size_t room) noexcept;
ssize_t __readlinkat_chk(int folder, const char* path, char* into, std::size_t size, std::size_t room) noexcept;
char* __realpath_chk(const char* path, char* into, std::size_t room) noexcept;
}

namespace tarry::measure {
namespace {

using enum FileFunction;

// clang-format off
#define TARRY_REPLACED(X)                                                                                              \
  X(stat) X(stat64) X(lstat) X(lstat64) X(fstat) X(fstat64) X(fstatat) X(fstatat64) X(statx) X(__xstat) X(__xstat64)   \
  X(__lxstat) X(__lxstat64) X(__fxstat) X(__fxstat64) X(__fxstatat) X(__fxstatat64) X(access) X(faccessat) X(chmod)    \
  X(fchmod) X(fchmodat) X(chown) X(lchown) X(fchown) X(fchownat) X(truncate) X(truncate64) X(utime) X(utimes)          \
  X(utimensat) X(futimens) X(link) X(linkat) X(symlink) X(symlinkat) X(readlink) X(readlinkat) X(__readlink_chk)       \
  X(__readlinkat_chk) X(realpath) X(__realpath_chk) X(unlink) X(unlinkat) X(remove) X(rename) X(renameat) X(renameat2) \
  X(mkdir) X(mkdirat) X(rmdir) X(opendir) X(readdir) X(readdir64) X(closedir)
// clang-format on
TARRY_REAL_FUNCTIONS(TARRY_REPLACED)

#define TARRY_NAMED(name, function, ...) \
  TARRY_REAL(name);                      \
  return record_named(function, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); })

#define TARRY_OPENED(name, function, ...) \
  TARRY_REAL(name);                       \
  return record_call(function, descriptor, TARRY_CALLER, [&] { return real_##name(__VA_ARGS__); })

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

// ---- attributes

TARRY_FILE_ENTRY int stat(const char* path, struct stat* into) noexcept { TARRY_NAMED(stat, kStat, path, into); }
TARRY_FILE_ENTRY int stat64(const char* path, struct stat64* into) noexcept { TARRY_NAMED(stat64, kStat, path, into); }
TARRY_FILE_ENTRY int lstat(const char* path, struct stat* into) noexcept { TARRY_NAMED(lstat, kLstat, path, into); }
TARRY_FILE_ENTRY int lstat64(const char* path, struct stat64* into) noexcept {
  TARRY_NAMED(lstat64, kLstat, path, into);
}
TARRY_FILE_ENTRY int fstat(int descriptor, struct stat* into) noexcept {
  TARRY_OPENED(fstat, kFstat, descriptor, into);
}
TARRY_FILE_ENTRY int fstat64(int descriptor, struct stat64* into) noexcept {
  TARRY_OPENED(fstat64, kFstat, descriptor, into);
}
TARRY_FILE_ENTRY int fstatat(int folder, const char* path, struct stat* into, int flags) noexcept {
  TARRY_NAMED(fstatat, kFstatat, folder, path, into, flags);
}
TARRY_FILE_ENTRY int fstatat64(int folder, const char* path, struct stat64* into, int flags) noexcept {
  TARRY_NAMED(fstatat64, kFstatat, folder, path, into, flags);
}
TARRY_FILE_ENTRY int statx(int folder, const char* path, int flags, unsigned mask, struct statx* into) noexcept {
  TARRY_NAMED(statx, kStatx, folder, path, flags, mask, into);
}

TARRY_FILE_ENTRY int __xstat(int version, const char* path, struct stat* into) noexcept {
  TARRY_NAMED(__xstat, kStat, version, path, into);
}
TARRY_FILE_ENTRY int __xstat64(int version, const char* path, struct stat64* into) noexcept {
  TARRY_NAMED(__xstat64, kStat, version, path, into);
}
TARRY_FILE_ENTRY int __lxstat(int version, const char* path, struct stat* into) noexcept {
  TARRY_NAMED(__lxstat, kLstat, version, path, into);
}
TARRY_FILE_ENTRY int __lxstat64(int version, const char* path, struct stat64* into) noexcept {
  TARRY_NAMED(__lxstat64, kLstat, version, path, into);
}
TARRY_FILE_ENTRY int __fxstat(int version, int descriptor, struct stat* into) noexcept {
  TARRY_OPENED(__fxstat, kFstat, version, descriptor, into);
}
TARRY_FILE_ENTRY int __fxstat64(int version, int descriptor, struct stat64* into) noexcept {
  TARRY_OPENED(__fxstat64, kFstat, version, descriptor, into);
}
TARRY_FILE_ENTRY int __fxstatat(int version, int folder, const char* path, struct stat* into, int flags) noexcept {
  TARRY_NAMED(__fxstatat, kFstatat, version, folder, path, into, flags);
}
TARRY_FILE_ENTRY int __fxstatat64(int version, int folder, const char* path, struct stat64* into, int flags) noexcept {
  TARRY_NAMED(__fxstatat64, kFstatat, version, folder, path, into, flags);
}

TARRY_FILE_ENTRY int access(const char* path, int mode) noexcept { TARRY_NAMED(access, kAccess, path, mode); }
TARRY_FILE_ENTRY int faccessat(int folder, const char* path, int mode, int flags) noexcept {
  TARRY_NAMED(faccessat, kFaccessat, folder, path, mode, flags);
}
TARRY_FILE_ENTRY int chmod(const char* path, mode_t mode) noexcept { TARRY_NAMED(chmod, kChmod, path, mode); }
TARRY_FILE_ENTRY int fchmod(int descriptor, mode_t mode) noexcept { TARRY_OPENED(fchmod, kFchmod, descriptor, mode); }
TARRY_FILE_ENTRY int fchmodat(int folder, const char* path, mode_t mode, int flags) noexcept {
  TARRY_NAMED(fchmodat, kFchmodat, folder, path, mode, flags);
}
TARRY_FILE_ENTRY int chown(const char* path, uid_t user, gid_t group) noexcept {
  TARRY_NAMED(chown, kChown, path, user, group);
}
TARRY_FILE_ENTRY int lchown(const char* path, uid_t user, gid_t group) noexcept {
  TARRY_NAMED(lchown, kLchown, path, user, group);
}
TARRY_FILE_ENTRY int fchown(int descriptor, uid_t user, gid_t group) noexcept {
  TARRY_OPENED(fchown, kFchown, descriptor, user, group);
}
TARRY_FILE_ENTRY int fchownat(int folder, const char* path, uid_t user, gid_t group, int flags) noexcept {
  TARRY_NAMED(fchownat, kFchownat, folder, path, user, group, flags);
}
TARRY_FILE_ENTRY int truncate(const char* path, off_t length) noexcept {
  TARRY_NAMED(truncate, kTruncate, path, length);
}
TARRY_FILE_ENTRY int truncate64(const char* path, off64_t length) noexcept {
  TARRY_NAMED(truncate64, kTruncate, path, length);
}
TARRY_FILE_ENTRY int utime(const char* path, const utimbuf* times) noexcept { TARRY_NAMED(utime, kUtime, path, times); }
TARRY_FILE_ENTRY int utimes(const char* path, const timeval times[2]) noexcept {
  TARRY_NAMED(utimes, kUtimes, path, times);
}
TARRY_FILE_ENTRY int utimensat(int folder, const char* path, const timespec times[2], int flags) noexcept {
  TARRY_NAMED(utimensat, kUtimensat, folder, path, times, flags);
}
TARRY_FILE_ENTRY int futimens(int descriptor, const timespec times[2]) noexcept {
  TARRY_OPENED(futimens, kFutimens, descriptor, times);
}

// ---- names

TARRY_FILE_ENTRY int link(const char* from, const char* to) noexcept { TARRY_NAMED(link, kLink, from, to); }
TARRY_FILE_ENTRY int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  TARRY_NAMED(linkat, kLinkat, from_folder, from, to_folder, to, flags);
}
TARRY_FILE_ENTRY int symlink(const char* from, const char* to) noexcept { TARRY_NAMED(symlink, kSymlink, from, to); }
TARRY_FILE_ENTRY int symlinkat(const char* from, int folder, const char* to) noexcept {
  TARRY_NAMED(symlinkat, kSymlinkat, from, folder, to);
}
TARRY_FILE_ENTRY ssize_t readlink(const char* path, char* into, std::size_t size) noexcept {
  TARRY_NAMED(readlink, kReadlink, path, into, size);
}
TARRY_FILE_ENTRY ssize_t readlinkat(int folder, const char* path, char* into, std::size_t size) noexcept {
  TARRY_NAMED(readlinkat, kReadlinkat, folder, path, into, size);
}
TARRY_FILE_ENTRY ssize_t __readlink_chk(const char* path, char* into, std::size_t size, std::size_t room) noexcept {
  TARRY_NAMED(__readlink_chk, kReadlink, path, into, size, room);
}
TARRY_FILE_ENTRY ssize_t __readlinkat_chk(int folder, const char* path, char* into, std::size_t size,
                                          std::size_t room) noexcept {
  TARRY_NAMED(__readlinkat_chk, kReadlinkat, folder, path, into, size, room);
}
TARRY_FILE_ENTRY char* realpath(const char* path, char* into) noexcept { TARRY_NAMED(realpath, kRealpath, path, into); }
TARRY_FILE_ENTRY char* __realpath_chk(const char* path, char* into, std::size_t room) noexcept {
  TARRY_NAMED(__realpath_chk, kRealpath, path, into, room);
}
TARRY_FILE_ENTRY int unlink(const char* path) noexcept { TARRY_NAMED(unlink, kUnlink, path); }
TARRY_FILE_ENTRY int unlinkat(int folder, const char* path, int flags) noexcept {
  TARRY_NAMED(unlinkat, kUnlinkat, folder, path, flags);
}
TARRY_FILE_ENTRY int remove(const char* path) noexcept { TARRY_NAMED(remove, kRemove, path); }
TARRY_FILE_ENTRY int rename(const char* from, const char* to) noexcept { TARRY_NAMED(rename, kRename, from, to); }
TARRY_FILE_ENTRY int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  TARRY_NAMED(renameat, kRenameat, from_folder, from, to_folder, to);
}
TARRY_FILE_ENTRY int renameat2(int from_folder, const char* from, int to_folder, const char* to,
                               unsigned flags) noexcept {
  TARRY_NAMED(renameat2, kRenameat, from_folder, from, to_folder, to, flags);
}

// ---- directories

TARRY_FILE_ENTRY int mkdir(const char* path, mode_t mode) noexcept { TARRY_NAMED(mkdir, kMkdir, path, mode); }
TARRY_FILE_ENTRY int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  TARRY_NAMED(mkdirat, kMkdirat, folder, path, mode);
}
TARRY_FILE_ENTRY int rmdir(const char* path) noexcept { TARRY_NAMED(rmdir, kRmdir, path); }
TARRY_FILE_ENTRY DIR* opendir(const char* path) { TARRY_NAMED(opendir, kOpendir, path); }
TARRY_FILE_ENTRY dirent* readdir(DIR* folder) { TARRY_NAMED(readdir, kReaddir, folder); }
TARRY_FILE_ENTRY dirent64* readdir64(DIR* folder) { TARRY_NAMED(readdir64, kReaddir, folder); }
TARRY_FILE_ENTRY int closedir(DIR* folder) { TARRY_NAMED(closedir, kClosedir, folder); }
