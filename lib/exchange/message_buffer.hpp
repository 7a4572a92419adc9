// message_buffer.hpp -- what analysis processes send one another: plain structures, written and read in the same order.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "base/arrays/rows.hpp"

namespace tarry {

/// Bytes on their way to another analysis process (same program, same machine type): plain structures, copied.
class MessageBuffer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof value);
  }
  /// `values`: a std::vector or Rows.
  template <class Values>
  void put_all(const Values& values) {
    static_assert(std::is_trivially_copyable_v<std::remove_cvref_t<decltype(*values.data())>>);
    put<std::uint64_t>(values.size());
    append(values.data(), values.size() * sizeof(*values.data()));
  }
  void put_text(const std::string& text) {
    put<std::uint64_t>(text.size());
    append(text.data(), text.size());
  }

  template <class T>
  T get() {
    T value;
    take(&value, sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> get_all() {
    std::vector<T> values(get<std::uint64_t>());
    take(values.data(), values.size() * sizeof(T));
    return values;
  }
  template <class T>
  Rows<T> get_rows(MemoryBudget* budget = nullptr) {
    Rows<T> rows(budget);
    rows.resize(get<std::uint64_t>());
    take(rows.data(), rows.size() * sizeof(T));
    return rows;
  }
  std::string get_text() {
    std::string text(get<std::uint64_t>(), '\0');
    take(text.data(), text.size());
    return text;
  }

  bool is_read() const { return at_ == bytes_.size(); }
  std::vector<std::uint8_t>& bytes() { return bytes_; }

 private:
  void append(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  void take(void* data, std::size_t size) {
    if (size) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }

  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace tarry
