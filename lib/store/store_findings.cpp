// store_findings.cpp -- what a run means, as rows of the store.
#include "store/store_findings.hpp"

#include <algorithm>

#include "efficiency/efficiencies.hpp"
#include "efficiency/efficiency_table.hpp"
#include "findings/findings.hpp"
#include "findings/overheads/overheads.hpp"
#include "efficiency/reported_run_times.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostFindings = 20;
constexpr std::size_t kMostRegions = 100;
constexpr double kLeastShare = 1e-4;  // of the allocation time, for overheads of a region

class FindingsWriter {
 public:
  FindingsWriter(Database& database, std::int64_t experiment, const Report& report,
                 const std::optional<double>& transfer)
      : database_(database), experiment_(experiment), report_(report), transfer_(transfer) {}

  Status write() {
    TARRY_TRY(write_findings());
    TARRY_TRY(write_overheads());
    return write_efficiencies();
  }

 private:
  Status write_findings() {
    const auto found = find_findings(report_, kMostFindings);
    if (!found.ok()) return {};
    const Findings& findings = found.value();
    double allocation = 0;
    for (const PathFinding& path : findings.paths) allocation += path.seconds;
    allocation = std::max(allocation, findings.wall * static_cast<double>(findings.locations));
    TARRY_TRY_ASSIGN(rows, database_.insert_into("finding",
                                                 "experiment, position, kind, metric, name, node, seconds, "
                                                 "fraction, worst_rank"));
    std::size_t position = 0;
    const auto add = [&](const char* kind, const std::string& metric, const std::string& name, CallPathId path,
                         double seconds, const RankTime& worst) -> Status {
      const double fraction = allocation > 0 ? seconds / allocation : 0;
      const std::string kept_metric = sql_text(metric), kept_name = sql_text(name);
      return rows->add({experiment_, position++, kind, kept_metric, kept_name, path.value, seconds, fraction,
                        static_cast<std::int64_t>(worst.rank.value)});
    };
    for (const WaitFinding& wait : findings.waits)
      TARRY_TRY(add("wait", wait.metric, wait.name, wait.call_path, wait.seconds, wait.worst));
    for (const PathFinding& path : findings.paths)
      TARRY_TRY(add("callpath", "time", "", path.call_path, path.seconds, path.worst));
    return rows->finish();
  }

  Status write_overheads() {
    const auto grid = time_grid_of({&report_});
    if (!grid.ok()) return {};
    const auto found = find_overheads(report_, {}, grid.value());
    if (!found.ok()) return {};
    const Overheads& overheads = found.value();
    TARRY_TRY_ASSIGN(rows, database_.insert_into("overhead", "experiment, position, class, region, seconds"));
    std::size_t position = 0;
    for (const OverheadInfo& info : overhead_classes())
      if (overheads.all[info.overhead] != 0)
        TARRY_TRY(rows->add({experiment_, position++, info.mnemonic, SqlParam(), overheads.all[info.overhead]}));
    for (std::size_t i = 0; i < std::min(overheads.regions.size(), kMostRegions); ++i) {
      const RegionOverheads& region = overheads.regions[i];
      const std::string name = sql_text(region.name);
      for (const OverheadInfo& info : overhead_classes())
        if (is_leaf(info.overhead) && region.times[info.overhead] > kLeastShare * overheads.allocation)
          TARRY_TRY(rows->add({experiment_, position++, info.mnemonic, name, region.times[info.overhead]}));
    }
    return rows->finish();
  }

  Status write_efficiencies() {
    auto reported = reported_run_times(report_, "the report", {});
    if (!reported.ok()) return {};
    RunTimes& times = reported.value();
    if (transfer_) times.ideal = times.runtime * *transfer_;
    const Efficiencies efficiencies = efficiencies_of(times, times, Scaling::kStrong);
    TARRY_TRY_ASSIGN(rows, database_.insert_into("efficiency", "experiment, model, name, value"));
    for (const EfficiencyInfo& info : efficiency_table())
      if (const std::optional<double>& value = efficiencies[info.id])
        TARRY_TRY(rows->add({experiment_, name_of(info.model), info.key, *value}));
    return rows->finish();
  }

  Database& database_;
  std::int64_t experiment_;
  const Report& report_;
  std::optional<double> transfer_;
};

}  // namespace

Status store_findings(Database& database, std::int64_t experiment, const CubeSource& report,
                      const std::optional<double>& transfer) {
  const Report loaded = load_report(report);
  return FindingsWriter(database, experiment, loaded, transfer).write();
}

}  // namespace tarry
