// message_times.hpp -- when messages were sent, or receives posted, on several machines: as long as somebody may ask.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "prediction/simulation/variants.hpp"
#include "base/arrays/indexed.hpp"
#include "base/arrays/rows.hpp"

namespace tarry {

/// Times by number. Those that are given back make room for others: few are needed at a time, and stay in the cache.
class TimePool {
 public:
  static constexpr std::uint32_t kUnknown = 0;  // the number of a time that is not known yet

  explicit TimePool(MemoryBudget* budget) : times_(budget) { clear(); }

  void clear() {
    times_.clear();
    free_.clear();
    times_.push_back(Variants(std::numeric_limits<double>::quiet_NaN()));
  }
  const Variants& operator[](std::uint32_t number) const { return times_[number]; }
  std::uint32_t add(const Variants& time) {
    if (free_.empty()) {
      times_.push_back(time);
      return static_cast<std::uint32_t>(times_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    times_[number] = time;
    return number;
  }
  void give_back(std::uint32_t number) {
    if (number != kUnknown) free_.push_back(number);
  }

 private:
  Rows<Variants> times_;
  std::vector<std::uint32_t> free_;
};

/// The times of one kind of record of a process, in a pool.
template <class Index>
class MessageTimes {
 public:
  MessageTimes(std::size_t records, MemoryBudget* budget) : numbers_(budget) { numbers_.resize(records); }

  void clear() { std::ranges::fill(numbers_, TimePool::kUnknown); }
  const Variants& get(Index index, const TimePool& pool) const { return pool[numbers_[index]]; }
  void set(Index index, const Variants& time, TimePool& pool) { numbers_[index] = pool.add(time); }
  void forget(Index index, TimePool& pool) { pool.give_back(std::exchange(numbers_[index], TimePool::kUnknown)); }

 private:
  Indexed<Index, Rows<std::uint32_t>> numbers_;
};

}  // namespace tarry
