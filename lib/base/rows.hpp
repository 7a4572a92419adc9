// rows.hpp -- large arrays of plain records that grow without copying, and may lie in a file when memory is short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// Memory of one array. While it grows, it lies in a block that was another's before; when it is complete, it is copied
/// to the other complete ones, side by side. Large ones are mapped and grow by moving their pages, not their bytes. All
/// on huge pages where the system has them: to get memory page by page takes a tenth of the time of an analysis.
class RowMemory {
 public:
  RowMemory() = default;
  RowMemory(RowMemory&& other) noexcept { swap(other); }
  RowMemory& operator=(RowMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~RowMemory() { release(); }

  void* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }  // bytes

  /// Makes room for at least `bytes` bytes, and for more to come; what is there stays. Ends the program with a message
  /// if there is no memory.
  void grow(std::size_t bytes);

  /// The same for an array whose size is known.
  void hold(std::size_t bytes);

  /// The array is complete: gives back what lies behind the first `bytes` bytes.
  void trim(std::size_t bytes);

  void release();

  /// From now on complete and large arrays lie in unlinked files in `folder`, and pages that were not used for long are
  /// taken out of memory whenever the process holds more than `bytes`. To be called once, before the first array.
  static Status keep_below(std::uint64_t bytes, const std::string& folder);

 private:
  void swap(RowMemory& other) {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    std::swap(file_, other.file_);
    std::swap(kind_, other.kind_);
  }
  enum class Kind : std::uint8_t { kHeap, kGrowing, kPacked, kMapped };

  void replace(void* data, std::size_t bytes, Kind kind, std::size_t kept);
  void map(std::size_t bytes);
  void map_file(int file);

  void* data_ = nullptr;
  std::size_t capacity_ = 0;
  int file_ = -1;
  Kind kind_ = Kind::kHeap;
};

/// An array of records as std::vector has it, for records that may be copied as bytes.
template <class T>
class Rows {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Rows() = default;
  Rows(Rows&& other) noexcept : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  Rows& operator=(Rows&& other) noexcept {
    memory_ = std::move(other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }

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
    if ((size_ + 1) * sizeof(T) > memory_.capacity()) [[unlikely]] memory_.grow((size_ + 1) * sizeof(T));
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

}  // namespace tarry
