// message_matrix.cpp -- the message matrix, to bytes and back.
#include "report/tables/message_matrix.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/bytes/bytes.hpp"
#include "base/arrays/sum_equal.hpp"
#include "report/tables/file_end.hpp"

namespace tarry {
namespace {

constexpr char kFileName[] = "messages.matrix";
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kMostPairs = std::size_t{1} << 22, kLeastReceivers = 4;

auto pair_of(const MessageCount& count) { return std::pair(count.sender, count.receiver); }

bool is_larger(const MessageCount& left, const MessageCount& right) {
  return std::tie(right.bytes, right.messages, left.receiver) < std::tie(left.bytes, left.messages, right.receiver);
}

void merge_pairs(std::vector<MessageCount>& counts) {
  sum_equal(counts, pair_of, [](MessageCount& sum, const MessageCount& count) {
    sum.messages += count.messages;
    sum.bytes += count.bytes;
  });
}

}  // namespace

std::size_t kept_receivers(std::size_t processes) {
  return std::max(kLeastReceivers, kMostPairs / std::max<std::size_t>(1, processes));
}

MessageMatrix sum_messages(std::vector<MessageCount> of_sender, std::size_t most) {
  merge_pairs(of_sender);
  if (of_sender.size() <= most) return of_sender;
  std::ranges::sort(of_sender, is_larger);
  for (std::size_t i = most; i < of_sender.size(); ++i) of_sender[i].receiver = MessageCount::kOthers;
  merge_pairs(of_sender);
  return of_sender;
}

void add_matrix(const MessageMatrix& matrix, std::vector<ReportFile>& files) {
  if (matrix.empty()) return;
  ByteWriter out;
  out.varint(kVersion);
  for (const MessageCount& count : matrix) {
    out.varint(count.sender);
    out.varint(std::uint32_t(count.receiver + 1));  // 0: others
    out.varint(count.messages);
    out.varint(count.bytes);
  }
  files.push_back({kFileName, out.bytes()});
}

Result<MessageMatrix> read_matrix(const std::vector<ReportFile>& files) {
  const auto file = std::ranges::find(files, kFileName, &ReportFile::name);
  if (file == files.end()) return MessageMatrix();
  ByteReader in(file->bytes);
  if (in.varint() != kVersion)
    return Error{kFileName, "has a form that this version does not know", "use the version that wrote the report"};
  MessageMatrix matrix;
  while (!is_at_end(in, *file)) {
    const std::uint32_t sender = in.varint32(), receiver = in.varint32() - 1;
    const std::uint64_t messages = in.varint();
    matrix.push_back({sender, receiver, messages, in.varint()});
  }
  if (in.failed() || !std::ranges::is_sorted(matrix, {}, pair_of)) return Error{kFileName, "is malformed", ""};
  return matrix;
}

}  // namespace tarry
