// write_causes.cpp -- the causes of waits become a table of the report.
#include "analysis/writing/write_causes.hpp"

#include "report/tables/wait_causes.hpp"
#include "report/metrics/wait_kinds.hpp"

namespace tarry {
namespace {

class CauseTableMaker {
 public:
  CauseTableMaker(const AnalysisResult& result, const std::vector<PathIndex>& position, const Definitions& definitions)
      : result_(result), position_(position), seconds_per_tick_(1 / definitions.clock.ticks_per_second) {
    for (const AnalysedThread& thread : result.results.threads) {
      if (thread.rank_index.value >= processes_.size()) processes_.resize(thread.rank_index.value + 1);
      processes_[thread.rank_index] = definitions.locations[thread.location.value].process.value;
    }
  }

  std::vector<WaitCauses> make() const {
    std::vector<WaitCauses> all;
    for (const WaitGroup& group : result_.causes.groups)
      all.push_back({.kind = info_of(cost_of(group.kind).all).unique_name,
                     .path = path(group.path),
                     .waiting = static_cast<double>(group.wait) * seconds_per_tick_,
                     .delays = {},
                     .passed_on = {}});
    std::vector<CauseSums> delays(all.size()), passed_on(all.size());
    for (const CauseRow& row : result_.causes.rows)
      (row.kind == CauseRow::Kind::kDelay ? delays : passed_on)[row.group].add(cause(row));
    for (std::size_t g = 0; g < all.size(); ++g) {
      all[g].delays = delays[g].take();
      all[g].passed_on = passed_on[g].take();
    }
    return all;
  }

 private:
  CallPathId path(PathIndex unified) const {
    return unified == kNoPath ? CallPathId() : CallPathId(position_[unified]);
  }

  CauseAtPath cause(const CauseRow& row) const {
    const Seconds direct = row.direct * seconds_per_tick_, indirect = row.indirect * seconds_per_tick_;
    return {.path = path(row.path),
            .direct = direct,
            .indirect = indirect,
            .threads = 1,
            .worst = {{processes_[row.rank], row.thread.value, direct + indirect}}};
  }

  const AnalysisResult& result_;
  const std::vector<PathIndex>& position_;
  const double seconds_per_tick_;
  Indexed<RankIndex, std::vector<std::uint32_t>> processes_;  // of the report
};

}  // namespace

void add_wait_causes(const AnalysisResult& result, const std::vector<PathIndex>& position,
                     const Definitions& definitions, Report& report) {
  if (result.causes.groups.empty()) return;
  add_causes(CauseTableMaker(result, position, definitions).make(), report.files);
}

}  // namespace tarry
