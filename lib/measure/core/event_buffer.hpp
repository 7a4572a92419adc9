// event_buffer.hpp -- where one thread's events become bytes: the innermost loop of a trace.
//
// A record is encoded straight into the current block. There is no lock, system call or allocation unless the block is
// full. An event takes the time stamp it is given, and records of one call share stamps. A stamp older than the last
// one (possible after a flush) is raised to it, so that time never runs backwards within a location. A full block goes
// to the pool of its process (block_pool.hpp), which compresses it and appends it to the node's container.
//
// Calls: handler-safe.
#pragma once

#include <algorithm>
#include <cstdint>

#include "defs/definitions.hpp"
#include "measure/core/block_pool.hpp"
#include "trace/event_codec.hpp"

namespace tarry::measure {

class ProfileTree;

class EventBuffer {
 public:
  /// Starts recording into the first block. False if there is no memory at all: then every event counts as lost.
  /// Calls: may block.
  bool open(BlockPool& pool, WorldRank process, std::uint32_t thread, Ticks time);

  /// The thread's summary, which is to hold the flushes that a trace holds. Before open().
  void count_flushes_in(ProfileTree& profile) { profile_ = &profile; }

  /// Full blocks of all threads are written out now, as for want of memory.
  /// Calls: may block.
  void write_out();

  void enter(Ticks time, RegionId region) {
    if (has_room(time)) [[likely]]
      enter_in_room(time, region);
  }

  void leave(Ticks time) {
    if (has_room(time)) [[likely]]
      leave_in_room(time);
  }

  /// Any other event (trace/record.hpp).
  template <class Record>
  void put(Ticks time, const Record& record) {
    if (has_room(time)) [[likely]]
      put_in_room(time, record);
  }

  /// The same if there is room, the event before is not long ago and the region's number is small. Else false.
  [[gnu::always_inline]] bool enter_quickly(Ticks time, RegionId region) {
    const auto delta = static_cast<std::uint64_t>(time - last_);
    if (at_ > limit_ || delta >= kLeastLongDelta || region.value >= kFirstWideRegion) [[unlikely]]
      return false;
    last_ = time;
    ++event_count_;
    at_ = encode_short_enter(at_, delta, region.value);
    ++depth_;
    return true;
  }
  [[gnu::always_inline]] bool leave_quickly(Ticks time) {
    const auto delta = static_cast<std::uint64_t>(time - last_);
    if (at_ > limit_ || delta >= kLeastLongDelta) [[unlikely]]
      return false;
    last_ = time;
    ++event_count_;
    at_ = encode_short_leave(at_, delta);
    --depth_;
    return true;
  }

  /// Whether the block has the pattern of the calls that follow, and room. Each may be a begin_repeat() then, and its
  /// end an end_repeat().
  [[gnu::always_inline]] bool may_repeat() const { return at_ <= repeat_limit_; }
  /// Whether the event before is not so long ago that begin_repeat() could not tell.
  [[gnu::always_inline]] bool is_soon(Ticks time) const {
    return static_cast<std::uint64_t>(time - last_) < kFirstLongCallDelta;
  }
  [[gnu::always_inline]] void begin_repeat(Ticks time) {
    std::uint8_t* const at = at_;
    const auto delta = static_cast<std::uint64_t>(time - last_);
    last_ = time;
    event_count_ += 2;
    ++depth_;
    at_ = repeat_end_ = encode_begun_call(at, delta);
  }

  /// Whether nothing has been recorded since.
  [[gnu::always_inline]] bool can_end_repeat() const { return at_ == repeat_end_; }
  /// The word that it was written with, for end_repeat().
  [[gnu::always_inline]] std::uint64_t begun_repeat() const {
    return load_le<std::uint64_t>(repeat_end_ - kBegunCallBytes);
  }
  /// The record becomes that of a whole call, by one store. If the step is abandoned then, repair() undoes it.
  [[gnu::always_inline]] void end_repeat(Ticks time, std::uint64_t duration, std::uint64_t begun) {
    std::uint8_t* const at = repeat_end_ - kBegunCallBytes;
    last_ = time;
    event_count_ += 2;
    --depth_;
    store_le<std::uint64_t>(at, whole_call(begun, duration));
    std::atomic_signal_fence(std::memory_order_release);
    at_ = at + kWholeCallBytes;
  }

  /// A pattern without its numbers of bytes, and with zeros behind it. It is as long as region, file and thread need at
  /// the most. Its first byte is 0, which comes last: until then it is no record.
  struct PatternHead {
    std::uint8_t bytes[24] = {};
    std::size_t size = 0;  // 0: there is none
  };
  /// The first part of a pattern whose region and handle have 32 bits, and whose `matching` has 35.
  static PatternHead head_of(const CallPattern& pattern);
  /// False if there is no room at once. What calls move may change each time, so it does not go through memory.
  bool put_pattern(const PatternHead& head, std::uint64_t wanted, std::uint64_t moved);
  /// The calls that follow are like another one.
  void forget_pattern() { repeat_limit_ = nullptr; }

  /// Whether the current block has room for two records. Then they may be written by the following ones.
  bool has_room_at_once() const { return at_ <= limit_; }

  void enter_in_room(Ticks time, RegionId region) {
    const std::uint64_t delta = advance(time);
    at_ = encode_enter(at_, delta, region.value);
    ++depth_;
  }

  void leave_in_room(Ticks time) {
    const std::uint64_t delta = advance(time);
    at_ = encode_leave(at_, delta);
    --depth_;
  }

  template <class Record>
  void put_in_room(Ticks time, const Record& record) {
    const std::uint64_t delta = advance(time);
    at_ = encode_record(at_, delta, record);
  }

  /// Where a record is.
  struct RecordPlace {
    std::uint8_t* begin = nullptr;  // nullptr: there is none
    std::uint8_t* end = nullptr;
    std::uint32_t sequence = 0;  // of the block
  };

  /// As put(); where the record is.
  template <class Record>
  RecordPlace put_tentatively(Ticks time, const Record& record) {
    if (!has_room(time)) [[unlikely]]
      return {};
    std::uint8_t* const begin = at_;
    const std::uint64_t delta = advance(time);
    at_ = encode_record(at_, delta, record);
    return {begin, at_, sequence_};
  }

  /// Removes a record that turns out to be wrong; those behind it move up. False if its block has been handed over, or
  /// if the times of those behind it depend on it.
  bool take_back(const RecordPlace& record);

  /// Leaves the regions that are open and hands the last block over. Nothing may be recorded afterwards.
  /// Calls: may block.
  void close(Ticks time);

  /// For signal handlers: whether so many enters, leaves and values of counters have room, in the next block if need
  /// be.
  bool has_room_for(std::size_t records, Ticks time) {
    return (limit_ && at_ <= limit_ && static_cast<std::size_t>(limit_ - at_) > records * kStepBytes) ||
           exchange_block(records, time);
  }

  /// Makes the counts fit the records again after a step that was abandoned half-way. Reads the current block.
  void repair();

  /// Regions that are open in what is recorded.
  std::uint64_t depth() const { return depth_; }

  /// Of the latest event.
  Ticks last_time() const { return last_; }

  /// As last_time(), or the end of a flush whose record is due.
  Ticks last_known_time() const { return std::max(last_, flush_start_ + flush_duration_); }

  /// The address of the next record: another one after each record.
  const void* position() const { return at_; }

  /// Events that found no room.
  std::uint64_t lost() const { return lost_; }

 private:
  // Kept free at the end of a block: for the two longest records, and for closing the regions when room runs out.
  static constexpr std::size_t kMargin = 1024;
  static constexpr std::size_t kStepBytes = 32;  // at most: of an enter, a leave or a value
  static constexpr std::size_t kLastMargin = kMaxRecordBytes + 16;

  bool has_room(Ticks time) { return at_ <= limit_ || make_room(time); }
  bool make_room(Ticks time);
  bool next_block(Ticks time);
  bool take_next_block(Ticks time);
  void put_flush();
  bool exchange_block(std::size_t records, Ticks time);
  ChunkHeader next_header(Ticks time) const;
  void close_header(std::uint32_t flags);
  void use_block(Block* block, Ticks time);
  void submit_last_block();
  void stop();

  std::uint64_t advance(Ticks time) {
    const Ticks delta = time > last_ ? time - last_ : 0;
    last_ += delta;
    ++event_count_;
    return static_cast<std::uint64_t>(delta);
  }

  std::uint8_t* at_ = nullptr;
  std::uint8_t* limit_ = nullptr;  // a record may begin up to here
  Ticks last_ = 0;
  std::uint64_t event_count_ = 0;         // in the current block
  std::uint8_t* repeat_limit_ = nullptr;  // limit_ if the block has the pattern of the calls that follow, else nullptr
  std::uint8_t* repeat_end_ = nullptr;    // in this block: behind what begin_repeat() has written last
  std::uint8_t* block_limit_ = nullptr;
  Block* block_ = nullptr;
  BlockPool* pool_ = nullptr;
  ProfileTree* profile_ = nullptr;  // nullptr: there is no summary
  std::uint64_t lost_ = 0;
  std::uint64_t depth_ = 0;        // regions open in what is recorded
  std::uint64_t block_depth_ = 0;  // at the beginning of the block
  Ticks flush_start_ = 0;
  Ticks flush_duration_ = 0;  // not 0: a BUFFER_FLUSH record is due
  WorldRank process_{0};
  std::uint32_t thread_ = 0;
  std::uint32_t sequence_ = 0;
  bool is_stopped_ = false;
};

}  // namespace tarry::measure
