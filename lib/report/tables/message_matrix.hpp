// message_matrix.hpp -- messages and bytes by sender and receiver, as an extra file of a report
// (docs/CUBEX.md, "Message matrix").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// Messages from one process to another, both by their ranks in the report.
struct MessageCount {
  static constexpr std::uint32_t kOthers = 0xffffffffu;  // as receiver: those that are not told apart

  std::uint32_t sender = 0;
  std::uint32_t receiver = 0;
  std::uint64_t messages = 0;
  Bytes bytes = 0;

  bool operator==(const MessageCount&) const = default;
};

/// Sorted by sender and receiver; each pair once.
using MessageMatrix = std::vector<MessageCount>;

/// How many receivers of each process a matrix of so many processes keeps: some four million pairs in all.
std::size_t kept_receivers(std::size_t processes);

/// The counts of one sender: those of a pair become one. Beyond `most`, those with the fewest bytes are counted as
/// kOthers.
MessageMatrix sum_messages(std::vector<MessageCount> of_sender, std::size_t most);

/// Adds the matrix to a report; nothing if it is empty.
void add_matrix(const MessageMatrix& matrix, std::vector<ReportFile>& files);

/// The matrix of a report; empty if it has none.
Result<MessageMatrix> read_matrix(const std::vector<ReportFile>& files);

}  // namespace tarry
