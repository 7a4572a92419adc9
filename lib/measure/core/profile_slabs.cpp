// profile_slabs.cpp -- new slabs, and new call paths in them.
#include "measure/core/profile_slabs.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "measure/core/block_pool.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kSlabBytes = kBlockBytes - kChunkHeaderBytes;

// The last bytes of a slab: the one before it, and whether it is of the spool.
struct SlabTail {
  ProfileSlab* before;
  std::uint64_t is_of_pool;
};
constexpr std::size_t kSlabTail = kSlabBytes - sizeof(SlabTail);

SlabTail& tail_of(ProfileSlab* slab) {
  return *reinterpret_cast<SlabTail*>(reinterpret_cast<std::uint8_t*>(slab) + kSlabTail);
}

}  // namespace

ProfileHead* ProfileSlabs::outlive_process(BlockPool& pool, WorldRank process, std::uint32_t thread) {
  pool_ = &pool;
  process_ = process;
  thread_ = thread;
  return begin_slab() && spooled_slabs_ > 0 ? &slab_->head : nullptr;
}

bool ProfileSlabs::begin_slab() {
  ChunkHeader header;
  header.kind = ChunkKind::kProfileMemory;
  header.process = process_.value;
  header.thread = thread_;
  header.sequence = spooled_slabs_;
  void* slab = pool_ ? pool_->take_for_profile(header) : nullptr;
  const bool is_of_pool = slab;
  if (slab) ++spooled_slabs_;
  else slab = ::mmap(nullptr, kSlabBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (slab == MAP_FAILED) return false;
  ProfileSlab* const before = std::exchange(slab_, new (slab) ProfileSlab);
  tail_of(slab_) = {before, is_of_pool};
  slab_->root = &root_;
  slab_->counters = static_cast<std::uint32_t>(counters_.size());
  std::ranges::transform(counters_, slab_->counter_ids(), &CounterId::value);
  paths_end_ = slab_->first_node();
  counts_begin_ = kSlabTail;
  slab_->address = slab_;
  return true;
}

void ProfileSlabs::name_counter(std::size_t place, CounterId id) {
  for (ProfileSlab* slab = slab_; slab; slab = tail_of(slab).before) slab->counter_ids()[place] = id.value;
}

// In the latest slab, or in a new one.
bool ProfileSlabs::has_room_for(std::size_t bytes) {
  return (slab_ && paths_end_ + bytes <= counts_begin_) || begin_slab();
}

PathNode* ProfileSlabs::new_path() {
  if (!has_room_for(path_bytes())) return nullptr;
  ++path_count_;
  auto* const path = new (reinterpret_cast<char*>(slab_) + paths_end_) PathNode;
  paths_end_ += path_bytes();
  return path;
}

void ProfileSlabs::release() {
  std::size_t paths_end = paths_end_, counts_begin = counts_begin_;
  for (ProfileSlab* slab = slab_; slab;) {
    ProfileSlab* const before = tail_of(slab).before;
    free_slab(slab, paths_end, counts_begin);
    paths_end = counts_begin = kSlabTail;  // of full ones all is used
    slab = before;
  }
  slab_ = nullptr;
}

// The pool wants zeros, and pages that nobody has touched stay so.
void ProfileSlabs::free_slab(ProfileSlab* slab, std::size_t paths_end, std::size_t counts_begin) {
  auto* const bytes = reinterpret_cast<std::uint8_t*>(slab);
  if (!tail_of(slab).is_of_pool) {
    ::munmap(bytes, kSlabBytes);
    return;
  }
  std::memset(bytes, 0, paths_end);
  std::memset(bytes + counts_begin, 0, kSlabBytes - counts_begin);
  pool_->give_back_of_profile(bytes);
}

}  // namespace tarry::measure
