// profile_slabs.hpp -- the memory of a thread's summary: slabs, in the spool as a rule, where they outlive the process.
//
// Call paths fill a slab from its begin, with the values of counters behind each. Other counts fill it from its end
// (archive/profile/profile_memory.hpp). Slabs come from the spool or from the kernel, zeroed and untouched, so that no
// allocator of the program is involved.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "archive/profile/profile_memory.hpp"
#include "defs/definitions.hpp"

namespace tarry::measure {

class BlockPool;

class ProfileSlabs {
 public:
  /// `root` is the parent of the outermost call paths.
  explicit ProfileSlabs(const PathNode& root) : root_(root) {}
  ProfileSlabs(const ProfileSlabs&) = delete;
  ProfileSlabs& operator=(const ProfileSlabs&) = delete;

  /// The counters whose values lie behind each call path; they stay where they are. Before the first path.
  void use_counters(std::span<const CounterId> ids) { counters_ = ids; }

  /// One of these has another number from now on.
  void name_counter(std::size_t place, CounterId id);

  /// From now on slabs lie in the spool of `pool`. The head in the first one; nullptr if there is no room.
  ProfileHead* outlive_process(BlockPool& pool, WorldRank process, std::uint32_t thread);

  /// A call path of zeros; nullptr without memory. A reader of the slab sees it after count_path().
  PathNode* new_path();
  void count_path() { ++slab_->paths; }

  /// Gives all memory back.
  /// Calls: may block.
  void release();

  /// From outlive_process().
  std::uint32_t thread() const { return thread_; }

  /// All that were made.
  std::uint64_t path_count() const { return path_count_; }

  /// A copy of `first` that is no call path; nullptr without memory.
  template <class Count>
  Count* new_count(const Count& first) {
    if (!has_room_for(sizeof(Count))) return nullptr;
    counts_begin_ -= sizeof(Count);
    return new (reinterpret_cast<char*>(slab_) + counts_begin_) Count(first);
  }

 private:
  std::size_t path_bytes() const { return sizeof(PathNode) + counters_.size() * sizeof(std::uint64_t); }
  bool has_room_for(std::size_t bytes);
  bool begin_slab();
  void free_slab(ProfileSlab* slab, std::size_t paths_end, std::size_t counts_begin);

  const PathNode& root_;
  std::span<const CounterId> counters_;
  BlockPool* pool_ = nullptr;  // nullptr: slabs end with the process
  WorldRank process_{0};
  std::uint32_t thread_ = 0;
  std::uint32_t spooled_slabs_ = 0;
  ProfileSlab* slab_ = nullptr;   // the latest one
  std::size_t paths_end_ = 0;     // in it: behind the last call path
  std::size_t counts_begin_ = 0;  // where its other counts begin
  std::uint64_t path_count_ = 0;
};

}  // namespace tarry::measure
