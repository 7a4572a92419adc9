// debug_server.cpp -- asks servers for debug information, with elfutils' libdebuginfod.
#include "defs/debug_server.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "base/processes/environment_value.hpp"
#include "base/tool/log.hpp"

namespace tarry {
namespace {

using Time = std::chrono::steady_clock;

constexpr Time::duration kMostTime = std::chrono::seconds(30);

Time::duration g_left = kMostTime;
Time::time_point g_end;

// Called while a server is waited for; what is not 0 ends that.
int has_taken_too_long(void*, long, long) { return Time::now() > g_end; }

// Found at run time: the header is not needed for four functions.
struct Libdebuginfod {
  void* (*begin)() = nullptr;
  void (*end)(void* client) = nullptr;
  void (*set_progress)(void* client, int (*progress)(void*, long, long)) = nullptr;
  int (*find)(void* client, const unsigned char* id, int bytes, char** path) = nullptr;
  bool is_there = false;

  Libdebuginfod() {
    void* const library = ::dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      log_warning("DEBUGINFOD_URLS is set, but libdebuginfod is not installed");
      return;
    }
    const auto load = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      return function != nullptr;
    };
    is_there = load(begin, "debuginfod_begin") && load(end, "debuginfod_end") &&
               load(set_progress, "debuginfod_set_progressfn") && load(find, "debuginfod_find_debuginfo");
  }
};

int ask(const Libdebuginfod& servers, std::span<const std::uint8_t> build_id) {
  void* const client = servers.begin();
  if (!client) return -1;
  servers.set_progress(client, has_taken_too_long);
  const int found = servers.find(client, build_id.data(), static_cast<int>(build_id.size()), nullptr);
  servers.end(client);
  return found < 0 ? -1 : found;
}

}  // namespace

int ask_debug_servers(std::span<const std::uint8_t> build_id) {
  const char* const servers = environment_value("DEBUGINFOD_URLS");
  if (!servers || !*servers || build_id.empty() || g_left <= Time::duration::zero()) return -1;
  static const Libdebuginfod library;
  if (!library.is_there) return -1;
  const Time::time_point begin = Time::now();
  g_end = begin + g_left;
  const int found = ask(library, build_id);
  g_left -= Time::now() - begin;
  if (g_left <= Time::duration::zero()) log_warning("debuginfod servers took half a minute: they are not asked again");
  return found;
}

}  // namespace tarry
