// heap_paths.hpp -- the call paths of one thread that have allocated, and what of it is live.
//
// Each has a site (heap_sites.hpp), made with its first allocation. Where the values of a path move to another one, as
// those of iterations to their cluster, its sites move along. Another thread may read at any time, as when the program
// is about to end: what is replaced stays in memory until the end.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "measure/core/path_ledger.hpp"
#include "measure/core/recorder.hpp"
#include "measure/core/thread_slots.hpp"
#include "measure/metrics/heap_sites.hpp"

namespace tarry::measure {

/// The values of a path: bytes and blocks that are live, and bytes at the peak of the process.
inline constexpr std::size_t kHeapPathFields = 3;

class HeapPaths final : public PathLedger {
 public:
  explicit HeapPaths(HeapSites& sites) : sites_(sites) {}
  ~HeapPaths() override;

  /// Of a path that allocates now. None without memory: that is counted.
  HeapSiteId site_of(const PathNode& path);

  /// Of all paths together.
  std::int64_t live_blocks() const;

  void move(const PathNode& to, const PathNode& from) override;
  void forget(const PathNode& path) override;
  void read(const PathNode& path, std::span<std::uint64_t> values) const override;

  /// The thread has ended and is still in the list of threads, because of its live blocks.
  bool is_kept = false;

 private:
  // One site of a path; a path has several where those of others have moved to it.
  struct PathSite {
    HeapSiteId site = kNoHeapSite;
    PathSite* next = nullptr;
  };
  struct PathSites {
    const PathNode* path = nullptr;
    PathSite* sites = nullptr;       // the first is for new blocks
    PathSites* next_path = nullptr;  // of all paths
  };
  // Open addressing with linear probing, at most half full. Slots follow.
  struct Table {
    std::size_t mask = 0;
    Table* outgrown = nullptr;  // the smaller one before it
    std::atomic<PathSites*>* slots() { return reinterpret_cast<std::atomic<PathSites*>*>(this + 1); }
  };

  PathSites* find(const PathNode& path) const;
  PathSites* find_or_make(const PathNode& path);
  HeapSiteId add_site(PathSites& of);
  bool is_idle(const PathSites& path) const;
  void put(Table& table, PathSites& path);
  bool grow();
  template <class Visit>
  static void each_site(const PathSites& path, Visit visit);

  HeapSites& sites_;
  const PathNode* latest_path_ = nullptr;  // that has allocated
  HeapSiteId latest_site_ = kNoHeapSite;
  std::atomic<Table*> table_ = nullptr;
  std::size_t path_count_ = 0;
  PathSites* paths_ = nullptr;
  PathSites dropped_;  // sites that are of no path any more
};

/// nullptr: blocks are not followed.
inline constexpr ThreadSlot<HeapPaths*, 320> kHeapPaths;

}  // namespace tarry::measure
