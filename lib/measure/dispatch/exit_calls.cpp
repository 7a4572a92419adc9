// exit_calls.cpp -- the end of a process without exit handlers, and by an error of MPI, which ends the program, too.
//
// _exit() runs no handler that could close the recording. Programs without MPI end so on purpose.
//
// Most programs leave MPI_ERRORS_ARE_FATAL as their handler of errors. It prints a line, tells the launcher, and ends
// the process with exit() or _exit(). The launcher kills the others. So whoever leaves inside a function of MPI was
// first. A signal handler that leaves there did so for a reason of its own. What it has interrupted is not looked at:
// the stack may be why it was called.
//
// MPICH's launcher kills the process itself as soon as it is told. So the message to it, "cmd=abort", is looked for
// where the library writes.
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "base/processes/next_function.hpp"
#include "measure/core/loaded_object.hpp"
#include "measure/core/runtime.hpp"
#include "measure/dispatch/mpi_dispatch.hpp"
#include "measure/dispatch/mpi_library.hpp"

namespace tarry::measure {
namespace {

constexpr int kMostFrames = 1000;

struct CallSearch {
  std::string_view function;  // of MPI, the outermost one so far
  int frames = 0;
  bool has_signal = false;

  bool is_whole() const { return frames < kMostFrames; }
};

_Unwind_Reason_Code look_for_mpi(_Unwind_Context* context, void* data) {
  CallSearch& search = *static_cast<CallSearch*>(data);
  int is_interrupted = 0;
  auto* const place = reinterpret_cast<const char*>(_Unwind_GetIPInfo(context, &is_interrupted)) - 1;
  if (is_interrupted) {
    search.has_signal = true;
    return _URC_END_OF_STACK;
  }
  Dl_info info;
  if (find_beside(place, "PMPI_Init").address && ::dladdr(place, &info) && info.dli_sname) {
    std::string_view name = info.dli_sname;
    if (name.starts_with("PMPI_")) name.remove_prefix(1);
    if (name.starts_with("MPI_")) search.function = name;
  }
  return ++search.frames < kMostFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// A child of vfork() leaves its parent's memory alone.
bool is_recorder_here() {
  static const pid_t self = ::getpid();
  return is_recording() && ::getpid() == self;
}

void note_end(bool has_handlers) {
  if (!is_recorder_here()) return;
  CallSearch search;
  _Unwind_Backtrace(look_for_mpi, &search);
  if (search.has_signal) return;
  // A handler of a signal may have interrupted whoever holds a lock, so the stack must show that there is none.
  if (search.function.empty() && !has_handlers && search.is_whole()) return finish_alone();
  if (search.function.empty() || search.function == "MPI_Abort") return;
  note_abort(search.function);
  finish_recording();
}

// In place of the MPI library's write().
ssize_t write_for_mpi(int descriptor, const void* data, std::size_t bytes) {
  constexpr std::string_view kMessage = "cmd=abort";
  constexpr std::size_t kLongestStart = 16;  // the length of the message comes first in PMI 2
  const std::string_view start(static_cast<const char*>(data), std::min(bytes, kLongestStart));
  if (start.find(kMessage) != start.npos) note_end(true);
  return ::write(descriptor, data, bytes);
}

int watch_writes_of(dl_phdr_info* info, std::size_t, void*) {
  static constexpr SymbolName kInit = "PMPI_Init";
  const LoadedObject object(*info);
  if (!object.find(kInit).address) return 0;
  const MpiKind kind = mpi_kind_of(object);
  if (kind != MpiKind::kMpich && kind != MpiKind::kStandard) return 0;
  object.each_slot([&](const char* name, void** slot) {
    return std::strcmp(name, "write") != 0 || object.write_slot(slot, reinterpret_cast<void*>(write_for_mpi));
  });
  return 0;
}

using Exit = void (*)(int);
Exit g_exit = nullptr, g_exit_at_once = nullptr, g_exit_at_once_in_c = nullptr;

__attribute__((constructor)) void prepare_for_exits() {
  is_recorder_here();
  next_function(g_exit, "exit");
  next_function(g_exit_at_once, "_exit");
  next_function(g_exit_at_once_in_c, "_Exit");
}

[[noreturn]] void leave_process(Exit& real, const char* name, int status, bool has_handlers) {
  note_end(has_handlers);
  next_function(real, name)(status);
  __builtin_unreachable();
}

}  // namespace

void watch_aborts() { ::dl_iterate_phdr(watch_writes_of, nullptr); }

}  // namespace tarry::measure

#define TARRY_EXIT_ENTRY extern "C" __attribute__((visibility("default"), noreturn))

using namespace tarry::measure;

TARRY_EXIT_ENTRY void exit(int status) noexcept { leave_process(g_exit, "exit", status, true); }
TARRY_EXIT_ENTRY void _exit(int status) { leave_process(g_exit_at_once, "_exit", status, false); }
TARRY_EXIT_ENTRY void _Exit(int status) noexcept { leave_process(g_exit_at_once_in_c, "_Exit", status, false); }
