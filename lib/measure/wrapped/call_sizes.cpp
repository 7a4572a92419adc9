// call_sizes.cpp -- a small table for each function, from sizes to the region of that name.
#include "measure/wrapped/call_sizes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include "measure/core/own_memory.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kMostNumbers = 12, kMostTextBytes = 240;
constexpr std::uint64_t kNoKey = 0, kFurtherKey = 1;

// The numbers of one call, in order; those of an array are together.
struct Numbers {
  std::int64_t values[kMostNumbers];
  std::uint8_t counts[kMostNumbers];  // of each size
  std::size_t size = 0;

  std::uint64_t key() const {
    std::uint64_t mixed = size;
    for (std::size_t i = 0; i < size; ++i) {
      mixed = (mixed ^ static_cast<std::uint64_t>(values[i])) * 0x9e3779b97f4a7c15ull;
      mixed ^= mixed >> 29;
    }
    return std::max(mixed, kFurtherKey + 1);
  }
};

std::int64_t number_at(const void* place, unsigned width) {
  std::int32_t narrow = 0;
  std::int64_t wide = 0;
  if (width == sizeof wide) return std::memcpy(&wide, place, sizeof wide), wide;
  return std::memcpy(&narrow, place, sizeof narrow), narrow;
}

std::int64_t number_in(std::uintptr_t value, unsigned width) {
  return width == sizeof(std::int64_t) ? static_cast<std::int64_t>(value) : static_cast<std::int32_t>(value);
}

// Zero, where the program gives no address: the function is about to find out.
void add_size(Numbers& numbers, const WrappedSize& size, const processor::SavedCall& call, const void* stack,
              std::uint8_t& count) {
  using enum WrappedSize::Kind;
  const std::uintptr_t argument = call.integer(size.argument, stack);
  const auto* const place = reinterpret_cast<const char*>(argument);
  const std::int64_t wanted =
      size.kind == kArray ? std::clamp<std::int64_t>(number_in(call.integer(size.count, stack), 4), 0, 4) : 1;
  count = 0;
  for (std::int64_t i = 0; i < wanted && numbers.size < kMostNumbers; ++i, ++count) {
    std::int64_t number = number_in(argument, size.width);
    if (size.kind != kByValue) number = place ? number_at(place + i * size.width, size.width) : 0;
    numbers.values[numbers.size++] = number;
  }
}

Numbers numbers_of(const WrappedFunction& function, const processor::SavedCall& call, const void* stack) {
  Numbers numbers;
  for (std::size_t i = 0; i < std::min<std::size_t>(function.size_count, kMostNumbers); ++i)
    add_size(numbers, function.sizes[i], call, stack, numbers.counts[i]);
  return numbers;
}

struct Text {
  char bytes[kMostTextBytes];
  std::size_t length = 0;

  template <class... Arguments>
  void add(const char* format, Arguments... arguments) {
    const int more = std::snprintf(bytes + length, sizeof bytes - length, format, arguments...);
    length = std::min(length + static_cast<std::size_t>(std::max(more, 0)), sizeof bytes - 1);
  }
};

Text text_of(const WrappedFunction& function, const Numbers& numbers) {
  Text text;
  text.add("%s(", function.name);
  const std::int64_t* value = numbers.values;
  for (std::size_t i = 0; i < std::min<std::size_t>(function.size_count, kMostNumbers); ++i) {
    text.add("%s%s=", i ? "," : "", function.sizes[i].name);
    for (std::uint8_t at = 0; at < numbers.counts[i]; ++at)
      text.add("%s%lld", at ? "x" : "", static_cast<long long>(*value++));
  }
  text.add(")");
  return text;
}

}  // namespace

/// From sizes to regions. An entry is taken by its key, and has its region soon after.
class KnownSizes {
 public:
  struct Entry {
    std::atomic<std::uint64_t> key;
    std::atomic<RegionId> region;
  };

  /// The entry of that key, taken for it if it has none; that of all further ones, if there is no place.
  Entry& find(std::uint64_t key) {
    for (std::size_t i = 0; i < kEntries; ++i) {
      Entry& entry = entries_[(key + i) % kEntries];
      std::uint64_t there = entry.key.load(std::memory_order_relaxed);
      if (there == kNoKey) entry.key.compare_exchange_strong(there, key, std::memory_order_relaxed);
      if (there == kNoKey || there == key) return entry;
    }
    return further_;
  }

  bool is_further(const Entry& entry) const { return &entry == &further_; }

 private:
  static constexpr std::size_t kEntries = 64;
  Entry entries_[kEntries];
  Entry further_;
};

static KnownSizes* sizes_of(WrappedFunction& function) {
  KnownSizes* known = function.known_sizes.load(std::memory_order_acquire);
  if (known) return known;
  void* const memory = take_own_memory(sizeof(KnownSizes));
  if (!memory) return nullptr;
  auto* const made = new (memory) KnownSizes();
  if (function.known_sizes.compare_exchange_strong(known, made, std::memory_order_acq_rel)) return made;
  give_own_memory_back(memory);
  return known;
}

RegionId region_of_sizes(WrappedFunction& function, const processor::SavedCall& call, const void* stack) {
  KnownSizes* const known = function.size_count > 0 ? sizes_of(function) : nullptr;
  if (!known) return RegionId();
  const Numbers numbers = numbers_of(function, call, stack);
  KnownSizes::Entry& entry = known->find(numbers.key());
  if (const RegionId region = entry.region.load(std::memory_order_acquire); region.is_valid()) return region;
  Text text;
  if (known->is_further(entry)) text.add("%s(...)", function.name);
  else text = text_of(function, numbers);
  const auto region = definitions().try_add_region({text.bytes, text.length}, function.library, 0, Paradigm::kUser,
                                                   RegionRole::kArtificial);
  if (region) entry.region.store(*region, std::memory_order_release);
  return region.value_or(RegionId());
}

}  // namespace tarry::measure
