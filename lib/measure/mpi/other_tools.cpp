// other_tools.cpp -- finds other tools that define MPI_X, and leads their calls of PMPI_X to the wrappers.
//
// A tool calls PMPI_X to pass the program's call on, and for itself: it sums up what it has found, mostly in
// MPI_Finalize. Behind our wrapper, both need nothing of us. In front of it, a call is passed on if it comes from the
// tool's own MPI_X. From another MPI_Y it is the tool's own. From neither, the stack tells: tools have helpers. If it
// does not, MPI_X has ended by a jump to PMPI_X.
#include "measure/mpi/other_tools.hpp"

#include <link.h>
#include <unwind.h>

#include <array>
#include <atomic>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "base/files/file.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/dispatch/mpi_library.hpp"
#include "measure/mpi/fortran.hpp"

extern "C" __attribute__((visibility("hidden"))) const ElfW(Ehdr) __ehdr_start;  // of this library

namespace tarry::measure {
namespace {

using ToolSlot [[gnu::may_alias]] = void*;

constexpr std::size_t kMpiFunctionCount = kMpiFunctionNames.size();
constexpr std::size_t kMostTools = 16, kMostRanges = 8, kMostFrames = 32, kLongestName = 64;

/// MPI_X of each PMPI_X.
template <std::size_t... kNumber>
constexpr std::array<SymbolName, kMpiFunctionCount> names_in_c(std::index_sequence<kNumber...>) {
  return {SymbolName(kMpiFunctionNames[kNumber].text + 1)...};
}
constexpr auto kNamesInC = names_in_c(std::make_index_sequence<kMpiFunctionCount>());

std::size_t find_number(const char* pmpi_name) {
  std::size_t number = 0;
  while (number < kMpiFunctionCount && std::strcmp(kMpiFunctionNames[number].text, pmpi_name) != 0) ++number;
  return number;
}

template <auto kMember>
std::size_t number_of() {
  const auto* const slot = reinterpret_cast<const ToolSlot*>(&(g_tools.*kMember));
  return static_cast<std::size_t>(slot - reinterpret_cast<const ToolSlot*>(&g_tools));
}

/// Where a thread is: below `frame` it is in the tool's MPI_X of that number.
struct ToolState {
  std::uintptr_t frame = 0;
  std::size_t function = 0;
  bool passes_by = false;  // see pass_tool_by()
};
constinit thread_local ToolState t_tool;

// A jump out of the tool leaves its frame above that of the next call, or below it.
bool is_in_tool() { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < t_tool.frame; }

class InTool {
 public:
  InTool(std::size_t function, void* frame) : before_(t_tool) {
    t_tool = {reinterpret_cast<std::uintptr_t>(frame), function, false};
  }
  ~InTool() { t_tool = before_; }
  InTool(const InTool&) = delete;
  InTool& operator=(const InTool&) = delete;

 private:
  ToolState before_;
};

/// The code of a function of a tool, in C or Fortran. Written while others read: the begin comes last.
struct CodeRange {
  std::atomic<std::uintptr_t> begin = 0;
  std::uintptr_t bytes = 0;
};
std::array<std::array<CodeRange, kMostRanges>, kMpiFunctionCount> g_ranges;

bool is_in(const CodeRange& range, std::uintptr_t address) {
  const std::uintptr_t begin = range.begin.load(std::memory_order_acquire);
  return begin && address - begin < range.bytes;
}

// Return addresses may lie behind the last instruction of a function.
bool is_code_of(std::size_t function, std::uintptr_t return_address) {
  for (const CodeRange& range : g_ranges[function])
    if (is_in(range, return_address - 1)) return true;
  return false;
}

bool is_code_of_any(std::uintptr_t return_address) {
  for (std::size_t i = 0; i < kMpiFunctionCount; ++i)
    if (is_code_of(i, return_address)) return true;
  return false;
}

struct StackSearch {
  std::size_t function;
  int frames = 0;
  bool is_decided = false, is_passed_on = false;
};

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* data) {
  StackSearch& search = *static_cast<StackSearch*>(data);
  const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
  search.is_passed_on = is_code_of(search.function, address);
  search.is_decided = search.is_passed_on || is_code_of_any(address);
  return search.is_decided || ++search.frames >= static_cast<int>(kMostFrames) ? _URC_END_OF_STACK : _URC_NO_REASON;
}

StackSearch search_stack(std::size_t function) {
  StackSearch search{.function = function};
  _Unwind_Backtrace(look_at_frame, &search);
  return search;
}

// A tool that is left by a jump seems to be called still. The stack tells.
bool is_called_again(std::size_t function) {
  return is_in_tool() && t_tool.function == function && search_stack(function).is_passed_on;
}

template <auto kMember>
struct ToolCall;

// A tool that looks MPI_X up may find ours: its call of it goes to the library.
template <class... Arguments, int (*MpiFunctions::*kMember)(Arguments...)>
struct ToolCall<kMember> {
  static int call(Arguments... arguments) {
    if (t_tool.passes_by || is_called_again(number_of<kMember>())) {
      t_tool.passes_by = false;
      return (g_mpi.*kMember)(arguments...);
    }
    const InTool inside(number_of<kMember>(), __builtin_frame_address(0));
    return (g_tools.*kMember)(arguments...);
  }
};

bool is_passed_on(std::size_t function, const void* caller) {
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  if (is_in_tool()) return false;
  if (is_code_of(function, address)) return true;
  if (is_code_of_any(address)) return false;
  const StackSearch search = search_stack(function);
  if (search.is_decided) return search.is_passed_on;
  const bool has_tool_behind = reinterpret_cast<const ToolSlot*>(&g_tools)[function];
  return !has_tool_behind && g_ranges[function][0].begin.load(std::memory_order_relaxed);
}

/// What a tool's slot for PMPI_X leads to. The wrapper is entered by a jump: it finds the tool's frame as its caller's.
template <auto kMember, auto kWrapper>
struct PassedOn;

template <class... Arguments, int (*MpiFunctions::*kMember)(Arguments...), int (*kWrapper)(Arguments...)>
struct PassedOn<kMember, kWrapper> {
  static int call(Arguments... arguments) {
    if (!is_passed_on(number_of<kMember>(), __builtin_return_address(0))) return (g_mpi.*kMember)(arguments...);
    pass_tool_by(g_tools.*kMember);
    return kWrapper(arguments...);
  }
};

constexpr MpiFunctions kPassedOn = kMpiWrapperEntries<PassedOn>;

/// What the slot of a Fortran library for PMPI_X leads to if a tool's MPI_X is behind our wrapper.
template <auto kMember, auto kWrapper>
struct FromFortran;

template <class... Arguments, int (*MpiFunctions::*kMember)(Arguments...), int (*kWrapper)(Arguments...)>
struct FromFortran<kMember, kWrapper> {
  static int call(Arguments... arguments) {
    pass_tool_by(g_tools.*kMember);
    return kWrapper(arguments...);
  }
};

constexpr MpiFunctions kFromFortran = kMpiWrapperEntries<FromFortran>;

/// The names of the bindings to Fortran: mpi_x, mpi_x_, mpi_x__, MPI_X.
template <class Visit>
void each_name_in_fortran(std::size_t function, Visit visit) {
  char name[kLongestName];
  for (const char* ending : {"", "_", "__"}) {
    std::snprintf(name, sizeof name, "%s%s", kNamesInC[function].text, ending);
    for (char* c = name; *c; ++c) *c = static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
    visit(SymbolName(name));
  }
  std::snprintf(name, sizeof name, "%s", kNamesInC[function].text);
  for (char* c = name; *c; ++c) *c = static_cast<char>(std::toupper(static_cast<unsigned char>(*c)));
  visit(SymbolName(name));
}

// What it is called with is a function of C.
const void* find_any_function(const LoadedObject& object) {
  for (std::size_t i = 0; i < kMpiFunctionCount; ++i)
    if (const void* const found = object.find(kNamesInC[i]).address) return found;
  const void* found = nullptr;
  if (object.each_import([](const char* name) { return std::strncmp(name, "PMPI_", 5) != 0; })) return nullptr;
  for (std::size_t i = 0; i < kMpiFunctionCount && !found; ++i)
    each_name_in_fortran(i, [&](SymbolName name) { found = found ? found : object.find(name).address; });
  return found;
}

struct Tool {
  const void* function = nullptr;  // any of its MPI_X
  std::uintptr_t base = 0;
};

/// The tools among what is loaded.
struct Tools {
  std::array<Tool, kMostTools> tools;
  std::size_t count = 0;
  bool has_library = false;  // of MPI, of this ABI
};

int look_for_library(dl_phdr_info* info, std::size_t, void* data) {
  const LoadedObject object(*info);
  Tools& found = *static_cast<Tools*>(data);
  found.has_library |= object.find("PMPI_Init").address && mpi_kind_of(object) == kOwnKind;
  return found.has_library;
}

// A tool whose functions the linker has bound inside the program, and shows nobody.
bool hides_tool(const LoadedObject& program) {
  for (const char* start : {"MPI_Init", "MPI_Init_thread"})
    if (program.find(start).address) return false;
  return !program.each_slot([](const char* name, void**) { return std::strncmp(name, "PMPI_Init", 9) != 0; });
}

int look_for_hidden_tool(dl_phdr_info* info, std::size_t, void*) {
  static std::atomic<bool> is_said = false;
  if (hides_tool(LoadedObject(*info)) && is_recording_wanted() && !is_said.exchange(true))
    say(program_name() + " calls PMPI_Init itself: where another tool in it hides its MPI_X, calls are not recorded");
  return 1;  // the program comes first
}

int look_for_tool(dl_phdr_info* info, std::size_t, void* data) {
  Tools& found = *static_cast<Tools*>(data);
  const LoadedObject object(*info);
  const bool is_ours = info->dlpi_addr == reinterpret_cast<std::uintptr_t>(&__ehdr_start);
  if (found.count == kMostTools || is_ours || object.find("PMPI_Init").address) return 0;
  if (info->dlpi_name && is_fortran_library(info->dlpi_name)) return 0;
  if (const void* const function = find_any_function(object)) found.tools[found.count++] = {function, info->dlpi_addr};
  return 0;
}

Tools find_all_tools() {
  Tools found;
  ::dl_iterate_phdr(look_for_library, &found);
  if (found.has_library) ::dl_iterate_phdr(look_for_tool, &found);
  if (found.has_library && !found.count) ::dl_iterate_phdr(look_for_hidden_tool, nullptr);
  return found;
}

void note_range(std::size_t function, const LoadedObject::Definition& code) {
  const auto begin = reinterpret_cast<std::uintptr_t>(code.address);
  if (!begin) return;
  for (CodeRange& range : g_ranges[function]) {
    const std::uintptr_t there = range.begin.load(std::memory_order_relaxed);
    if (there == begin) return;
    if (there) continue;
    range.bytes = code.size ? code.size : 1;
    return range.begin.store(begin, std::memory_order_release);
  }
}

void redirect_tool(const LoadedObject& object, const char* path) {
  for (std::size_t i = 0; i < kMpiFunctionCount; ++i) {
    note_range(i, object.find(kNamesInC[i]));
    each_name_in_fortran(i, [&](SymbolName name) { note_range(i, object.find(name)); });
  }
  MpiFunctions entries = kPassedOn;
  const bool is_done = object.each_slot([&](const char* name, void** slot) {
    const std::size_t number = std::strncmp(name, "PMPI_", 5) == 0 ? find_number(name) : kMpiFunctionCount;
    return number == kMpiFunctionCount || object.write_slot(slot, reinterpret_cast<ToolSlot*>(&entries)[number]);
  });
  if (!is_done) say(std::string(path) + ": " + system_error() + ": MPI calls that it passes on are not recorded");
}

int redirect_if_tool(dl_phdr_info* info, std::size_t, void* data) {
  const Tools& found = *static_cast<const Tools*>(data);
  for (std::size_t i = 0; i < found.count; ++i)
    if (found.tools[i].base == info->dlpi_addr)
      redirect_tool(LoadedObject(*info), info->dlpi_name ? info->dlpi_name : "");
  return 0;
}

// Those that mean a library of this ABI.
void redirect_tool_calls() {
  const Tools all = find_all_tools();
  if (all.count) find_tools(nullptr);
  Tools own;
  for (std::size_t i = 0; i < all.count; ++i)
    if (find_mpi_library(all.tools[i].function).kind == kOwnKind) own.tools[own.count++] = all.tools[i];
  if (own.count) ::dl_iterate_phdr(redirect_if_tool, &own);
}

}  // namespace

constinit MpiFunctions g_tools = {};
constinit const MpiFunctions kToolCalls = kMpiEntries<ToolCall>;

void find_tools(const void* caller) {
  static constinit std::atomic<const void*> known_caller = nullptr;
  if (caller) known_caller = caller;
  caller = known_caller;
  const bool is_any = find_all_tools().count;
  for (std::size_t i = 0; i < kMpiFunctionCount; ++i) {
    void* const function = is_any ? find_tool_function(kNamesInC[i].text, caller) : nullptr;
    __atomic_store_n(&reinterpret_cast<ToolSlot*>(&g_tools)[i], function, __ATOMIC_RELAXED);
  }
}

void redirect_calls() {
  redirect_tool_calls();
  redirect_fortran_calls();
}

void* entry_past_tools(const char* pmpi_name) {
  const std::size_t number = find_number(pmpi_name);
  if (number == kMpiFunctionCount || !reinterpret_cast<const ToolSlot*>(&g_tools)[number]) return nullptr;
  MpiFunctions entries = kFromFortran;
  return reinterpret_cast<ToolSlot*>(&entries)[number];
}

void pass_tool_by(bool has_tool) { t_tool.passes_by = has_tool; }

}  // namespace tarry::measure
