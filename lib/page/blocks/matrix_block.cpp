// matrix_block.cpp -- messages and bytes by sender and receiver.
#include "page/blocks/block_bytes.hpp"
#include "page/blocks/blocks.hpp"
#include "report/tables/message_matrix.hpp"

namespace tarry {

Result<BlockBytes> matrix_block(const ExploredRun& run) {
  TARRY_TRY_ASSIGN(matrix, read_matrix(run.source().files()));
  if (matrix.empty()) return BlockBytes();
  std::vector<std::uint32_t> senders, receivers;
  std::vector<double> messages, bytes;
  for (const MessageCount& count : matrix) {
    senders.push_back(count.sender);
    receivers.push_back(count.receiver);
    messages.push_back(static_cast<double>(count.messages));
    bytes.push_back(static_cast<double>(count.bytes));
  }
  BlockWriter out;
  out.u32(static_cast<std::uint32_t>(run.structure().processes.size()));
  out.u32(static_cast<std::uint32_t>(matrix.size()));
  out.u32s(senders);
  out.u32s(receivers);
  out.f64s(messages);
  out.f64s(bytes);
  return out.take();
}

}  // namespace tarry
