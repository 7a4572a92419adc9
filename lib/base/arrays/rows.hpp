// rows.hpp -- large arrays of plain records that grow without copying, and lie in a file when memory is short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/arrays/memory_budget.hpp"

namespace tarry {

/// Memory of one array. While it grows, it lies in a block that was another's before; when it is complete, it is copied
/// to the other complete ones, side by side. Large ones are mapped and grow by moving their pages, not their bytes. All
/// on huge pages where the system has them: to get memory page by page takes a tenth of the time of an analysis.
///
/// With a budget, all but small arrays consist of its pages.
class RowMemory {
 public:
  RowMemory() = default;
  explicit RowMemory(MemoryBudget* budget) : budget_(budget) {}
  RowMemory(RowMemory&& other) noexcept : budget_(other.budget_) { swap(other); }
  RowMemory& operator=(RowMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~RowMemory() { release(); }

  void* data() const { return data_; }
  MemoryBudget* budget() const { return budget_; }
  std::size_t capacity() const { return capacity_; }  // bytes

  /// Makes room for at least `bytes` bytes, and for more to come; what is there stays. Ends the program with a message
  /// if there is no memory.
  void grow(std::size_t bytes);

  /// The same for an array whose size is known.
  void hold(std::size_t bytes);

  /// The array is complete: gives back what lies behind the first `bytes` bytes.
  void trim(std::size_t bytes);

  void release();

 private:
  void swap(RowMemory& other) {
    std::swap(data_, other.data_);
    std::swap(budget_, other.budget_);
    const std::size_t capacity = capacity_;
    const Kind kind = kind_;
    capacity_ = other.capacity_;
    kind_ = other.kind_;
    other.capacity_ = capacity;
    other.kind_ = kind;
  }
  // Of the budget are paged arrays, and parts, which are packed ones.
  enum class Kind : std::uint8_t { kHeap, kGrowing, kPacked, kMapped, kPart, kPaged };

  void replace(void* data, std::size_t bytes, Kind kind, std::size_t kept);
  void allocate(std::size_t bytes);
  void map(std::size_t bytes);
  void grow_within_budget(std::size_t bytes);
  void hold_within_budget(std::size_t bytes);
  void trim_paged(std::size_t bytes);
  void pack(std::size_t bytes);

  void* data_ = nullptr;
  MemoryBudget* budget_ = nullptr;  // none: as much as there is
  std::size_t capacity_ : 56 = 0;
  Kind kind_ : 8 = Kind::kHeap;
};
static_assert(sizeof(RowMemory) == 24);  // with many processes there are millions

/// An array of records as std::vector has it, for records that may be copied as bytes.
template <class T>
class Rows {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Rows() = default;
  /// `budget`: whose pages it takes; nullptr: as much memory as there is.
  explicit Rows(MemoryBudget* budget) : memory_(budget) {}
  Rows(Rows&& other) noexcept : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  Rows& operator=(Rows&& other) noexcept {
    memory_ = std::move(other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }

  MemoryBudget* budget() const { return memory_.budget(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return static_cast<T*>(memory_.data()); }
  const T* data() const { return static_cast<const T*>(memory_.data()); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }
  operator std::span<const T>() const { return {data(), size_}; }

  void push_back(const T& value) {
    const T copy = value;  // it may lie in this array
    if ((size_ + 1) * sizeof(T) > memory_.capacity()) [[unlikely]]
      memory_.grow((size_ + 1) * sizeof(T));
    data()[size_++] = copy;
  }
  T& emplace_back() {
    push_back(T{});
    return back();
  }
  void append(std::span<const T> values) {
    if (values.empty()) return;
    const std::size_t at = size_;
    make_room(size_ + values.size());
    std::memcpy(static_cast<void*>(data() + at), values.data(), values.size_bytes());
  }
  /// New records are as T{} has it.
  void resize(std::size_t size) {
    const std::size_t before = size_;
    make_room(size);
    for (std::size_t i = before; i < size; ++i) data()[i] = T{};
  }
  void clear() {
    memory_.release();
    size_ = 0;
  }
  void pop_back() { --size_; }
  /// No more records will come.
  void finish() { memory_.trim(size_ * sizeof(T)); }

 private:
  void make_room(std::size_t size) {
    if (size * sizeof(T) > memory_.capacity()) memory_.hold(size * sizeof(T));
    size_ = size;
  }

  RowMemory memory_;
  std::size_t size_ = 0;
};

/// `count` empty arrays.
template <class T>
std::vector<Rows<T>> rows_of(std::size_t count, MemoryBudget* budget) {
  std::vector<Rows<T>> all;
  all.reserve(count);
  while (all.size() < count) all.emplace_back(budget);
  return all;
}

}  // namespace tarry
