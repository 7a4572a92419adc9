// open_annotations.cpp -- a stack of open regions for each thread, in memory of a fixed size.
#include "measure/annotations-layer/open_annotations.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>

#include "measure/annotations-layer/annotation_names.hpp"
#include "measure/annotations-layer/recorder_access.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kMostThreads = 4096, kMostOpen = 128;
constexpr char kRanges = 0;  // its address is the stack of all ranges

// What the recorder knows a region by.
struct RegionName {
  const char* name = nullptr;
  std::optional<long long> iteration = {};
};

void tell_begin(const AnnotationHooks& hooks, const RegionName& region) {
  if (region.iteration) hooks.begin_iteration(region.name, *region.iteration);
  else hooks.begin(region.name);
}

// Other threads look at the number, and say that a range has ended.
struct OpenRegion {
  RegionName name;
  AnnotationStack stack = nullptr;
  std::atomic<std::uint32_t> number = 0;
  std::atomic<bool> has_ended = false;
};

// A handler may interrupt its thread anywhere: what it opens and closes again leaves all as it was.
struct ThreadRegions {
  std::atomic<bool> is_taken = false;
  std::atomic<std::size_t> count = 0;
  std::atomic<std::size_t> too_deep = 0;
  std::atomic<std::uint32_t> latest_number = 0;
  OpenRegion open[kMostOpen];
};

// Untouched pages take no memory.
ThreadRegions g_threads[kMostThreads];
constexpr int kNoKey = -1;
constinit std::atomic<int> g_own_regions = kNoKey;  // key of each thread's

// Names of ranges that have ended in other threads.
constexpr std::size_t kMostCrossing = 256;
std::atomic<const char*> g_crossing[kMostCrossing];
std::atomic<bool> g_has_crossing = false;

void give_back(void* regions) {
  auto& own = *static_cast<ThreadRegions*>(regions);
  own.count = 0;
  own.too_deep = 0;
  own.is_taken.store(false, std::memory_order_release);
}

// A program without annotations keeps all keys for itself.
bool has_key() {
  if (g_own_regions != kNoKey) return true;
  pthread_key_t made;
  if (::pthread_key_create(&made, give_back) != 0) return false;
  int none = kNoKey;
  if (!g_own_regions.compare_exchange_strong(none, static_cast<int>(made))) ::pthread_key_delete(made);
  return true;
}

pthread_key_t key() { return static_cast<pthread_key_t>(g_own_regions.load()); }

ThreadRegions* find_own() {
  return g_own_regions == kNoKey ? nullptr : static_cast<ThreadRegions*>(::pthread_getspecific(key()));
}

ThreadRegions* own_regions() {
  if (ThreadRegions* const known = find_own()) return known;
  if (!has_key()) return nullptr;
  for (ThreadRegions& each : g_threads) {
    if (each.is_taken.load(std::memory_order_relaxed) || each.is_taken.exchange(true)) continue;
    if (::pthread_setspecific(key(), &each) == 0) return &each;
    give_back(&each);
    return nullptr;
  }
  return nullptr;
}

bool may_cross(const char* name) {
  if (!g_has_crossing.load(std::memory_order_relaxed)) return false;
  return std::ranges::any_of(g_crossing, [name](const auto& each) { return each.load() == name; });
}

void note_crossing(const char* name) {
  g_has_crossing = true;
  for (std::atomic<const char*>& each : g_crossing) {
    const char* there = nullptr;
    if (each.compare_exchange_strong(there, name) || there == name) return;
  }
}

// From the innermost region to that one, and those further in anew.
void end_at(ThreadRegions& own, const AnnotationHooks& hooks, std::size_t at) {
  const std::size_t count = std::min(own.count.load(), kMostOpen);
  if (at >= count) return;
  for (std::size_t i = count; i-- > at;) hooks.end(own.open[i].name.name);
  for (std::size_t i = at + 1; i < count; ++i) {
    const OpenRegion& from = own.open[i];
    OpenRegion& to = own.open[i - 1];
    to.name = from.name;
    to.stack = from.stack;
    to.number.store(from.number);
    to.has_ended.store(from.has_ended);
    tell_begin(hooks, to.name);
  }
  own.count = count - 1;
}

// Ranges that other threads have ended since.
void end_told(ThreadRegions& own, const AnnotationHooks& hooks) {
  if (!g_has_crossing.load(std::memory_order_relaxed)) return;
  for (std::size_t i = std::min(own.count.load(), kMostOpen); i-- > 0;)
    if (own.open[i].has_ended) end_at(own, hooks, i);
}

template <class Is>
void end_innermost(Is is) {
  ThreadRegions* const own = find_own();
  const AnnotationHooks* const hooks = recorder();
  if (!own || !hooks) return;
  end_told(*own, *hooks);
  if (own->too_deep > 0) return void(--own->too_deep);
  for (std::size_t i = std::min(own->count.load(), kMostOpen); i-- > 0;)
    if (is(own->open[i])) return end_at(*own, *hooks, i);
}

AnnotationNumber number_of(const ThreadRegions& thread, std::uint32_t number) {
  return static_cast<AnnotationNumber>(&thread - g_threads + 1) << 32 | number;
}

AnnotationNumber begin_in(ThreadRegions& own, const AnnotationHooks& hooks, const RegionName& name,
                          AnnotationStack stack) {
  end_told(own, hooks);
  const std::size_t at = own.count;
  const std::uint32_t number = ++own.latest_number;
  if (at >= kMostOpen) {
    ++own.too_deep;
    return number_of(own, number);
  }
  OpenRegion& region = own.open[at];
  region.name = name;
  region.stack = stack;
  region.has_ended = false;
  region.number = number;
  own.count = at + 1;
  tell_begin(hooks, name);
  return number_of(own, number);
}

// The thread that has begun it may be ending it, or itself: then nothing is lost.
void end_elsewhere(ThreadRegions& other, std::uint32_t number) {
  for (std::size_t i = std::min(other.count.load(), kMostOpen); i-- > 0;) {
    OpenRegion& region = other.open[i];
    if (region.number != number || region.stack != &kRanges) continue;
    note_crossing(region.name.name);
    region.has_ended = true;
  }
}

AnnotationNumber begin_region(const RegionName& name, AnnotationStack stack) {
  const AnnotationHooks* const hooks = recorder();
  ThreadRegions* const own = hooks ? own_regions() : nullptr;
  return own ? begin_in(*own, *hooks, name, stack) : 0;
}

}  // namespace

AnnotationNumber begin_annotation(const char* name, AnnotationStack stack) { return begin_region({name}, stack); }

AnnotationNumber begin_iteration(const char* name, long long number, AnnotationStack stack) {
  return begin_region({name, number}, stack);
}

void end_annotation(AnnotationStack stack) {
  end_innermost([stack](const OpenRegion& region) { return region.stack == stack; });
}

void end_latest_annotation() {
  end_innermost([](const OpenRegion&) { return true; });
}

AnnotationNumber begin_range(const char* name) { return may_cross(name) ? 0 : begin_annotation(name, &kRanges); }

void end_range(AnnotationNumber number) {
  const std::uint64_t thread = number >> 32;
  if (thread == 0 || thread > kMostThreads) return;
  ThreadRegions& begun_in = g_threads[thread - 1];
  const auto low = static_cast<std::uint32_t>(number);
  if (&begun_in != find_own()) return end_elsewhere(begun_in, low);
  end_innermost([low](const OpenRegion& region) { return region.number == low && region.stack == &kRanges; });
}

void mark_annotation(const char* name) {
  const AnnotationHooks* const hooks = recorder();
  if (!hooks) return;
  hooks->begin(name);
  hooks->end(name);
}

}  // namespace tarry::measure
