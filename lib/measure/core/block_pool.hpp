// block_pool.hpp -- the memory events are recorded into, and its way into the files of the archive.
//
// Blocks come from the spool, a file of this process mapped block by block: their contents outlive the process.
// A block begins with a chunk header marked open; readers decode it up to the first zero byte. Full blocks queue up
// here; when the memory limit is reached, and at the end, they are compressed and appended to the node's container.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/core/dropped_events.hpp"
#include "measure/core/recorder_lock.hpp"
#include "measure/core/settings.hpp"
#include "measure/core/spool.hpp"
#include "trace/chunk.hpp"
#include "trace/container.hpp"

namespace tarry::measure {

struct Block {
  std::uint8_t* data = nullptr;  // kBlockBytes; the chunk header, then records, then zeros
  Block* next = nullptr;
  ChunkHeader header;
  bool is_spooled = false;  // or in anonymous memory, which ends with the process
  bool is_touched = false;  // has been in use before

  /// Touches the pages of a new block, at the cost of one system call, and not one by one while the program runs. That
  /// takes long: for its user, who holds no lock.
  void populate();

  std::uint8_t* payload() { return data + kChunkHeaderBytes; }
  std::uint8_t* end() { return data + kBlockBytes; }
};

class BlockPool {
 public:
  /// Where and how much. `container` and `spool` are paths.
  struct Config {
    std::string container;
    std::string spool;
    std::uint64_t memory = 0;
    int compression = 1;
    bool spools_in_memory = false;
    WhenFull when_full = WhenFull::kFlush;
    std::uint32_t processes = 1;  // that write to the same disk
    std::string archive = {};     // whose disk is watched as the recording grows; empty: others do
  };

  void open(Config config);

  /// A zeroed block with the open form of `header` at its beginning, or nullptr if the memory is used up and cannot be
  /// written out. Sets `did_flush` if full blocks had to be written out first. A call on a file may be one of a signal
  /// handler: it waits for the pool only for a while.
  /// Hands over `full`, if there is one and a block: its header has its final counts and times, but no sums.
  /// Calls: handler-safe.
  Block* take(const ChunkHeader& header, bool& did_flush, Block* full = nullptr);

  /// For signal handlers: takes a block in exchange for a full one, which is handed over. nullptr if the
  /// pool is in use, or would have to write something out; then `full` is as it was.
  /// Calls: handler-safe.
  Block* try_exchange(Block* full, const ChunkHeader& header);

  /// Memory of the spool for call paths, kBlockBytes without the chunk header, zeroed. nullptr if there is none, or if
  /// a signal handler finds the pool in use.
  /// Calls: handler-safe.
  std::uint8_t* take_for_profile(const ChunkHeader& header);

  /// The same with the last block of a thread. What is short is copied to a block for such, and the block is free.
  void submit_last(Block* block);

  /// A chunk that a thread leaves which has ended; it goes where short last blocks go. False if a write failed.
  bool append_of_ended(const ChunkHeader& header, std::span<const std::uint8_t> raw);

  /// Memory of take_for_profile() that is not needed any more; zeroed.
  void give_back_of_profile(std::uint8_t* memory);

  /// Writes out the blocks that were handed over, where a lack of memory would.
  void flush_full();

  /// Writes out what threads have left that have ended. False if that failed.
  bool flush_ended();

  /// Writes out all blocks that were submitted, for the last time. False if that failed; then they stay where they are.
  /// Calls: at end only.
  bool flush_at_end();

  /// What submitted blocks still take on disk, as a rule. Those of the spool have their room there.
  Bytes count_bytes_to_write();

  /// Events in submitted blocks that are neither written out nor in the spool: they end with the process.
  std::uint64_t count_stranded_events();

  /// From here on nothing is written out before the end, and memory that is used up is a ring.
  void keep_latest();

  /// With keep_latest(): events before that time are unwanted.
  void keep_from(Ticks time) { wanted_from_.store(time, std::memory_order_relaxed); }

  /// Events that gave way to later ones (WhenFull::kRing).
  std::uint64_t count_dropped_events();

  /// Writes one chunk that lies elsewhere (definitions, profiles).
  bool append(ChunkHeader header, std::span<const std::uint8_t> raw);

  /// Removes the spool: everything is in the container.
  /// Calls: at end only.
  void remove_spool();

  /// True after a write has failed.
  bool is_broken() const { return is_broken_; }

  /// Why the first write failed that did; empty if none.
  std::string failure();

 private:
  // While it lives, the container stays open between chunks; no descriptor does so while the program runs.
  struct OpenContainer {
    explicit OpenContainer(BlockPool& of) : pool(of) {}
    ~OpenContainer() { pool.container_.reset(); }
    BlockPool& pool;
  };

  Block* find_free(const ChunkHeader& header, bool may_flush, bool& did_flush);
  Block* find_when_full(const ChunkHeader& header, bool& did_flush);
  Block* take_free();
  bool flush_for_room(bool& did_flush);
  Block* take_locked(const ChunkHeader& header, bool may_flush, bool& did_flush);
  void submit_locked(Block* block);
  Block* drop_oldest(DroppedEvents::Reason reason);
  bool is_unwanted(const Block& block) const;
  bool write_block(const Block& block);
  bool write_dropped(const ChunkHeader& first_kept);
  Block* allocate();
  static void mark_open(std::uint8_t* block, ChunkHeader& header);
  std::uint8_t* take_spooled();
  std::uint8_t* take_free_of_profile();
  bool pack(const ChunkHeader& header, std::span<const std::uint8_t> raw);
  bool begin_pack();
  bool flush_packs(bool is_end);
  void recycle(Block* block, bool is_end);
  void give_up_spool(const Error& error);
  bool flush_locked(bool is_end);
  void forecast_flushes(Bytes flushed);
  void discard(Block* block);
  bool append_locked(ChunkHeader header, std::span<const std::uint8_t> raw);
  template <class Write>
  bool write_to_container(Bytes bytes, Write write);
  template <class Write>
  Status try_write(Write write);

  RecorderLock lock_;
  Config config_;
  Spool spool_;
  std::optional<ContainerWriter> container_;
  DroppedEvents dropped_;
  std::optional<ChunkCompressor> compressor_;
  std::vector<std::uint8_t> compressed_;
  Bytes written_bytes_ = 0;  // to the container
  bool has_warned_ = false;  // that the disk will be full
  std::uint64_t block_count_ = 0;
  Block* free_ = nullptr;
  Block* first_full_ = nullptr;
  Block* last_full_ = nullptr;
  Block* first_pack_ = nullptr;  // has the room; its header counts what is in it
  std::uint8_t* free_of_profile_ = nullptr;
  std::atomic<Ticks> wanted_from_ = 0;
  bool is_broken_ = false;
  std::string failure_;
};

}  // namespace tarry::measure
