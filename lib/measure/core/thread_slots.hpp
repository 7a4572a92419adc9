// thread_slots.hpp -- what adapters keep with each thread: places of their own, whose types the core does not know.
//
// An adapter declares its slot in a header of its own, at an offset of its choice:
//
//   inline constexpr ThreadSlot<CallPath*, 0> kCallPath;       kCallPath.of(thread)
//
// The offset is a constant, so an access is one load. start/adapters.cpp checks that no two slots overlap. A slot is
// all zeros until the adapter's hook `thread_begins` gives it a value; `thread_ends` ends what it leads to.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <type_traits>

namespace tarry::measure {

inline constexpr std::size_t kSlotBytes = 384;

/// The memory of all slots of a thread.
struct ThreadSlots {
  alignas(16) std::byte bytes[kSlotBytes] = {};
};

/// A part of them.
struct SlotPlace {
  std::size_t begin = 0, end = 0;
};

template <class Value, std::size_t kOffset>
class ThreadSlot {
  static_assert(std::is_trivially_destructible_v<Value> && std::is_trivially_copyable_v<Value>);
  static_assert(kOffset % alignof(Value) == 0 && kOffset + sizeof(Value) <= kSlotBytes);

 public:
  static constexpr SlotPlace place() { return {kOffset, kOffset + sizeof(Value)}; }

  template <class Thread>
  [[gnu::always_inline]] static Value& of(Thread& thread) {
    return *reinterpret_cast<Value*>(thread.slots.bytes + kOffset);
  }
  template <class Thread>
  [[gnu::always_inline]] static const Value& of(const Thread& thread) {
    return *reinterpret_cast<const Value*>(thread.slots.bytes + kOffset);
  }
};

/// True if each part begins where the one before has ended, or behind it.
constexpr bool are_apart(std::initializer_list<SlotPlace> places) {
  std::size_t end = 0;
  for (const SlotPlace& place : places) {
    if (place.begin < end) return false;
    end = place.end;
  }
  return true;
}

}  // namespace tarry::measure
