// latest_transfer.hpp -- a thread's latest read or write: the next one is like it, as a rule.
//
// All that is the same for such a call is kept: its records but for their times, and where it counts in the summary.
#pragma once

#include "measure/core/event_buffer.hpp"
#include "measure/core/profile_tree.hpp"

namespace tarry::measure {

/// How many bytes are asked for, as the record of the begin has it.
inline std::uint64_t wanted_field(Bytes bytes) { return bytes == 0 ? 0 : bytes + 1; }

/// For callers that hold the gate: a signal handler may leave another call here.
class LatestTransfer {
 public:
  /// What the records have in common, in one word.
  class Kind {
   public:
    Kind() = default;
    /// Both numbers are from 1 on.
    Kind(std::uint32_t region, std::uint32_t file) : both_(std::uint64_t{region} << 32 | file) {}
    std::uint32_t region() const { return static_cast<std::uint32_t>(both_ >> 32); }
    std::uint32_t file() const { return static_cast<std::uint32_t>(both_); }
    bool operator==(const Kind&) const = default;

   private:
    std::uint64_t both_ = ~std::uint64_t{0};  // none
  };
  struct Sizes {
    Bytes wanted = 0, moved = 0;
  };

  [[gnu::always_inline]] bool is_of(Kind kind) const { return kind_ == kind; }
  Kind kind() const { return kind_; }
  [[gnu::always_inline]] Bytes wanted() const { return sizes_.wanted; }
  [[gnu::always_inline]] Bytes moved() const { return sizes_.moved; }
  const ProfileTree::FilePlace& place() const { return place_; }
  const EventBuffer::EncodedPair& records() const { return records_; }
  /// What the fields of each record take that is no enter or leave.
  Bytes begin_field_bytes() const { return begin_field_bytes_; }
  Bytes end_field_bytes() const { return end_field_bytes_; }
  unsigned mode() const { return mode_; }
  std::uint64_t number() const { return number_; }

  /// The place of the latest call, if the next one from there need not look at the stack, and may read the counter.
  [[gnu::always_inline]] bool is_from(const void* place) const { return caller_ == place; }
  void come_from(const void* place) { caller_ = place; }

  /// A call that is recorded another way. With `needs_records` nothing is kept of one whose records are too long.
  void note(Kind kind, unsigned mode, std::uint64_t number, Sizes sizes, ProfileTree::FilePlace place,
            bool needs_records);

  /// A call of the same kind wants, or has moved, another number of bytes. False if its record is too long.
  [[gnu::noinline]] bool set_wanted(Bytes bytes, bool needs_records);
  [[gnu::noinline]] bool set_moved(Bytes bytes, bool needs_records);

 private:
  Kind kind_;
  const void* caller_ = nullptr;
  unsigned mode_ = 0;
  std::uint64_t number_ = 0;
  Sizes sizes_;
  EventBuffer::EncodedPair records_;
  Bytes begin_field_bytes_ = 0, end_field_bytes_ = 0;
  ProfileTree::FilePlace place_;
};

}  // namespace tarry::measure
