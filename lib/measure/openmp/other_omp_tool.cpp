// other_omp_tool.cpp -- finds the other OMPT tool, and answers for the runtime where both tools matter.
#include "measure/openmp/other_omp_tool.hpp"

#include <dlfcn.h>

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/processes/environment_value.hpp"

namespace tarry::measure {

std::atomic<ompt::Callback> g_other_callbacks[ompt::kEventCount];

namespace {

using StartTool = ompt::StartToolResult* (*)(unsigned omp_version, const char* runtime);

ompt::StartToolResult* g_other_tool = nullptr;
bool g_is_looking = false, g_is_started = false;
ompt::Lookup g_runtime_lookup = nullptr;
int g_own_results[ompt::kEventCount];

ompt::StartToolResult* ask(void* function, unsigned omp_version, const char* runtime) {
  const auto start = reinterpret_cast<StartTool>(function);
  if (!start || start == ompt_start_tool) return nullptr;
  ompt::StartToolResult* const result = start(omp_version, runtime);
  return result && result->initialize ? result : nullptr;
}

ompt::StartToolResult* ask_library(const char* path, unsigned omp_version, const char* runtime) {
  void* const library = ::dlopen(path, RTLD_LAZY);
  if (!library) return nullptr;
  ompt::StartToolResult* const result = ask(::dlsym(library, "ompt_start_tool"), omp_version, runtime);
  if (!result) ::dlclose(library);
  return result;
}

ompt::StartToolResult* ask_listed_libraries(unsigned omp_version, const char* runtime) {
  const char* const list = environment_value("OMP_TOOL_LIBRARIES");
  std::string_view rest = list ? list : "";
  while (!rest.empty()) {
    const std::string path(rest.substr(0, rest.find(':')));
    rest.remove_prefix(path.size() < rest.size() ? path.size() + 1 : path.size());
    if (path.empty()) continue;
    if (ompt::StartToolResult* const result = ask_library(path.c_str(), omp_version, runtime)) return result;
  }
  return nullptr;
}

// LLVM's runtime looks for the tool that explains OpenMP to ThreadSanitizer when there is no other.
ompt::StartToolResult* ask_archer(unsigned omp_version, const char* runtime) {
  if (!runtime || std::strncmp(runtime, "LLVM OMP", 8) != 0) return nullptr;
  return ask_library("libarcher.so", omp_version, runtime);
}

template <class Function>
Function in_runtime(const char* name) {
  return reinterpret_cast<Function>(g_runtime_lookup(name));
}

// ---- what the other tool calls in place of the runtime's functions

// Callbacks for the runtime that tell the other tool only.
template <ompt::Event event, class... Args>
ompt::Callback for_other() {
  void (*const tell)(Args...) = [](Args... args) { tell_other_tool<event, Args...>(args...); };
  return reinterpret_cast<ompt::Callback>(tell);
}

// Of events that we do not want and that have words. nullptr: none has.
ompt::Callback translator_of(int event) {
  using ompt::Parallel, ompt::Task;
  using Place = const void*;
  switch (event) {
    case ompt::kTarget: return for_other<ompt::kTarget, int, int, int, Task*, std::uint64_t, Place>();
    case ompt::kSyncRegionWait: return for_other<ompt::kSyncRegionWait, int, int, Parallel*, Task*, Place>();
    case ompt::kDependences: return for_other<ompt::kDependences, Task*, const void*, int>();
    case ompt::kTaskDependence: return for_other<ompt::kTaskDependence, Task*, Task*>();
    case ompt::kCancellation: return for_other<ompt::kCancellation, Task*, int, Place>();
    case ompt::kReductionEvent: return for_other<ompt::kReductionEvent, int, int, Parallel*, Task*, Place>();
    case ompt::kDispatch: return for_other<ompt::kDispatch, Parallel*, Task*, int, ompt::Data>();
    case ompt::kTargetEmi: return for_other<ompt::kTargetEmi, int, int, int, Task*, Task*, ompt::Data*, Place>();
    case ompt::kTargetDataOpEmi:
      return for_other<ompt::kTargetDataOpEmi, int, Task*, ompt::Data*, std::uint64_t*, int, void*, int, void*, int,
                       std::size_t, Place>();
    default: return nullptr;
  }
}

int set_callback_of_other(int event, ompt::Callback callback) {
  if (event <= 0 || event >= ompt::kEventCount) return 0;
  g_other_callbacks[event].store(callback, std::memory_order_release);
  if (g_own_results[event] > 0) return g_own_results[event];
  const ompt::Callback translator = callback ? translator_of(event) : nullptr;
  return in_runtime<ompt::SetCallback>("ompt_set_callback")(event, translator ? translator : callback);
}

int get_callback_of_other(int event, ompt::Callback* callback) {
  if (event <= 0 || event >= ompt::kEventCount) return 0;
  const ompt::Callback known = g_other_callbacks[event].load(std::memory_order_acquire);
  if (!known || !in_runtime<int (*)(int, ompt::Callback*)>("ompt_get_callback")(event, callback)) return 0;
  if (callback) *callback = known;
  return 1;
}

int get_parallel_info_of_other(int level, ompt::Parallel** parallel, int* size) {
  using GetInfo = int (*)(int, ompt::Parallel**, int*);
  ompt::Parallel* known = nullptr;
  const int result = in_runtime<GetInfo>("ompt_get_parallel_info")(level, &known, size);
  if (parallel && known) *parallel = their_word(known);
  return result;
}

int get_task_info_of_other(int level, int* flags, ompt::Task** task, void** frame, ompt::Parallel** parallel,
                           int* thread) {
  using GetInfo = int (*)(int, int*, ompt::Task**, void**, ompt::Parallel**, int*);
  ompt::Task* known_task = nullptr;
  ompt::Parallel* known_parallel = nullptr;
  const auto get = in_runtime<GetInfo>("ompt_get_task_info");
  const int result = get(level, flags, &known_task, frame, &known_parallel, thread);
  if (task && known_task) *task = their_word(known_task);
  if (parallel && known_parallel) *parallel = their_word(known_parallel);
  return result;
}

ompt::Callback lookup_of_other(const char* name) {
  const ompt::Callback known = g_runtime_lookup(name);
  if (!known) return nullptr;
  const std::string_view wanted = name;
  if (wanted == "ompt_set_callback") return reinterpret_cast<ompt::Callback>(set_callback_of_other);
  if (wanted == "ompt_get_callback") return reinterpret_cast<ompt::Callback>(get_callback_of_other);
  if (wanted == "ompt_get_parallel_info") return reinterpret_cast<ompt::Callback>(get_parallel_info_of_other);
  if (wanted == "ompt_get_task_info") return reinterpret_cast<ompt::Callback>(get_task_info_of_other);
  if (wanted == "ompt_finalize_tool") return reinterpret_cast<ompt::Callback>(end_other_tool);
  return known;
}

void forget_callbacks() {
  for (auto& callback : g_other_callbacks) callback.store(nullptr, std::memory_order_release);
}

}  // namespace

// In the order of the runtime: first a tool that is loaded, which may be the program itself, then those of the list.
void find_other_tool(unsigned omp_version, const char* runtime) {
  if (g_is_looking || g_is_started) return;
  g_is_looking = true;
  g_other_tool = ask(::dlsym(RTLD_DEFAULT, "ompt_start_tool"), omp_version, runtime);
  if (!g_other_tool) g_other_tool = ask(::dlsym(RTLD_NEXT, "ompt_start_tool"), omp_version, runtime);
  if (!g_other_tool) g_other_tool = ask_listed_libraries(omp_version, runtime);
  if (!g_other_tool) g_other_tool = ask_archer(omp_version, runtime);
  g_is_looking = false;
}

bool has_other_tool() { return g_other_tool && !g_is_started; }

void start_other_tool(ompt::Lookup lookup, int device, const int (&own_results)[ompt::kEventCount]) {
  g_is_started = true;
  forget_callbacks();
  g_runtime_lookup = lookup;
  std::memcpy(g_own_results, own_results, sizeof g_own_results);
  if (g_other_tool->initialize(lookup_of_other, device, &g_other_tool->tool)) return;
  forget_callbacks();
  g_other_tool = nullptr;
  g_is_started = false;
}

void end_other_tool() {
  ompt::StartToolResult* const tool = g_is_started ? std::exchange(g_other_tool, nullptr) : nullptr;
  if (!tool) return;
  g_is_started = false;
  if (tool->finalize) tool->finalize(&tool->tool);
  forget_callbacks();
}

}  // namespace tarry::measure
