// event_buffer.hpp -- where one thread's events become bytes: the innermost loop of a trace.
//
// A record is encoded straight into the current block. There is no lock, system call or allocation unless the block is
// full. An event takes the time stamp it is given, and records of one call share stamps. A stamp older than the last
// one (possible after a flush) is raised to it, so that time never runs backwards within a location.
#pragma once

#include <cstdint>

#include "measure/core/block_pool.hpp"
#include "trace/event_codec.hpp"

namespace tarry::measure {

class ProfileTree;

class EventBuffer {
 public:
  /// Starts recording into the first block. False if there is no memory at all: then every event counts as lost.
  bool open(BlockPool& pool, std::uint32_t process, std::uint32_t thread, Ticks time);

  /// The thread's summary, which is to hold the flushes that a trace holds. Before open().
  void count_flushes_in(ProfileTree& profile) { profile_ = &profile; }

  void enter(Ticks time, std::uint32_t region) {
    if (has_room(time)) [[likely]]
      enter_in_room(time, region);
  }

  void leave(Ticks time) {
    if (has_room(time)) [[likely]]
      leave_in_room(time);
  }

  /// Any other event; `fields` as for encode_fields().
  template <class... Fields>
  void put(EventKind kind, Ticks time, Fields... fields) {
    if (has_room(time)) [[likely]]
      put_in_room(kind, time, fields...);
  }

  /// The same if there is room, the event before is not long ago and the region's number is small. Else false.
  [[gnu::always_inline]] bool enter_quickly(Ticks time, std::uint32_t region) {
    const auto delta = static_cast<std::uint64_t>(time - last_);
    if (at_ > limit_ || delta >= kLeastLongDelta || region >= kFirstWideRegion) [[unlikely]]
      return false;
    last_ = time;
    ++event_count_;
    at_ = encode_short_enter(at_, delta, region);
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

  /// The records of a call, as they are encoded: an enter and one at the same time, then one with a leave.
  struct EncodedPair {
    std::uint64_t low = 0, high = 0;  // of the begin, as if no time had passed
    std::uint64_t tail = 0;           // of the end, behind its time
    std::uint32_t end_head = 0;       // of the end: code, no time in two bytes, and what follows
    std::uint8_t begin_bytes = 0;
    std::uint8_t end_bytes = 0;  // with two bytes of time
  };
  static constexpr std::size_t kEndTail = 3;  // where the tail is then

  /// Whether the event before is not so long ago that begin_quickly() could not tell.
  [[gnu::always_inline]] bool is_soon(Ticks time) const {
    return static_cast<std::uint64_t>(time - last_) < kLeastLongDelta;
  }

  /// For callers that have found room at once. A process that is killed leaves no half of a record: what begins it is
  /// written last. A step that is abandoned has written what is in front of `at_`. Stores of bytes may change anything,
  /// so all is loaded in front of them.
  [[gnu::always_inline]] void begin_quickly(Ticks time, const EncodedPair& pair) {
    std::uint8_t* const at = at_;
    std::uint8_t* const end = at + pair.begin_bytes;
    const std::uint64_t low = pair.low | static_cast<std::uint64_t>(time - last_) << 4, high = pair.high;
    last_ = time;
    event_count_ += 2;
    ++depth_;
    store_le<std::uint64_t>(at + sizeof low, high);
    std::atomic_signal_fence(std::memory_order_release);
    store_le<std::uint64_t>(at, low);
    at_ = end;
  }

  /// What the end of a call writes behind its time stamp.
  struct PreparedEnd {
    std::uint8_t* at;
    std::uint8_t* end;
    std::uint32_t head;  // the first four bytes, but for the time
  };
  /// Writes all but the first bytes, for a time difference of two bytes. finish_end() or finish_late_end() is next.
  [[gnu::always_inline]] PreparedEnd prepare_end(const EncodedPair& pair) {
    std::uint8_t* const at = at_;
    const PreparedEnd end{at, at + pair.end_bytes, pair.end_head};
    event_count_ += 2;
    --depth_;
    store_le<std::uint64_t>(at + kEndTail, pair.tail);
    return end;
  }
  [[gnu::always_inline]] void finish_end(Ticks time, std::uint64_t delta, const PreparedEnd& prepared) {
    const auto low = static_cast<std::uint32_t>(delta & 0x7f) << 8;
    const auto high = static_cast<std::uint32_t>(delta & 0x3f80) << 9;
    std::atomic_signal_fence(std::memory_order_release);
    store_le<std::uint32_t>(prepared.at, prepared.head | low | high);
    at_ = prepared.end;
    last_ = time;
  }
  /// The same where the time difference may take any number of bytes.
  void finish_late_end(Ticks time, const EncodedPair& pair);

  /// Whether the current block has room for two records. Then they may be written by the following ones.
  bool has_room_at_once() const { return at_ <= limit_; }

  void enter_in_room(Ticks time, std::uint32_t region) {
    const std::uint64_t delta = advance(time);
    at_ = encode_enter(at_, delta, region);
    ++depth_;
  }

  void leave_in_room(Ticks time) {
    const std::uint64_t delta = advance(time);
    at_ = encode_leave(at_, delta);
    --depth_;
  }

  template <class... Fields>
  void put_in_room(EventKind kind, Ticks time, Fields... fields) {
    const std::uint64_t delta = advance(time);
    at_ = encode_fields(at_, kind, delta, fields...);
  }

  /// Where a record is.
  struct RecordPlace {
    std::uint8_t* begin = nullptr;  // nullptr: there is none
    std::uint8_t* end = nullptr;
    std::uint32_t sequence = 0;  // of the block
  };

  /// As put(); where the record is.
  template <class... Fields>
  RecordPlace put_tentatively(EventKind kind, Ticks time, Fields... fields) {
    if (!has_room(time)) [[unlikely]]
      return {};
    std::uint8_t* const begin = at_;
    const std::uint64_t delta = advance(time);
    at_ = encode_fields(at_, kind, delta, fields...);
    return {begin, at_, sequence_};
  }

  /// Removes a record that turns out to be wrong; those behind it move up. False if its block has been handed over, or
  /// if the times of those behind it depend on it.
  bool take_back(const RecordPlace& record);

  /// Leaves the regions that are open and hands the last block over. Nothing may be recorded afterwards.
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
  void put_flush();
  bool exchange_block(std::size_t records, Ticks time);
  ChunkHeader next_header(Ticks time) const;
  void close_header(std::uint32_t flags);
  void use_block(Block* block, Ticks time);
  void submit_block(std::uint32_t flags);
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
  std::uint64_t event_count_ = 0;  // in the current block
  std::uint8_t* block_limit_ = nullptr;
  Block* block_ = nullptr;
  BlockPool* pool_ = nullptr;
  ProfileTree* profile_ = nullptr;  // nullptr: there is no summary
  std::uint64_t lost_ = 0;
  std::uint64_t depth_ = 0;        // regions open in what is recorded
  std::uint64_t block_depth_ = 0;  // at the beginning of the block
  Ticks flush_start_ = 0;
  Ticks flush_duration_ = 0;  // not 0: a BUFFER_FLUSH record is due
  std::uint32_t process_ = 0;
  std::uint32_t thread_ = 0;
  std::uint32_t sequence_ = 0;
  bool is_stopped_ = false;
};

}  // namespace tarry::measure
