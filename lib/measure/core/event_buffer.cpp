// event_buffer.cpp -- what happens when a block is full, and at the end.
#include "measure/core/event_buffer.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "defs/artificial_regions.hpp"
#include "measure/core/clock.hpp"
#include "measure/core/profile_tree.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/signal_block.hpp"

namespace tarry::measure {
namespace {

std::atomic<RegionId> g_flush_region;

// Two threads at once may define it twice: equal regions become one when the archive is unified.
void define_flush_region() {
  if (g_flush_region.load(std::memory_order_relaxed).is_valid()) return;
  g_flush_region = definitions().add_region(kBufferFlushName, "", 0, Paradigm::kMeasurement, RegionRole::kArtificial);
}

}  // namespace

bool EventBuffer::open(BlockPool& pool, WorldRank process, std::uint32_t thread, Ticks time) {
  pool_ = &pool;
  process_ = process;
  thread_ = thread;
  return next_block(time);
}

void EventBuffer::use_block(Block* block, Ticks time) {
  block_ = block;
  at_ = block->payload();
  limit_ = block_limit_ = block->end() - kMargin;
  last_ = time;
  event_count_ = 0;
  block_depth_ = depth_;
  repeat_limit_ = repeat_end_ = nullptr;
}

EventBuffer::PatternHead EventBuffer::head_of(const CallPattern& pattern) {
  std::uint8_t record[kMaxRecordBytes];
  PatternHead head;
  head.size = static_cast<std::size_t>(encode_pattern_head(record, pattern) - record);
  if (head.size > sizeof head.bytes) return {};
  std::copy(record + 1, record + head.size, head.bytes + 1);
  return head;
}

bool EventBuffer::put_pattern(const PatternHead& head, std::uint64_t wanted, std::uint64_t moved) {
  if (!has_room_at_once() || head.size == 0) return false;
  std::uint8_t* const at = at_;
  std::memcpy(at, head.bytes, sizeof head.bytes);
  std::uint8_t* const end = encode_pattern_bytes(at + head.size, wanted, moved);
  std::atomic_signal_fence(std::memory_order_release);
  *at = codec::kPattern;
  at_ = end;
  repeat_limit_ = limit_;
  return true;
}

// A record counts once `at_` is behind it.
void EventBuffer::repair() {
  if (!block_) return;
  if (can_end_repeat()) *(at_ - kBegunCallBytes) = codec::kBegunCall;
  constexpr std::size_t kBatch = 256;
  Event events[kBatch];
  RecordDecoder decoder(block_->payload(), at_, block_->header.first_time);
  event_count_ = 0;
  depth_ = block_depth_;
  while (const std::size_t count = decoder.decode(events, kBatch)) {
    event_count_ += count;
    for (std::size_t i = 0; i < count; ++i) {
      if (events[i].kind == EventKind::kEnter) ++depth_;
      if (events[i].kind == EventKind::kLeave) --depth_;
    }
  }
  last_ = decoder.time();
  // A zero byte ends the records: none of what the step has written further on may stand behind the next ones.
  std::memset(at_, 0, std::min<std::size_t>(2 * kMaxRecordBytes, static_cast<std::size_t>(block_->end() - at_)));
}

bool EventBuffer::take_back(const RecordPlace& record) {
  if (!record.begin || !block_ || record.sequence != sequence_) return false;
  const bool is_at_time_before = record.begin[1] == 0;  // of the general form: the time difference
  if (!is_at_time_before) return false;
  const auto bytes = static_cast<std::size_t>(record.end - record.begin);
  std::memmove(record.begin, record.end, static_cast<std::size_t>(at_ - record.end));
  at_ -= bytes;
  repeat_end_ = nullptr;       // it may have moved
  std::memset(at_, 0, bytes);  // a zero byte ends the records
  --event_count_;
  return true;
}

void EventBuffer::close_header(std::uint32_t flags) {
  block_->header.event_count = static_cast<std::uint32_t>(event_count_);
  block_->header.raw_bytes = static_cast<std::uint32_t>(at_ - block_->payload());
  block_->header.last_time = last_;
  block_->header.flags = flags;
}

void EventBuffer::submit_last_block() {
  close_header(kLastChunk);
  pool_->submit_last(block_);
  block_ = nullptr;
}

ChunkHeader EventBuffer::next_header(Ticks time) const {
  ChunkHeader header;
  header.process = process_.value;
  header.thread = thread_;
  header.sequence = sequence_;
  header.first_time = header.last_time = time;
  return header;
}

bool EventBuffer::exchange_block(std::size_t records, Ticks time) {
  const bool can_fit = records < (kBlockBytes - kChunkHeaderBytes - 2 * kMargin) / kStepBytes;
  if (is_stopped_ || !block_ || !limit_ || !can_fit) return false;
  time = std::max(time, last_);
  const ChunkHeader open = block_->header;
  close_header(0);
  Block* const next = pool_->try_exchange(block_, next_header(time));
  if (!next) {
    block_->header = open;
    return false;
  }
  ++sequence_;
  use_block(next, time);
  next->populate();
  return true;
}

bool EventBuffer::next_block(Ticks time) {
  if (!take_next_block(time)) return false;
  block_->populate();
  return true;
}

// The full block is handed over only when its successor is there: without one, its margin takes the last records.
bool EventBuffer::take_next_block(Ticks time) {
  const SignalBlock no_signals;
  time = std::max(time, last_);
  bool did_flush = false;
  const Ticks start = now();
  const ChunkHeader open = block_ ? block_->header : ChunkHeader();
  if (block_) close_header(0);
  Block* block = pool_->take(next_header(time), did_flush, block_);
  if (!block) {
    if (block_) block_->header = open;
    stop();
    return false;
  }
  ++sequence_;
  use_block(block, time);
  if (did_flush) {
    flush_start_ = start;
    flush_duration_ = now() - start;
    if (profile_) define_flush_region();  // here, as the next record may be put in a signal handler
    limit_ = nullptr;                     // the next record comes by make_room(), which writes the record of the flush
  }
  return true;
}

// From now on every event is counted and dropped.
void EventBuffer::stop() {
  static std::uint8_t nowhere;
  is_stopped_ = true;
  limit_ = repeat_limit_ = repeat_end_ = nullptr;
  if (!at_) at_ = &nowhere;  // there was no block at all: that is behind the limit, too
}

bool EventBuffer::make_room(Ticks time) {
  if (is_stopped_) {
    ++lost_;
    return false;
  }
  if (flush_duration_ && time >= flush_start_) {
    limit_ = block_limit_;
    put_flush();
  }
  return at_ <= block_limit_ || next_block(time) || make_room(time);
}

void EventBuffer::put_flush() {
  const Ticks duration = std::exchange(flush_duration_, 0);
  put(flush_start_, record::BufferFlush{.duration = static_cast<std::uint64_t>(duration)});
  if (profile_) profile_->count_flush(flush_start_, g_flush_region.load(std::memory_order_relaxed), duration);
}

void EventBuffer::write_out() {
  if (!block_) return;
  const SignalBlock no_signals;
  if (profile_) define_flush_region();
  flush_start_ = std::max(now(), last_);
  pool_->flush_full();
  flush_duration_ = now() - flush_start_;
  put_flush();
}

void EventBuffer::close(Ticks time) {
  if (!block_) return;
  if (is_stopped_) {
    // The margin of the last block takes the count of what is missing.
    is_stopped_ = false;
    limit_ = block_->end() - kLastMargin;
    put(time, record::Lost{.count = lost_});
    while (depth_ > 0 && at_ <= limit_) leave(time);
  } else {
    while (depth_ > 0) leave(time);
  }
  submit_last_block();
}

}  // namespace tarry::measure
