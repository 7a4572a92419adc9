// throttle.cpp -- samples of visits, and what was throttled.
#include "measure/compiler/throttle.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "defs/unify.hpp"
#include "measure/callpath/function_regions.hpp"
#include "measure/compiler/function_recorder.hpp"
#include "measure/core/own_memory.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kSampledFunctions = 1 << 12;
constexpr std::size_t kProbes = 16;
constexpr std::uint32_t kMostPeriod = 512;  // enters from one sample to the next, on average
constexpr std::uint32_t kLeastSamples = 200;
constexpr std::size_t kMostNamed = 20;
constexpr std::uint32_t kNever = ~std::uint32_t{0};

struct SampledFunction {
  std::atomic<std::uintptr_t> key = 0;  // 0: free
  std::atomic<std::uint32_t> samples = 0;
  std::atomic<std::uint64_t> ticks = 0;
};

// Zeros take no room in the library, and are touched where functions are sampled.
constinit SampledFunction g_sampled[kSampledFunctions];
WorldRank g_rank{0};
std::uint32_t g_period = 0;  // 0: nothing is throttled
std::uint32_t g_least_samples = 0;
std::uint64_t g_most_ticks = 0;  // of a visit, on average

using CallCounts = std::array<std::uint64_t, kMostThrottled>;
CallCounts g_counts_of_ended;  // threads; for callers that hold the lock of the threads

// Functions beyond what the table holds are not throttled.
SampledFunction* sampled_function(std::uintptr_t key) {
  std::size_t at = mix_bits(key);
  for (std::size_t probe = 0; probe < kProbes; ++probe, ++at) {
    SampledFunction& function = g_sampled[at % kSampledFunctions];
    std::uintptr_t there = function.key.load(std::memory_order_relaxed);
    if (there == key) return &function;
    if (there == 0 && function.key.compare_exchange_strong(there, key, std::memory_order_relaxed)) return &function;
    if (there == key) return &function;
  }
  return nullptr;
}

void note_visit(std::uintptr_t key, Ticks duration) {
  SampledFunction* const function = sampled_function(key);
  if (!function) return;
  const auto ticks = static_cast<std::uint64_t>(std::max<Ticks>(duration, 0));
  const std::uint64_t sum = function->ticks.fetch_add(ticks, std::memory_order_relaxed) + ticks;
  const std::uint32_t samples = function->samples.fetch_add(1, std::memory_order_relaxed) + 1;
  if (samples >= g_least_samples && sum < samples * g_most_ticks) throttle_key(key);
}

// Loops call functions in turn: a fixed number of enters would meet the same ones again and again.
std::uint32_t next_period(Ticks time) {
  const auto spread = static_cast<std::uint32_t>(mix_bits(static_cast<std::uint64_t>(time)) % (g_period / 2 + 1));
  return std::max(g_period - g_period / 4 + spread, 1u);
}

void choose_throttle(const ProcessFacts& facts) {
  g_rank = facts.rank;
  const std::uint32_t visits = settings().throttled_visits;
  if (visits == 0) return;
  const double ticks = settings().throttled_seconds * ticks_per_second(facts.clock_start, read_clocks());
  g_most_ticks = static_cast<std::uint64_t>(ticks);
  g_period = std::clamp(visits / kLeastSamples, 1u, kMostPeriod);
  g_least_samples = std::max(visits / g_period, 1u);
}

void add_counts(const Thread& thread, CallCounts& sums) {
  const std::uint64_t* const counts = kThrottledCalls.of(thread);
  for (std::size_t i = 0; counts && i < sums.size(); ++i) sums[i] += counts[i];
}

void take_counts(Thread& thread) {
  add_counts(thread, g_counts_of_ended);
  if (std::uint64_t* const counts = std::exchange(kThrottledCalls.of(thread), nullptr)) give_own_memory_back(counts);
}

// "CALLS NAME;CALLS NAME;", most calls first.
void describe_throttled(double) {
  CallCounts sums = g_counts_of_ended;
  for (const Thread* thread = first_thread(); thread; thread = thread->next) add_counts(*thread, sums);
  std::vector<std::pair<std::uint64_t, RegionId>> calls;
  for (std::uint32_t i = 0; i < kMostThrottled; ++i)
    if (sums[i] > 0) calls.emplace_back(sums[i], throttled_region(i));
  if (calls.empty()) return;
  std::ranges::sort(calls, std::greater());
  std::string text;
  for (std::size_t i = 0; i < std::min(calls.size(), kMostNamed); ++i)
    text += std::to_string(calls[i].first) + " " + definitions().described_name(calls[i].second) + ";";
  std::uint64_t rest = 0;
  for (std::size_t i = kMostNamed; i < calls.size(); ++i) rest += calls[i].first;
  if (rest > 0) text += std::to_string(rest) + " other functions;";
  definitions().add_property(kThrottledKey + std::to_string(g_rank.value), text);
}

}  // namespace

constinit const Adapter kThrottleAdapter = {
    .starting = choose_throttle,
    .thread_leaves = take_counts,
    .describe_costs = describe_throttled,
};

std::uintptr_t begin_sample(Thread& thread, std::uintptr_t key, std::uintptr_t stack, Ticks time) {
  thread.until_sample = g_period ? next_period(time) : kNever;
  if (!g_period) return key;
  thread.sampled_at = time;
  thread.sampled_stack = stack;
  return key | kSampledFrame;
}

// Only the latest sample has a time: those around it are no samples any more.
void end_sample(Thread& thread, std::uintptr_t key, Ticks time) {
  const Frame& top = thread.frames.top();
  if (top.key != (key | kSampledFrame)) return;
  const bool is_latest = top.stack == thread.sampled_stack;
  thread.frames.unmark_top();
  if (is_latest) note_visit(key, time - thread.sampled_at);
}

// Without memory for its counts a thread has none.
void count_throttled(RegionId region) {
  Thread* const thread = t_thread;
  if (!thread || !thread->gate.is_open()) return;
  std::uint64_t*& counts = kThrottledCalls.of(*thread);
  if (!counts) [[unlikely]] {
    void* const memory = take_own_memory(sizeof(CallCounts));
    if (!memory) return;
    counts = static_cast<std::uint64_t*>(std::memset(memory, 0, sizeof(CallCounts)));
  }
  ++counts[number_of_throttled(region)];
}

void leave_throttled(std::uintptr_t key, std::uintptr_t stack) {
  Thread* const thread = t_thread;
  if (!thread || thread->frames.top().stack > stack) return;  // the innermost frame is the caller's
  if (thread->frames.has_exactly(key, stack)) record_leave({.frame = key, .stack = stack, .is_user = false});
}

}  // namespace tarry::measure
