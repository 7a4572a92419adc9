// block_pool.cpp -- the memory events are recorded into.
#include "measure/core/block_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "measure/core/chunk_pack.hpp"
#include "measure/core/disk_space.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/say.hpp"
#include "trace/event_codec.hpp"

namespace tarry::measure {
namespace {

// Of records that were begun.
constexpr std::size_t kMostBehindRecords = 2 * kMaxRecordBytes;

}  // namespace

void Block::populate() {
#ifdef MADV_POPULATE_WRITE
  if (!is_touched) ::madvise(data, kBlockBytes, MADV_POPULATE_WRITE);
#endif
  is_touched = true;
}

void BlockPool::open(Config config) {
  const Locked lock(lock_);
  config_ = std::move(config);
  // What a flush needs is taken now: a call on a file may flush, in a signal handler that has interrupted an allocator.
  compressor_.emplace(config_.compression);
  compressed_.reserve(compressor_->bound(kBlockBytes));
  if (config_.spools_in_memory) return;
  if (const Status opened = spool_.open(config_.spool); !opened.ok()) give_up_spool(opened.error());
}

void BlockPool::give_up_spool(const Error& error) {
  config_.spools_in_memory = true;
  say(Error{error.what, error.why, "recording goes on in memory, but is lost if the program is killed"}.text());
}

std::uint8_t* BlockPool::take_spooled() {
  if (config_.spools_in_memory) return nullptr;
  const auto block = spool_.take();
  if (block.ok()) return block.value();
  give_up_spool(block.error());
  return nullptr;
}

Block* BlockPool::allocate() {
  auto* block = new Block;
  block->data = take_spooled();
  block->is_spooled = block->data;
  if (!block->data) {
    void* data = ::mmap(nullptr, kBlockBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) {
      delete block;
      return nullptr;
    }
    block->data = static_cast<std::uint8_t*>(data);
  }
  ++block_count_;
  return block;
}

// A thread's first block and definitions are always given.
Block* BlockPool::find_free(const ChunkHeader& header, bool may_flush, bool& did_flush) {
  const bool is_full = !free_ && (block_count_ + 1) * kBlockBytes > config_.memory;
  if (is_full && !may_flush && header.kind == ChunkKind::kEvents) return nullptr;
  if (!free_ && !is_in_handler() && first_full_ && is_unwanted(*first_full_))
    return drop_oldest(DroppedEvents::Reason::kUnwanted);
  if (!is_full) return take_free();
  return may_flush ? find_when_full(header, did_flush) : allocate();
}

Block* BlockPool::take_free() {
  if (!free_) return allocate();
  return std::exchange(free_, free_->next);
}

Block* BlockPool::find_when_full(const ChunkHeader& header, bool& did_flush) {
  switch (config_.when_full) {
    case WhenFull::kStop:
      if (header.kind != ChunkKind::kEvents || header.sequence == 0) break;
      if (failure_.empty()) failure_ = "the memory for events is used up, and recording stops then";
      return nullptr;
    case WhenFull::kRing:
      if (first_full_) return drop_oldest(DroppedEvents::Reason::kNoMemory);
      break;
    case WhenFull::kFlush:
      if ((first_full_ || first_pack_) && !flush_for_room(did_flush)) return nullptr;
      break;
  }
  return take_free();
}

bool BlockPool::flush_for_room(bool& did_flush) {
  did_flush = true;
  const Bytes before = written_bytes_;
  if (is_broken_ || !flush_locked(false)) return false;
  forecast_flushes(written_bytes_ - before);
  return true;
}

Block* BlockPool::take(const ChunkHeader& header, bool& did_flush, Block* full) {
  const TryLocked lock(lock_);
  // What is dropped needs memory that a handler has none of.
  const bool may_flush = !is_in_handler() || config_.when_full == WhenFull::kFlush;
  Block* const block = lock ? take_locked(header, may_flush, did_flush) : nullptr;
  if (block && full) submit_locked(full);
  return block;
}

Block* BlockPool::try_exchange(Block* full, const ChunkHeader& header) {
  const TryLocked lock(lock_);
  bool did_flush = false;
  Block* const block = lock ? take_locked(header, !is_in_handler(), did_flush) : nullptr;
  if (block) submit_locked(full);
  return block;
}

Block* BlockPool::take_locked(const ChunkHeader& header, bool may_flush, bool& did_flush) {
  Block* block = find_free(header, may_flush, did_flush);
  if (!block) return nullptr;
  block->next = nullptr;
  block->header = header;
  mark_open(block->data, block->header);
  return block;
}

void BlockPool::mark_open(std::uint8_t* block, ChunkHeader& header) {
  header.flags = kOpenChunk;
  header.raw_bytes = header.stored_bytes = kBlockBytes - kChunkHeaderBytes;
  const ChunkHeaderBytes bytes = encode_chunk_header(header);
  std::memcpy(block, bytes.data(), bytes.size());
}

std::uint8_t* BlockPool::take_for_profile(const ChunkHeader& header) {
  const TryLocked lock(lock_);
  std::uint8_t* const free = lock ? take_free_of_profile() : nullptr;
  std::uint8_t* const block = free || !lock ? free : take_spooled();
  if (!block) return nullptr;
  ChunkHeader open = header;
  mark_open(block, open);
  return block + kChunkHeaderBytes;
}

// The first word behind the header leads to the next one.
void BlockPool::give_back_of_profile(std::uint8_t* memory) {
  std::uint8_t* const block = memory - kChunkHeaderBytes;
  const Locked lock(lock_);
  std::memset(block, 0, kChunkHeaderBytes);
  std::memcpy(memory, &free_of_profile_, sizeof free_of_profile_);
  free_of_profile_ = block;
}

std::uint8_t* BlockPool::take_free_of_profile() {
  std::uint8_t* const block = free_of_profile_;
  if (!block) return nullptr;
  std::memcpy(&free_of_profile_, block + kChunkHeaderBytes, sizeof free_of_profile_);
  std::fill_n(block + kChunkHeaderBytes, sizeof free_of_profile_, 0);
  return block;
}

void BlockPool::submit_locked(Block* block) {
  block->next = nullptr;
  (last_full_ ? last_full_->next : first_full_) = block;
  last_full_ = block;
}

// In a ring, blocks give way one by one.
void BlockPool::submit_last(Block* block) {
  const Locked lock(lock_);
  const std::span<const std::uint8_t> records(block->payload(), block->header.raw_bytes);
  if (config_.when_full == WhenFull::kRing || !pack(block->header, records)) return submit_locked(block);
  std::memset(block->data, 0, kChunkHeaderBytes);
  std::atomic_signal_fence(std::memory_order_release);
  // A step that was abandoned may have left something behind the records.
  std::memset(block->payload(), 0, records.size() + kMostBehindRecords);
  block->next = free_;
  free_ = block;
}

bool BlockPool::append_of_ended(const ChunkHeader& header, std::span<const std::uint8_t> raw) {
  const Locked lock(lock_);
  if (pack(header, raw)) return true;
  const OpenContainer open(*this);
  return append_locked(header, raw);
}

bool BlockPool::pack(const ChunkHeader& header, std::span<const std::uint8_t> raw) {
  if (!ChunkPack::is_short(raw.size())) return false;
  const bool has_room =
      first_pack_ && ChunkPack(first_pack_->data, first_pack_->header.raw_bytes).has_room_for(raw.size());
  if (!has_room && !begin_pack()) return false;
  ChunkPack chunks(first_pack_->data, first_pack_->header.raw_bytes);
  chunks.add(header, raw);
  first_pack_->header.raw_bytes = static_cast<std::uint32_t>(chunks.used());
  first_pack_->header.event_count += header.event_count;
  return true;
}

bool BlockPool::begin_pack() {
  bool did_flush = false;
  ChunkHeader header;
  header.kind = ChunkKind::kProfile;
  Block* const block = find_free(header, true, did_flush);
  if (!block) return false;
  block->header = header;
  block->next = first_pack_;
  first_pack_ = block;
  return true;
}

void BlockPool::flush_full() {
  const Locked lock(lock_);
  if (config_.when_full != WhenFull::kFlush || (!first_full_ && !first_pack_)) return;
  bool did_flush = false;
  flush_for_room(did_flush);
}

bool BlockPool::flush_ended() {
  const Locked lock(lock_);
  const OpenContainer open(*this);
  return flush_packs(false);
}

bool BlockPool::flush_packs(bool is_end) {
  while (Block* const block = first_pack_) {
    const std::span<const std::uint8_t> chunks(block->data, block->header.raw_bytes);
    if (!write_to_container(chunks.size(), [&](ContainerWriter& to) { return to.append_encoded(chunks); }))
      return false;
    first_pack_ = block->next;
    recycle(block, is_end);
  }
  return true;
}

bool BlockPool::flush_at_end() {
  const Locked lock(lock_);
  return flush_locked(true);
}

// The next flush writes about as much, in every process.
void BlockPool::forecast_flushes(Bytes flushed) {
  if (has_warned_ || config_.archive.empty()) return;
  const Bytes free = free_disk_space(config_.archive), wanted = flushed * config_.processes;
  if (free >= wanted) return;
  has_warned_ = true;
  warn_of_disk(config_.archive, free, wanted, "the next events");
}

Bytes BlockPool::count_bytes_to_write() {
  const Locked lock(lock_);
  Bytes bytes = 0;
  for (const Block* list : {first_full_, first_pack_})
    for (const Block* block = list; block; block = block->next)
      if (!block->is_spooled) bytes += block->header.raw_bytes;
  return static_cast<Bytes>(static_cast<double>(bytes) * kUsualCompression);
}

std::uint64_t BlockPool::count_stranded_events() {
  const Locked lock(lock_);
  std::uint64_t count = 0;
  for (const Block* list : {first_full_, first_pack_})
    for (const Block* block = list; block; block = block->next)
      if (!block->is_spooled) count += block->header.event_count;
  return count;
}

std::string BlockPool::failure() {
  const Locked lock(lock_);
  return failure_;
}

void BlockPool::keep_latest() {
  const Locked lock(lock_);
  config_.when_full = WhenFull::kRing;
}

// The last block of a thread says that it is the last.
bool BlockPool::is_unwanted(const Block& block) const {
  return block.header.last_time < wanted_from_.load(std::memory_order_relaxed) && !(block.header.flags & kLastChunk);
}

Block* BlockPool::drop_oldest(DroppedEvents::Reason reason) {
  Block* block = first_full_;
  first_full_ = block->next;
  if (!first_full_) last_full_ = nullptr;
  dropped_.add(block->header, {block->payload(), block->header.raw_bytes}, reason);
  if (failure_.empty() && reason == DroppedEvents::Reason::kNoMemory)
    failure_ = "the memory for events was used up, and the latest are kept";
  std::memset(block->data, 0, kBlockBytes);
  return block;
}

// In place of what was dropped: how much that was, and the regions that were open behind it.
bool BlockPool::write_dropped(const ChunkHeader& first_kept) {
  std::vector<std::uint8_t> records;
  ChunkHeader header;
  if (!dropped_.take(first_kept, header, records)) return true;
  return append_locked(header, records);
}

std::uint64_t BlockPool::count_dropped_events() {
  const Locked lock(lock_);
  return dropped_.count();
}

bool BlockPool::write_block(const Block& block) {
  ChunkHeader header = block.header;
  std::span<const std::uint8_t> records(block.data + kChunkHeaderBytes, header.raw_bytes);
  if (is_unwanted(block)) {
    dropped_.add(header, records, DroppedEvents::Reason::kUnwanted);
    return true;
  }
  std::vector<std::uint8_t> rest;
  if (const Ticks from = wanted_from_.load(std::memory_order_relaxed); header.first_time < from) {
    dropped_.add_before(from, header, records, rest);
    records = rest;
  }
  if (!write_dropped(header)) return false;
  header.sequence = dropped_.number(header);
  return append_locked(header, records);
}

bool BlockPool::flush_locked(bool is_end) {
  const OpenContainer open(*this);
  while (first_full_) {
    Block* block = first_full_;
    if (!write_block(*block)) return false;
    first_full_ = block->next;
    if (!first_full_) last_full_ = nullptr;
    recycle(block, is_end);
  }
  return flush_packs(is_end);
}

void BlockPool::recycle(Block* block, bool is_end) {
  if (is_end) return discard(block);
  std::memset(block->data, 0, kBlockBytes);  // readers of a spool take zeros for a block that is not in use
  block->next = free_;
  free_ = block;
}

// What is in the container need not take room in the spool as well: the next chunk may need it. Zeros remain.
void BlockPool::discard(Block* block) {
  if (block->is_spooled) Spool::release(block->data);
  else ::munmap(block->data, kBlockBytes);
  delete block;
}

bool BlockPool::append(ChunkHeader header, std::span<const std::uint8_t> raw) {
  const Locked lock(lock_);
  const OpenContainer open(*this);
  return append_locked(header, raw);
}

bool BlockPool::append_locked(ChunkHeader header, std::span<const std::uint8_t> raw) {
  header.raw_bytes = static_cast<std::uint32_t>(raw.size());
  std::span<const std::uint8_t> stored = raw;
  if (compressor_ && compressor_->compress(raw, compressed_)) {
    header.codec = ChunkCodec::kZlib;
    stored = compressed_;
  }
  return write_to_container(stored.size(), [&](ContainerWriter& to) { return to.append(header, stored); });
}

template <class Write>
bool BlockPool::write_to_container(Bytes bytes, Write write) {
  Status status = try_write(write);
  if (!status.ok() && spool_.release_reserve()) status = try_write(write);
  if (status.ok()) {
    written_bytes_ += bytes;
    return true;
  }
  is_broken_ = true;
  if (failure_.empty()) {
    failure_ = status.error().why;
    say(status.error().what + ": " + failure_ + " (the program goes on, its recording may not be complete)");
  }
  return false;
}

template <class Write>
Status BlockPool::try_write(Write write) {
  const WriteSignals ours;
  if (!container_ || !container_->is_open()) {
    TARRY_TRY_ASSIGN(opened, ContainerWriter::open(config_.container));
    container_ = std::move(opened);
  }
  return write(*container_);
}

void BlockPool::remove_spool() { spool_.remove(); }

}  // namespace tarry::measure
