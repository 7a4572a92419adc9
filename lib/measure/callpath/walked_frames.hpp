// walked_frames.hpp -- frames that walks over a stack have found, kept for the next calls from the same places.
//
// A program goes around: a loop calls MPI in one function, then in another, and in the first again, from the same
// frame. What a walk has found inside a frame that was known already is kept by the innermost return address and stack
// pointer. If the words on the stack by which the frames were found are as they were, so are the frames.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "measure/callpath/stack_frame.hpp"

namespace tarry::measure {

/// What one walk has found.
struct KeptWalk {
  static constexpr std::size_t kMostFrames = 9;

  std::uint32_t changes = 0;         // of the table of regions when it was made
  std::uint32_t size = 0;            // of the frames
  KeptWalk* next = nullptr;          // that was found behind this one last time
  StackWord words[2 * kMostFrames];  // that tell whether all are as they were
  StackFrame frames[kMostFrames];    // outermost first; that one was known

  const StackFrame& outer() const { return frames[0]; }
  const StackFrame& innermost() const { return frames[size - 1]; }
  std::span<const StackWord> used_words() const { return {words, innermost().marks - outer().marks}; }

  /// Whether it found a call from there.
  bool is_from(std::uintptr_t return_address, std::uintptr_t stack) const {
    return innermost().return_address == return_address && innermost().stack == stack;
  }

  /// Whether the innermost frames of both are the same: all of one of them.
  bool overlaps(std::span<const StackFrame> others) const {
    for (std::size_t i = 1; i <= size && i <= others.size(); ++i)
      if (!frames[size - i].is_at(others[others.size() - i])) return false;
    return true;
  }

  /// Whether this is the frame that was known.
  bool is_inside(const StackFrame& known) const {
    return outer().is_at(known) && outer().alike == known.alike && outer().needs_base == known.needs_base;
  }
};

/// Several for calls from one place: a function that reduces a sum is itself called from several. What came behind a
/// walk last time is tried first.
class WalkedFrames {
 public:
  static constexpr std::size_t kWays = 4, kSets = 64;

  /// In so many bytes of memory, which are 0.
  static constexpr std::size_t kBytes = kSets * (kWays * sizeof(KeptWalk) + sizeof(std::uint64_t[kWays]));
  void open(void* memory) {
    walks_ = static_cast<KeptWalk*>(memory);
    keys_ = reinterpret_cast<std::uint64_t*>(walks_ + kSets * kWays);
  }

  /// A walk that is kept for calls from there and that `fits`; nullptr if there is none.
  template <class Fits>
  const KeptWalk* find(std::uintptr_t return_address, std::uintptr_t stack, Fits fits) {
    KeptWalk* const likely = latest_ ? latest_->next : nullptr;
    if (likely && likely->is_from(return_address, stack) && fits(*likely)) [[likely]]
      return latest_ = likely;
    const std::uint64_t key = key_of(return_address, stack);
    for (std::size_t way = first_of(key), end = way + kWays; way < end; ++way)
      if (keys_[way] == key && walks_[way].is_from(return_address, stack) && fits(walks_[way]))
        return note_found(walks_[way]);
    return nullptr;
  }

  /// In place of one that has found less of the same, or else of any. For the members of a KeptWalk.
  void keep(std::uint32_t changes, std::span<const StackFrame> frames, std::span<const StackWord> words);

  /// Drops all walks.
  void forget();

 private:
  // Never 0, which is a free place.
  static std::uint64_t key_of(std::uintptr_t return_address, std::uintptr_t stack) {
    return ((return_address ^ stack << 20) * 0x9e3779b97f4a7c15u) | 1;
  }
  static std::size_t first_of(std::uint64_t key) { return (key >> 58) * kWays; }

  const KeptWalk* note_found(KeptWalk& walk) {
    if (latest_) latest_->next = &walk;
    return latest_ = &walk;
  }

  KeptWalk* walks_ = nullptr;
  KeptWalk* latest_ = nullptr;  // that was found or kept
  std::uint64_t* keys_ = nullptr;
  std::size_t replaced_ = 0;  // places, of those that were full
};

}  // namespace tarry::measure
