// run_writer.cpp -- the blocks of one run, in the page.
#include "page/runs/run_writer.hpp"

#include <future>

#include "base/text/format.hpp"
#include "base/tool/log.hpp"
#include "page/blocks/blocks.hpp"
#include "page/blocks/findings_blocks.hpp"
#include "page/blocks/kept_locations.hpp"
#include "page/pack.hpp"
#include "page/blocks/timeline_blocks.hpp"
#include "page/blocks/what_if_block.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostPackedBytes = 20'000'000;  // of a run that goes in whole
constexpr std::size_t kKeptBytes = 24'000'000;        // of single values of a run that does not, before packing

class RunWriter {
 public:
  RunWriter(PageWriter& page, ExploredRun& run, std::size_t number, const std::vector<std::string>& source_path,
            const TraceRequest& traced)
      : page_(page),
        run_(run),
        request_(traced),
        prefix_("r" + std::to_string(number) + "."),
        source_path_(source_path) {}

  Result<RunBlocks> write() {
    TARRY_TRY(add("structure", structure_block(run_)));
    TARRY_TRY(add("totals", totals_block(run_)));
    TARRY_TRY_ASSIGN(matrix, matrix_block(run_));
    TARRY_TRY(add("matrix", matrix));
    TARRY_TRY(add("sources", sources_block(run_, source_path_)));
    if (!run_.report().empty()) TARRY_TRY(add_findings());
    if (const auto packed = pack_values()) TARRY_TRY(add_values(*packed));
    else TARRY_TRY(add_kept());
    TARRY_TRY(add_traced());
    return std::move(blocks_);
  }

 private:
  // A trace that cannot be read makes no page useless.
  Status add_traced() {
    if (run_.trace().empty() || !request_.wants_trace()) return {};
    const auto traced = TracedRun::read(run_, request_);
    if (!traced.ok()) log_warning("the page has no timeline and no predictions: " + traced.error().text());
    if (!traced.ok() || !traced.value()) return {};
    blocks_.has_short_trace = are_predictions_quick(*traced.value());
    blocks_.notes = traced.value()->notes(run_.input());
    if (!request_.what_ifs && !blocks_.has_short_trace)
      blocks_.notes.push_back("The trace is long: predictions were left out. 'tarry explore --what-if 2' makes some.");
    return add_analysed(*traced.value());
  }

  // A simulation has one thread; the timeline is made at the same time.
  Status add_analysed(TracedRun& traced) {
    const auto policy =
        traced.trace().workers() > 1 ? std::launch::async | std::launch::deferred : std::launch::deferred;
    AnalysisResult& result = traced.analysis().result;
    const TimelineFacts facts{std::move(result.instances), std::move(result.stretches)};
    // One after the other: they use the same memory.
    std::future<std::string> simulated = std::async(policy, [&]() -> std::string {
      if (blocks_.has_short_trace) blocks_.efficiency = efficiency_run_of(traced.trace(), run_.trace());
      const bool wants_what_ifs = request_.what_ifs ? *request_.what_ifs > 0 : blocks_.has_short_trace;
      return wants_what_ifs ? what_if_block(traced, request_) : "";
    });
    if (request_.wants_timeline) {
      TARRY_TRY_ASSIGN(block, write_timeline(page_, run_, traced, facts, prefix_, request_));
      if (!block.empty()) blocks_.named.emplace_back("timeline", block);
    }
    return add("what_if", simulated.get());
  }

  // Nothing if it is empty.
  template <class Bytes>
  Status add(const std::string& what, const Bytes& bytes) {
    if (bytes.empty()) return {};
    blocks_.named.emplace_back(what, prefix_ + what);
    return page_.add(prefix_ + what, bytes);
  }

  Status add_findings() {
    const FindingsBlocks findings = findings_blocks(run_);
    TARRY_TRY(add("findings", findings.findings));
    TARRY_TRY(add("overheads", findings.overheads));
    return add("iterations", findings.iterations);
  }

  // By metric, packed; nothing if they are too many.
  std::optional<std::vector<BlockBytes>> pack_values() {
    std::vector<BlockBytes> packed;
    std::size_t bytes = 0;
    for (std::uint32_t metric = 0; metric < run_.metrics().size(); ++metric) {
      const ValueLimits limits{kMostPackedBytes - bytes, nullptr};
      const auto block = values_block(run_, metric, limits);
      if (!block) return std::nullopt;
      packed.push_back(block->empty() ? BlockBytes() : pack(*block));
      bytes += packed.back().size();
      if (bytes >= kMostPackedBytes) return std::nullopt;
    }
    return packed;
  }

  Status add_values(const std::vector<BlockBytes>& packed) {
    for (std::size_t metric = 0; metric < packed.size(); ++metric) {
      blocks_.values.push_back(packed[metric].empty() ? "" : prefix_ + "v" + std::to_string(metric));
      if (!packed[metric].empty()) TARRY_TRY(page_.add_packed(blocks_.values.back(), packed[metric]));
    }
    return {};
  }

  Status add_kept() {
    KeptBlocks& kept = blocks_.kept.emplace();
    kept.locations = choose_locations(run_, kKeptBytes);
    kept.reason = "The values of all " + format_count(run_.structure().locations.size(), "thread") +
                  " are too many for a page. It has single values of " + format_count(kept.locations.size(), "thread") +
                  ": those with the most of a metric, and those farthest from its median.";
    const LocationGroups groups = group_locations(run_.structure());
    kept.groups = groups.what;
    const ValueLimits limits{0, &kept.locations};
    for (std::uint32_t metric = 0; metric < run_.metrics().size(); ++metric) {
      TARRY_TRY(add_numbered(blocks_.values, "v", metric, *values_block(run_, metric, limits)));
      TARRY_TRY(add_numbered(kept.spread, "d", metric, spread_block(run_, metric, groups)));
    }
    return {};
  }

  Status add_numbered(std::vector<std::string>& names, const char* what, std::uint32_t metric,
                      const BlockBytes& bytes) {
    names.push_back(bytes.empty() ? "" : prefix_ + what + std::to_string(metric));
    return bytes.empty() ? Status() : page_.add(names.back(), bytes);
  }

  PageWriter& page_;
  ExploredRun& run_;
  const TraceRequest& request_;
  std::string prefix_;
  const std::vector<std::string>& source_path_;
  RunBlocks blocks_;
};

}  // namespace

Result<RunBlocks> write_run(PageWriter& page, ExploredRun& run, std::size_t number,
                            const std::vector<std::string>& source_path, const TraceRequest& traced) {
  return RunWriter(page, run, number, source_path, traced).write();
}

}  // namespace tarry
