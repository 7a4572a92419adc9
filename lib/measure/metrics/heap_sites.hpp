// heap_sites.hpp -- what was allocated on a call path and is live: now, and when the process had the most.
//
// A site is a call path of one thread. libtarry-heap.so asks the recorder for the site of each allocation, and keeps it
// with the block (heap/live_blocks.hpp). So a free anywhere, by any thread, counts for the site of its block.
//
// What sites had at the process's peak is exact without looking at all of them there. While each allocation makes a new
// peak, it is what they have now. The first free behind a peak begins an age. What changes a site for the first time in
// an age keeps what the site had. The next new peak ends the age, and what was kept is of no use any more.
//
//   age   odd: below the peak; a site has its value of the peak in `kept` if it is of that age, else in `bytes`
//         even: at the peak
//
// Threads that allocate and free in the very moment of a peak may count as before or behind it.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstdint>

namespace tarry::measure {

/// Number of a site. Zero is none: what is allocated outside of the recording.
using HeapSiteId = std::uint32_t;
inline constexpr HeapSiteId kNoHeapSite = 0;
inline constexpr HeapSiteId kMostHeapSites = 1 << 19;

struct alignas(64) HeapSite {
  std::atomic<std::int64_t> bytes;   // live
  std::atomic<std::int64_t> blocks;  // the same
  std::atomic<std::int64_t> kept;    // bytes at the peak, if:
  std::atomic<std::uint64_t> kept_in_age;
};

class HeapSites {
 public:
  /// The site of what is allocated now by the calling thread.
  using CurrentSite = HeapSiteId (*)();

  constexpr HeapSites() = default;
  HeapSites(const HeapSites&) = delete;
  HeapSites& operator=(const HeapSites&) = delete;

  /// `sites` is memory for kMostHeapSites of zeros.
  void open(HeapSite* sites) { sites_ = sites; }
  bool is_open() const { return sites_; }

  /// From now on sites are asked for. nullptr: no more, and nothing changes.
  void ask(CurrentSite current) { current_.store(current, std::memory_order_release); }
  bool is_asking() const { return current_.load(std::memory_order_relaxed); }
  HeapSiteId current() const {
    const CurrentSite current = current_.load(std::memory_order_acquire);
    return current ? current() : kNoHeapSite;
  }

  /// A new site; none if there are too many.
  HeapSiteId make() {
    if (made_.load(std::memory_order_relaxed) >= kMostHeapSites - 1) return kNoHeapSite;
    const HeapSiteId site = made_.fetch_add(1, std::memory_order_relaxed) + 1;
    return site < kMostHeapSites ? site : kNoHeapSite;
  }

  /// The process has more allocated than ever before.
  void note_peak() {
    std::uint64_t age = age_.load(std::memory_order_relaxed);
    if (age & 1) age_.compare_exchange_strong(age, age + 1, std::memory_order_relaxed);
  }
  /// It has less than that from now on. Before the site of what is freed changes.
  void note_less() {
    std::uint64_t age = age_.load(std::memory_order_relaxed);
    if (!(age & 1)) age_.compare_exchange_strong(age, age + 1, std::memory_order_relaxed);
  }

  void add(HeapSiteId id, std::int64_t bytes) { change(sites_[id], bytes, 1); }
  void remove(HeapSiteId id, std::int64_t bytes) { change(sites_[id], -bytes, -1); }

  std::int64_t live_bytes(HeapSiteId id) const { return sites_[id].bytes.load(std::memory_order_relaxed); }
  std::int64_t live_blocks(HeapSiteId id) const { return sites_[id].blocks.load(std::memory_order_relaxed); }
  std::int64_t bytes_at_peak(HeapSiteId id) const {
    const HeapSite& site = sites_[id];
    const std::uint64_t age = age_.load(std::memory_order_relaxed);
    const bool is_kept = (age & 1) && site.kept_in_age.load(std::memory_order_relaxed) == age;
    return (is_kept ? site.kept : site.bytes).load(std::memory_order_relaxed);
  }

  /// Blocks that are not followed: there was no room for them, or for their sites.
  void note_lost(std::int64_t blocks = 1) { lost_blocks_.fetch_add(blocks, std::memory_order_relaxed); }
  std::int64_t lost_blocks() const { return lost_blocks_.load(std::memory_order_relaxed); }

 private:
  void change(HeapSite& site, std::int64_t bytes, std::int64_t blocks) {
    const std::uint64_t age = age_.load(std::memory_order_relaxed);
    std::uint64_t before = site.kept_in_age.load(std::memory_order_relaxed);
    if ((age & 1) && before != age) [[unlikely]] {
      const std::int64_t now = site.bytes.load(std::memory_order_relaxed);
      if (site.kept_in_age.compare_exchange_strong(before, age, std::memory_order_relaxed))
        site.kept.store(now, std::memory_order_relaxed);
    }
    site.bytes.fetch_add(bytes, std::memory_order_relaxed);
    site.blocks.fetch_add(blocks, std::memory_order_relaxed);
  }

  HeapSite* sites_ = nullptr;
  std::atomic<CurrentSite> current_ = nullptr;
  std::atomic<std::uint32_t> made_ = 0;
  std::atomic<std::uint64_t> age_ = 1;  // blocks that are there already may be the peak
  std::atomic<std::int64_t> lost_blocks_ = 0;
};

}  // namespace tarry::measure
