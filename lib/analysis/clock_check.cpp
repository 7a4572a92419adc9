// clock_check.cpp -- does a trace need 'tarry sync' before it is analysed?
#include "analysis/clock_check.hpp"

#include <algorithm>

#include "archive/archive.hpp"
#include "archive/files/manifest.hpp"
#include "archive/files/names.hpp"
#include "base/text/format.hpp"

namespace tarry {
namespace {

// Receives whose call had ended before the message was sent. That is less than 'tarry sync --check' counts, but costs
// nothing.
std::uint64_t count_early_receives(const Trace& trace) {
  Indexed<RankIndex, std::vector<std::uint64_t>> early(trace.ranks().size(), 0);
  trace.for_each_hosted([&](RankIndex r) {
    const LogicalRank& rank = trace.ranks()[r];
    for (const Receive& receive : rank.receives)
      if (receive.is_matched())
        early[r] += trace.ranks()[rank.sender_of(receive)].sends[receive.send].time > rank.calls[receive.call].leave();
  });
  std::uint64_t own = 0, all = 0;
  for (const std::uint64_t count : early) own += count;
  MessageBuffer buffer;
  buffer.put(own);
  for (MessageBuffer& arrived : trace.exchange().gather(std::move(buffer))) all += arrived.get<std::uint64_t>();
  return all;
}

bool has_unsynchronised_clocks(const std::string& archive) {
  const auto manifest = read_manifest(archive);
  if (!manifest.ok() || manifest.value().clock_domains < 2) return false;
  const auto& stages = manifest.value().stages;
  return std::none_of(stages.begin(), stages.end(),
                      [](const StageEntry& stage) { return stage.stage == names::kSyncStage; });
}

}  // namespace

std::string clock_warning(const Trace& trace, const std::string& input) {
  const std::uint64_t early = count_early_receives(trace);
  const std::string way_out = is_archive(input) ? "run 'tarry sync " + input + "' first"
                                                : "import and correct it with 'tarry sync " + input + " -o ARCHIVE'";
  if (early > 0)
    return input + ": " + format_count(early, "message") +
           " received before being sent: its clocks do not agree, and wait states "
           "may be fiction (" +
           way_out + ")";
  if (is_archive(input) && has_unsynchronised_clocks(input))
    return input + ": was recorded with several clocks, which have not been compared (" + way_out + ")";
  return {};
}

}  // namespace tarry
