// exec_calls.cpp -- programs that this one executes keep the recorder where LD_PRELOAD is set anew on the way.
//
// `mpirun -x LD_PRELOAD=other.so ./app`, and scripts that export it, mean to add a library, not to take the recorder
// away. So what it is loaded by goes in front of such a value. A variable that is removed, or empty, stays so.
//
// These functions come before those of the C library, and change nothing but that variable in the new program. They run
// in children of vfork() and in handlers of signals: all memory is on the stack.
#include <alloca.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdarg>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "base/processes/environment_value.hpp"
#include "base/processes/next_function.hpp"
#include "measure/core/runtime.hpp"

#define TARRY_ENTRY extern "C" __attribute__((visibility("default")))

namespace tarry::measure {
namespace {

using Arguments = char* const[];
using Spawn = int (*)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, Arguments,
                      Arguments);

constexpr char kPreload[] = "LD_PRELOAD=";
constexpr std::size_t kPreloadBytes = sizeof kPreload - 1;
constexpr std::size_t kMostOwnBytes = 4096, kMostBytes = 65536, kMostVariables = 8192;

char g_own_libraries[kMostOwnBytes];  // "/usr/lib/tarry/libtarry-preload-mpi.so:"; empty: none was preloaded

struct {
  int (*execve)(const char*, Arguments, Arguments);
  int (*execvpe)(const char*, Arguments, Arguments);
  int (*fexecve)(int, Arguments, Arguments);
  int (*execveat)(int, const char*, Arguments, Arguments, int);
  Spawn posix_spawn, posix_spawnp;
} g_real;

void note_own_libraries() {
  const char* word = environment_value("LD_PRELOAD");
  std::size_t used = 0;
  while (word && *word) {
    const std::size_t length = std::strcspn(word, ": ");
    const auto* const own = static_cast<const char*>(::memmem(word, length, "/libtarry-", sizeof "/libtarry-" - 1));
    if (own && used + length + 2 <= kMostOwnBytes) {
      std::memcpy(g_own_libraries + used, word, length);
      used += length;
      g_own_libraries[used++] = ':';
    }
    word += length + (word[length] != '\0');
  }
}

__attribute__((constructor)) void find_real_functions() {
  next_function(g_real.execve, "execve");
  next_function(g_real.execvpe, "execvpe");
  next_function(g_real.fexecve, "fexecve");
  next_function(g_real.execveat, "execveat");
  next_function(g_real.posix_spawn, "posix_spawn");
  next_function(g_real.posix_spawnp, "posix_spawnp");
  note_own_libraries();
}

bool is_variable(const char* entry, const char* name) { return std::strncmp(entry, name, std::strlen(name)) == 0; }

/// The place of LD_PRELOAD in an environment that asks for a recording, but not for the recorder; else -1.
std::ptrdiff_t find_lost_preload(Arguments environment, std::size_t& count) {
  std::ptrdiff_t place = -1;
  bool is_wanted = false;
  for (count = 0; environment[count]; ++count) {
    const char* const entry = environment[count];
    for (const char* name : {"TARRY_ARCHIVE=", "TARRY_TRACE=", "TARRY_SUMMARY="}) is_wanted |= is_variable(entry, name);
    if (is_variable(entry, kPreload)) place = static_cast<std::ptrdiff_t>(count);
  }
  if (!is_wanted || place < 0 || count > kMostVariables) return -1;
  const char* const value = environment[place] + kPreloadBytes;
  const bool is_lost = *value && !std::strstr(value, "/libtarry-") && std::strlen(value) < kMostBytes;
  return is_lost ? place : -1;
}

/// Calls `execute` with the environment that a program gets in place of the given one.
template <class Execute>
int with_recorder(Arguments environment, Execute execute) {
  std::size_t count = 0;
  if (!g_real.execve) find_real_functions();
  const std::ptrdiff_t place = environment && *g_own_libraries ? find_lost_preload(environment, count) : -1;
  if (place < 0) return execute(environment);
  const char* const value = environment[place] + kPreloadBytes;
  auto** const changed = static_cast<char**>(::alloca((count + 1) * sizeof(char*)));
  auto* const preload =
      static_cast<char*>(::alloca(kPreloadBytes + std::strlen(g_own_libraries) + std::strlen(value) + 1));
  std::memcpy(changed, environment, (count + 1) * sizeof(char*));
  ::stpcpy(::stpcpy(::stpcpy(preload, kPreload), g_own_libraries), value);
  changed[place] = preload;
  return execute(changed);
}

int execute_file(const char* path, Arguments arguments, Arguments environment) {
  return with_recorder(environment, [=](Arguments e) { return g_real.execve(path, arguments, e); });
}

int execute_by_name(const char* file, Arguments arguments, Arguments environment) {
  return with_recorder(environment, [=](Arguments e) { return g_real.execvpe(file, arguments, e); });
}

std::size_t count_arguments(const char* first, va_list list) {
  std::size_t count = 0;
  for (const char* argument = first; argument; argument = va_arg(list, const char*)) ++count;
  return count;
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

// The arguments of a variadic function as an array, on its own stack. `list` stands behind the last of them.
#define TARRY_COLLECT_ARGUMENTS(first, list, array)                                         \
  va_list list;                                                                             \
  va_start(list, first);                                                                    \
  const std::size_t argument_count = count_arguments(first, list);                          \
  va_end(list);                                                                             \
  auto** const array = static_cast<char**>(::alloca((argument_count + 1) * sizeof(char*))); \
  va_start(list, first);                                                                    \
  array[0] = const_cast<char*>(first);                                                      \
  for (std::size_t i = 1; i <= argument_count; ++i) array[i] = va_arg(list, char*);

TARRY_ENTRY int execve(const char* path, Arguments arguments, Arguments environment) noexcept {
  return execute_file(path, arguments, environment);
}

TARRY_ENTRY int execv(const char* path, Arguments arguments) noexcept { return execute_file(path, arguments, environ); }

TARRY_ENTRY int execvpe(const char* file, Arguments arguments, Arguments environment) noexcept {
  return execute_by_name(file, arguments, environment);
}

TARRY_ENTRY int execvp(const char* file, Arguments arguments) noexcept {
  return execute_by_name(file, arguments, environ);
}

TARRY_ENTRY int execl(const char* path, const char* first, ...) noexcept {
  TARRY_COLLECT_ARGUMENTS(first, list, arguments)
  va_end(list);
  return execute_file(path, arguments, environ);
}

TARRY_ENTRY int execlp(const char* file, const char* first, ...) noexcept {
  TARRY_COLLECT_ARGUMENTS(first, list, arguments)
  va_end(list);
  return execute_by_name(file, arguments, environ);
}

TARRY_ENTRY int execle(const char* path, const char* first, ...) noexcept {
  TARRY_COLLECT_ARGUMENTS(first, list, arguments)
  auto** const environment = va_arg(list, char**);
  va_end(list);
  return execute_file(path, arguments, environment);
}

TARRY_ENTRY int fexecve(int file, Arguments arguments, Arguments environment) noexcept {
  return with_recorder(environment, [=](Arguments e) { return g_real.fexecve(file, arguments, e); });
}

TARRY_ENTRY int execveat(int folder, const char* path, Arguments arguments, Arguments environment, int flags) noexcept {
  return with_recorder(environment, [=](Arguments e) { return g_real.execveat(folder, path, arguments, e, flags); });
}

TARRY_ENTRY int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                            const posix_spawnattr_t* attributes, Arguments arguments, Arguments environment) {
  return with_recorder(environment,
                       [=](Arguments e) { return g_real.posix_spawn(child, path, actions, attributes, arguments, e); });
}

TARRY_ENTRY int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* attributes, Arguments arguments, Arguments environment) {
  return with_recorder(
      environment, [=](Arguments e) { return g_real.posix_spawnp(child, file, actions, attributes, arguments, e); });
}
