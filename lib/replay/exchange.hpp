// exchange.hpp -- how analysis processes talk: a few large collective transfers per pass, never one message per event.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/rows.hpp"

namespace tarry {

/// Bytes on their way to another analysis process (same program, same machine type): plain structures, copied.
class Parcel {
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
  Rows<T> get_rows() {
    Rows<T> rows;
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

/// The group of analysis processes. Without a launcher it is this process alone, and MPI is never started.
class Exchange {
 public:
  /// Starts MPI if this process was launched by mpirun or srun.
  Exchange(int* argc, char*** argv);
  ~Exchange();
  Exchange(const Exchange&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// parcels[p] goes to process p; returns what came from each. Collective. Sizes above 2 GiB are sent in pieces.
  std::vector<Parcel> all_to_all(std::vector<Parcel> parcels);

  /// All parcels arrive at process 0 (in order of rank); elsewhere the result is empty. Collective.
  std::vector<Parcel> gather(Parcel parcel);

  /// Bytes for one process, of any size; arrive in the order in which they were sent. Not counted as messages of a
  /// pass.
  void send(int to, std::span<const std::uint8_t> bytes);
  std::vector<std::uint8_t> receive(int from);

  /// True if `own` is true at all processes. Collective.
  bool all_of(bool own);

  /// The same value at all processes: process 0's. Collective.
  std::uint64_t broadcast(std::uint64_t value);

  /// Point-to-point messages between analysis processes so far, over all of them (an all_to_all counts each non-empty
  /// parcel that crosses a process boundary). Collective.
  std::uint64_t total_messages();

 private:
  int rank_ = 0;
  int size_ = 1;
  bool uses_mpi_ = false;
  std::uint64_t messages_ = 0;
};

}  // namespace tarry
