// unreceived.cpp -- tells messages without a receiver from what is missing.
#include "unreceived.hpp"

#include "archive/archive.hpp"
#include "archive/files/manifest.hpp"
#include "base/text/format.hpp"

namespace tarry {

std::string unreceived_messages(const std::string& archive, const FaultLog& faults) {
  const std::uint64_t count = faults.count(Fault::kUnmatchedSend);
  if (count == 0 || count != faults.total() || !is_archive(archive)) return "";
  auto manifest = read_manifest(archive);
  if (!manifest.ok() || !manifest->is_complete) return "";
  const FaultLog::Place first = faults.places().front();
  return format_count(count, "message is", "messages are") + " sent and never received (first: " + first.location +
         ", " + first.detail + ")";
}

}  // namespace tarry
