// function_regions.cpp -- the table of functions and user regions, and what defines them when they are seen first.
#include "measure/callpath/function_regions.hpp"

#include <atomic>
#include <string>

#include "measure/callpath/call_stack.hpp"
#include "measure/callpath/calling_code.hpp"
#include "measure/callpath/function_names.hpp"
#include "measure/callpath/python_path.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/recorder_lock.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/core/signal_block.hpp"

namespace tarry::measure {

constinit RegionMap g_regions;

namespace {

RecorderLock g_regions_lock;
std::atomic<bool> g_expects_outlined_calls = false;

// What throttled functions were; guarded by the lock.
RegionId g_throttled[kMostThrottled];
std::uint32_t g_throttled_count = 0;

// Never destroyed: instrumented destructors run while the process ends.
FunctionNames& function_names() {
  static auto* const names = new FunctionNames;
  return *names;
}

std::string full_name(const KeyFacts& facts) {
  std::string name = facts.name;
  if (facts.has_number) name += facts.number == KeyFacts::kFurtherNumbers ? "=..." : "=" + std::to_string(facts.number);
  if (facts.text) name.append("=").append(facts.text);
  return name;
}

RegionId define_key(std::uintptr_t key, const KeyFacts& facts) {
  FunctionNames& names = function_names();
  if (facts.is_interpreted) return names.define_interpreted(facts.name, facts.file, facts.line);
  if (facts.name) {
    if (!names.filter().includes(facts.name, "", facts.file)) return kFiltered;
    return definitions()
        .try_add_region(full_name(facts), facts.file, facts.line, Paradigm::kUser, facts.role)
        .value_or(kUnknownRegion);
  }
  return names.define(key, facts.is_main);
}

// Functions beyond what the map holds share one region.
RegionId overflow_region() {
  static const RegionId region = [] {
    say("more than " + std::to_string(RegionMap::kEntries / 2) + " functions: some are recorded as one");
    return definitions().add_region("(more functions)", "", 0, Paradigm::kCompiler, RegionRole::kFunction);
  }();
  return region;
}

RegionId add_key(std::uintptr_t key, const KeyFacts& facts) {
  const TryLocked lock(g_regions_lock);
  if (!lock) return kUnknownRegion;
  if (const RegionId there = g_regions.find(key); there != kUnknownRegion) return there;
  const RegionId region = define_key(key, facts);
  if (region == kUnknownRegion || function_names().is_shared(region) || g_regions.add(key, region)) return region;
  return is_in_handler() ? kFiltered : overflow_region();
}

}  // namespace

const RegionFilter& region_filter() { return function_names().filter(); }

// Behind the end the hooks do nothing, not even read the clock: a sandbox may forbid it.
void name_functions_at_end() {
  function_names().describe_all();
  g_regions.filter_all();
}

RegionId region_of_key(std::uintptr_t key, const KeyFacts& facts) {
  const RegionId region = g_regions.find(key);
  if (region != kUnknownRegion) return region;
  Thread* thread = thread_for_books();
  if (!thread) return kUnknownRegion;
  const SignalBlock no_signals;  // until the gate is open again: what handlers call meanwhile is recorded behind this
  const Guard guard(thread->gate, Guard::kEvenPaused);
  if (!guard) return kUnknownRegion;
  // When its library is unloaded, the place may become another library's.
  calling_code_on_stack(reinterpret_cast<const void*>(key));
  return add_key(key, facts);
}

RegionId region_of_unwound(std::uintptr_t function, bool is_main) {
  const CallingCode code = calling_code_on_stack(reinterpret_cast<const void*>(function));
  const PythonRole role = code == CallingCode::kPython ? python_role_of(function) : PythonRole::kFollowed;
  if (role == PythonRole::kUncertain) return kUnknownRegion;
  const bool is_program = code == CallingCode::kProgram || role == PythonRole::kUnknownInterpreter;
  if (is_program || settings().keeps_system_frames) return add_key(function, {.is_main = is_main});
  return filter_key(function);
}

void expect_outlined_calls() { g_expects_outlined_calls.store(true, std::memory_order_relaxed); }

bool is_outlined_call(std::uintptr_t function, std::uintptr_t return_address) {
  if (!g_expects_outlined_calls.load(std::memory_order_relaxed) || is_run_time_code(function)) return false;
  return calling_code(reinterpret_cast<const void*>(return_address)) == CallingCode::kOpenMp &&
         calling_code_on_stack(reinterpret_cast<const void*>(function)) == CallingCode::kProgram;
}

RegionId mark_outlined(std::uintptr_t function) {
  if (g_regions.find(function) == kOutlined) return kOutlined;
  const TryLocked lock(g_regions_lock);
  if (lock) g_regions.add(function, kOutlined);
  return kOutlined;
}

RegionId define_at_site(RegionId region, std::uintptr_t return_address) {
  const TryLocked lock(g_regions_lock);
  return lock ? function_names().define_at_site(region, return_address) : kUnknownRegion;
}

RegionId define_at_line(RegionId region, const std::string& file, std::uint32_t line) {
  const TryLocked lock(g_regions_lock);
  return lock ? function_names().define_at_line(region, file, line) : kUnknownRegion;
}

RegionId filter_key(std::uintptr_t key) {
  const TryLocked lock(g_regions_lock);
  if (lock) g_regions.add(key, kFiltered);
  return kFiltered;
}

void throttle_key(std::uintptr_t key) {
  const TryLocked lock(g_regions_lock);
  const RegionId region = lock ? g_regions.find(key) : kUnknownRegion;
  if (!is_recorded(region) || g_throttled_count == kMostThrottled) return;
  g_throttled[g_throttled_count] = region;
  g_regions.add(key, RegionId(kFirstThrottled.value + g_throttled_count++));
}

RegionId throttled_region(std::uint32_t number) { return g_throttled[number]; }

RegionId region_of_interpreted(std::uintptr_t key, const KeyFacts& facts) { return add_key(key, facts); }

void prepare_for_handlers() {
  find_python();
  const Locked lock(g_regions_lock);
  function_names();
}

void forget_regions(std::uintptr_t begin, std::uintptr_t end) {
  const Locked lock(g_regions_lock);
  g_regions.forget(begin, end);
}

// Takes no lock, as a sandbox may forbid its system calls. All threads write the same. What two add at one place, one
// of them adds later.
void filter_while_off(std::uintptr_t key) {
  if (phase() != Phase::kOff) return;  // this one event is lost
  if (key && g_regions.find(key) == kUnknownRegion) g_regions.add(key, kFiltered);
}

}  // namespace tarry::measure
