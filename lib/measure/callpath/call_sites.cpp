// call_sites.cpp -- regions as they are called from one place.
#include "measure/callpath/call_sites.hpp"

#include <atomic>
#include <cstddef>

#include "measure/callpath/function_regions.hpp"
#include "measure/callpath/python_path.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/recorder_lock.hpp"

namespace tarry::measure {
namespace {

constexpr unsigned kAddressBits = 47;  // of a program's code
constexpr std::uint32_t kMostRegions = 1u << (64 - kAddressBits);
constexpr std::uint64_t kForgotten = 1;  // a key that no call has

class SiteTable {
 public:
  static constexpr std::size_t kEntries = 1 << 16;

  RegionId find(std::uint64_t key) const {
    for (std::size_t step = 0; step < kProbes; ++step) {
      const Entry& entry = entries_[(place(key) + step) % kEntries];
      const std::uint64_t there = entry.key.load(std::memory_order_acquire);
      if (there == key) return entry.region;
      if (there == 0) break;
    }
    return kUnknownRegion;
  }

  /// False if there is no place left. Not to be called by two threads at once.
  bool add(std::uint64_t key, RegionId region) {
    for (std::size_t step = 0; step < kProbes; ++step) {
      Entry& entry = entries_[(place(key) + step) % kEntries];
      if (entry.key.load(std::memory_order_relaxed) != 0) continue;
      entry.region = region;
      entry.key.store(key, std::memory_order_release);
      return true;
    }
    return false;
  }

  void forget(std::uintptr_t begin, std::uintptr_t end) {
    constexpr std::uint64_t kAddress = (std::uint64_t{1} << kAddressBits) - 1;
    for (Entry& entry : entries_) {
      const std::uint64_t key = entry.key.load(std::memory_order_relaxed);
      if (key > kForgotten && (key & kAddress) - begin < end - begin)
        entry.key.store(kForgotten, std::memory_order_release);
    }
  }

 private:
  static constexpr std::size_t kProbes = 32;

  struct Entry {
    std::atomic<std::uint64_t> key = 0;  // region and address; 0: free
    RegionId region{0};
  };

  static std::size_t place(std::uint64_t key) { return (key * 0x9e3779b97f4a7c15u) >> 48; }

  Entry entries_[kEntries];
};

constinit SiteTable g_sites;
RecorderLock g_sites_lock;

// Of a call in Python a mixture of all that tells it from others.
std::uint64_t key_of(RegionId region, const CallSite& site) {
  const std::uint64_t number = std::uint64_t{region.value} << kAddressBits;
  return site.code ? (site.place ^ number ^ site.instruction) * 0x9e3779b97f4a7c15u | 2 : number | site.place;
}

RegionId define(RegionId region, const CallSite& site) {
  if (!site.code) return define_at_site(region, site.place);
  const PythonInterpreter* const python = followed_python();
  if (!python) return kUnknownRegion;
  const auto [file, line] = python->find_line(site.code, site.instruction);
  return line ? define_at_line(region, file, line) : kUnknownRegion;
}

[[gnu::noinline]] RegionId add_site(std::uint64_t key, RegionId region, const CallSite& site) {
  const TryLocked lock(g_sites_lock);
  if (!lock) return region;
  if (const RegionId there = g_sites.find(key); there != kUnknownRegion) return there;
  const RegionId at_site = define(region, site);
  return at_site != kUnknownRegion && g_sites.add(key, at_site) ? at_site : region;
}

}  // namespace

RegionId region_at_site(RegionId region, const CallSite& site) {
  if (!site || region.value >= kMostRegions || (!site.code && site.place >> kAddressBits)) return region;
  const std::uint64_t key = key_of(region, site);
  const RegionId at_site = g_sites.find(key);
  return at_site != kUnknownRegion ? at_site : add_site(key, region, site);
}

void forget_sites(std::uintptr_t begin, std::uintptr_t end) {
  const Locked lock(g_sites_lock);
  g_sites.forget(begin, end);
}

}  // namespace tarry::measure
