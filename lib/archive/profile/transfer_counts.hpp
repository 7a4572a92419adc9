// transfer_counts.hpp -- what a call path sends and receives (messages, collective operations, one-sided, files), and
// what it takes to hand work to threads.
//
// A summary counts what a trace of the same run would record. So its counts are those of replay
// (docs/METRICS.md, "Counts and bytes").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tarry {

/// In the order in which profiles hold them (docs/FORMAT.md, "Profiles"): the last ones may grow.
enum class Transfer : std::uint8_t {
  kEmptySends,  // messages without payload
  kSends,
  kEmptyReceives,
  kReceives,
  kEmptyCollectives,  // operations by what this process does: without payload, ...
  kExchanges,         // sends and receives
  kSources,           // only sends
  kDestinations,      // only receives
  kBytesSent,         // in messages
  kBytesReceived,
  kBytesOut,  // in collective operations
  kBytesIn,
  kBytesPut,  // in one-sided operations
  kBytesGot,
  kBytesRead,  // from files
  kBytesWritten,
  kForkTime,        // ticks from the fork of a team to this parallel region, part of its time
  kJoinTime,        // ticks from there to the join, the same
  kFileOperations,  // reads and writes
  kBlockedTime,     // ticks without a processor, part of the own time
};
inline constexpr std::size_t kTransferCount = static_cast<std::size_t>(Transfer::kBlockedTime) + 1;

class TransferCounts {
 public:
  std::uint64_t& operator[](Transfer what) { return counts_[static_cast<std::size_t>(what)]; }
  std::uint64_t operator[](Transfer what) const { return counts_[static_cast<std::size_t>(what)]; }

  void operator+=(const TransferCounts& other) {
    for (std::size_t i = 0; i < kTransferCount; ++i) counts_[i] += other.counts_[i];
  }

  bool operator==(const TransferCounts&) const = default;

  void count_message(Transfer empty, Transfer full, Transfer sum, std::uint64_t bytes) {
    ++(*this)[bytes > 0 ? full : empty];
    (*this)[sum] += bytes;
  }

  void count_collective(std::uint64_t sent, std::uint64_t received) {
    using enum Transfer;
    ++(*this)[sent > 0 ? (received > 0 ? kExchanges : kSources) : received > 0 ? kDestinations : kEmptyCollectives];
    (*this)[kBytesOut] += sent;
    (*this)[kBytesIn] += received;
  }

  void count_file_operation(bool is_write, std::uint64_t bytes) {
    (*this)[is_write ? Transfer::kBytesWritten : Transfer::kBytesRead] += bytes;
    ++(*this)[Transfer::kFileOperations];
  }

  /// All bytes together.
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (std::size_t i = static_cast<std::size_t>(Transfer::kBytesSent);
         i <= static_cast<std::size_t>(Transfer::kBytesWritten); ++i)
      sum += counts_[i];
    return sum;
  }

 private:
  std::array<std::uint64_t, kTransferCount> counts_{};
};

}  // namespace tarry
