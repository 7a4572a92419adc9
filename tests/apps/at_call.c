// at_call.c -- preloaded into a program, makes one of its calls that change files fail, or kills it there.
//
// AT_CALL=kill:N     the N-th call does not happen, the process is killed
// AT_CALL=tear:N     the same, but if it writes, half of it is written
// AT_CALL=nospace:N  from the N-th call on, everything that needs room fails with ENOSPC
// AT_PROGRAM=NAME    only in programs of this name (as in /proc/self/comm); empty: in all
// AT_FOLDER=TEXT     only calls on files that have TEXT in their path
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum Mode { kNothing, kKill, kTear, kNoSpace };

static enum Mode g_mode;
static long g_at;
static const char* g_folder;
static atomic_long g_calls;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void read_plan(void) {
  const char* plan = getenv("AT_CALL");
  const char* program = getenv("AT_PROGRAM");
  g_folder = getenv("AT_FOLDER");
  char mode[16] = "";
  if (!plan || !g_folder || sscanf(plan, "%15[a-z]:%ld", mode, &g_at) != 2) return;
  if (program && *program && strncmp(program, program_invocation_short_name, 15) != 0) return;
  g_mode = !strcmp(mode, "kill") ? kKill : !strcmp(mode, "tear") ? kTear : kNoSpace;
}

static int is_ours(const char* path) { return g_mode != kNothing && path && strstr(path, g_folder); }

static int is_ours_open(int file) {
  char link[64], path[4096];
  if (g_mode == kNothing) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_ours(path);
}

static void die(void) {
  raise(SIGKILL);
  pause();
}

// True if the call is to fail for want of room.
static int fails(int needs_room) {
  const long call = ++g_calls;
  if (g_mode == kNoSpace) {
    if (call < g_at || !needs_room) return 0;
    errno = ENOSPC;
    return 1;
  }
  if (call == g_at) die();
  return 0;
}

ssize_t write(int file, const void* data, size_t size) {
  if (!is_ours_open(file)) return REAL(write)(file, data, size);
  if (g_mode == kTear && g_calls + 1 == g_at) REAL(write)(file, data, size / 2);
  return fails(1) ? -1 : REAL(write)(file, data, size);
}

ssize_t writev(int file, const struct iovec* parts, int count) {
  if (!is_ours_open(file)) return REAL(writev)(file, parts, count);
  if (g_mode == kTear && g_calls + 1 == g_at) {
    if (count > 1) REAL(writev)(file, parts, count - 1);
    REAL(write)(file, parts[count - 1].iov_base, parts[count - 1].iov_len / 2);
  }
  return fails(1) ? -1 : REAL(writev)(file, parts, count);
}

ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
  return is_ours_open(file) && fails(1) ? -1 : REAL(pwrite)(file, data, size, offset);
}

int fallocate(int file, int mode, off_t offset, off_t length) {
  return is_ours_open(file) && fails(mode == 0) ? -1 : REAL(fallocate)(file, mode, offset, length);
}

int ftruncate(int file, off_t length) {
  return is_ours_open(file) && fails(0) ? -1 : REAL(ftruncate)(file, length);
}

int fsync(int file) { return is_ours_open(file) && fails(1) ? -1 : REAL(fsync)(file); }

int rename(const char* from, const char* to) { return is_ours(to) && fails(1) ? -1 : REAL(rename)(from, to); }

int unlink(const char* path) { return is_ours(path) && fails(0) ? -1 : REAL(unlink)(path); }

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  const int creates = (flags & O_CREAT) && is_ours(path) && access(path, F_OK) != 0;
  return creates && fails(1) ? -1 : REAL(open)(path, flags, mode);
}
