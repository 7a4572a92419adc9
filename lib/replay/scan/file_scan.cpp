// file_scan.cpp -- records of files: what they cost in time, and what operations read and write.
#include "replay/scan/file_scan.hpp"

#include <algorithm>

namespace tarry {
namespace {

constexpr std::uint8_t kReads = 0, kWrites = 1, kIsPart = 0xff;  // modes of operations; the last one is none of OTF2's

std::uint64_t key_of_operation(IoHandleId file, std::uint64_t matching) { return mix_bits(file.value) ^ matching; }

}  // namespace

void FileScan::spend(Ticks time, IoHandleId file) {
  if (thread_.open.is_empty() || thread_.is_off()) return;
  count_of(file).time += thread_.logical.counted(std::max(thread_.open.innermost().enter, last_record_), time);
  last_record_ = time;
}

void FileScan::open(Ticks time, const record::IoCreateHandle& open) {
  if (!thread_.open.is_empty() && !thread_.is_off()) count_of(open.handle).opens += thread_.logical.counts(time);
  spend(time, open.handle);
}

// A trace may hold the layers of an operation: a read of MPI, and inside it one of the system from the same file.
bool FileScan::is_part_of_operation(IoHandleId file) const {
  const std::vector<IoHandle>& files = thread_.process.source.definitions().io_handles;
  return std::ranges::any_of(open_, [&](const OpenOperation& open) {
    return open.depth < thread_.open.depth() && open.file != file && std::max(open.file, file).value < files.size() &&
           files[open.file.value].name == files[file.value].name;
  });
}

// One that blocks ends with its call at the latest, whatever became of it.
void FileScan::keep_open(IoHandleId file, std::uint64_t matching) {
  constexpr std::size_t kMostLayers = 8;
  if (thread_.open.is_empty() || open_.size() == kMostLayers) return;
  open_.push_back({file, matching, thread_.open.depth(), thread_.open.innermost().enter});
}

void FileScan::begin(Ticks time, const record::IoOperationBegin& begin) {
  spend(time, begin.handle);
  std::erase_if(open_, [this](const OpenOperation& open) {
    return open.depth > thread_.open.depth() || thread_.open[open.depth - 1].enter != open.enter;
  });
  thread_.process.file_operations.insert(key_of_operation(begin.handle, begin.matching)) =
      is_part_of_operation(begin.handle) ? kIsPart : static_cast<std::uint8_t>(begin.mode);
  constexpr std::uint64_t kNonBlocking = 1;
  if (!(begin.flags & kNonBlocking)) keep_open(begin.handle, begin.matching);
}

// Reads and writes count where they complete.
void FileScan::complete(Ticks time, const record::IoOperationComplete& end) {
  spend(time, end.handle);
  std::erase_if(open_,
                [&end](const OpenOperation& open) { return open.file == end.handle && open.matching == end.matching; });
  const std::uint64_t key = key_of_operation(end.handle, end.matching);
  const std::uint8_t* const begun = thread_.process.file_operations.find(key);
  if (!begun) return;
  const std::uint8_t mode = *begun;
  thread_.process.file_operations.erase(key);
  if (mode > kWrites || thread_.open.is_empty() || !thread_.logical.counts(time)) return;
  const PathIndex path = thread_.open.path();
  std::vector<FileCounts>& files = thread_.logical.files;
  if (path >= files.size()) files.resize(path + 1);
  const Bytes bytes = end.bytes == kNoField ? 0 : end.bytes;  // it has failed
  count_of(end.handle).add_operation(mode == kWrites, bytes);
  FileCounts& counts = files[path];
  (mode == kReads ? counts.read : counts.written) += bytes;
  ++counts.operations;
}

}  // namespace tarry
