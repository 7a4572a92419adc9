// latest_transfer.hpp -- a thread's latest read or write: the next one is like it, as a rule.
//
// All that is the same for such a call is kept: the pattern of its record, and where it counts in the summary.
//
// Calls: handler-safe.
#pragma once

#include "measure/core/adapter.hpp"
#include "measure/core/event_buffer.hpp"
#include "measure/core/profile_tree.hpp"
#include "measure/core/thread_slots.hpp"
#include "measure/io/descriptors.hpp"

namespace tarry::measure {

/// For callers that hold the gate: a signal handler may leave another call here.
class LatestTransfer {
 public:
  /// What the records have in common, in one word.
  class Kind {
   public:
    Kind() = default;
    Kind(RegionId region, FileNumber file)
        : both_(std::uint64_t{region.value} << 32 | static_cast<std::uint32_t>(file)) {}
    RegionId region() const { return RegionId(both_ >> 32); }
    FileNumber file() const { return FileNumber{static_cast<std::uint32_t>(both_)}; }
    bool operator==(const Kind&) const = default;

   private:
    std::uint64_t both_ = ~std::uint64_t{0};  // none
  };
  struct Sizes {
    Bytes wanted = 0, moved = 0;
  };

  [[gnu::always_inline]] bool is_of(Kind kind) const { return kind_ == kind; }
  Kind kind() const { return kind_; }
  /// What the pattern says; kNoBytes: there is none yet.
  [[gnu::always_inline]] Bytes wanted() const { return wanted_; }
  [[gnu::always_inline]] Bytes moved() const { return moved_; }
  const FilePlace& place() const { return place_; }
  const EventBuffer::PatternHead& head() const { return head_; }
  unsigned mode() const { return mode_; }
  std::uint64_t number() const { return number_; }

  /// The place of the latest call, if the next one from there need not look at the stack, and may read the counter.
  [[gnu::always_inline]] bool is_from(const void* place) const { return caller_ == place; }
  void come_from(const void* place) { caller_ = place; }

  /// A call that is recorded another way.
  void note(Kind kind, unsigned mode, std::uint64_t number, Sizes sizes, FilePlace place);

  /// A call of the same kind is begun, of so many bytes: it moves all of them if the latest one did. Makes the pattern.
  void set_wanted(Bytes bytes);

 private:
  static constexpr Bytes kNoBytes = ~Bytes{0};  // no call moves as many

  Kind kind_;
  const void* caller_ = nullptr;
  Bytes wanted_ = kNoBytes, moved_ = 0;
  FilePlace place_;
  std::uint64_t number_ = 0;
  unsigned mode_ = 0;
  bool is_whole_ = false;  // the latest call has moved what it wanted to
  EventBuffer::PatternHead head_;
};

inline constexpr ThreadSlot<const void*, 24> kFileCaller;  // the place in the program that last called a file function
inline constexpr ThreadSlot<LatestTransfer, 32> kLatestTransfer;

extern const Adapter kFileAdapter;

}  // namespace tarry::measure
