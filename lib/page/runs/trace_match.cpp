// trace_match.cpp -- call paths, metrics and threads of a trace as the page numbers those of a report.
#include "page/runs/trace_match.hpp"

#include <map>
#include <string>
#include <tuple>

#include "report/algebra/redacted_cube.hpp"
#include "report/tree/structure_of.hpp"

namespace tarry {
namespace {

using PathKey = std::tuple<std::uint32_t, std::string, std::int64_t>;  // parent, region, line

std::map<PathKey, std::uint32_t> paths_of_page(const ExploredRun& run, bool is_redacted) {
  std::map<PathKey, std::uint32_t> known;
  const ReportStructure& structure = run.structure();
  for (std::uint32_t path = 0; path < run.paths().size(); ++path) {
    const ReportCallPath& facts = structure.call_paths[run.paths()[path]];
    const std::uint32_t parent = facts.parent.is_valid() ? run.page_paths()[facts.parent.value] : kNotOnPage;
    const std::string& name = structure.regions[facts.region].name;
    known.emplace(PathKey(parent, is_redacted ? without_folders(name) : name, facts.line), path);
  }
  return known;
}

}  // namespace

std::vector<std::uint32_t> match_paths(const ExploredRun& run, const Definitions& definitions,
                                       const RegionTable& regions, const CallTree& tree, bool is_redacted) {
  const std::map<PathKey, std::uint32_t> known = paths_of_page(run, is_redacted);
  std::vector<std::uint32_t> matches;
  for (PathIndex path = 0; path < tree.size(); ++path) {
    const RegionId region = tree[path].region, base = regions.region(region).base;
    ReportCallPath site;
    if (base.is_valid()) set_call_site(definitions, regions.region(region), site);
    const std::string& name = regions.name(base.is_valid() ? base : region);
    const std::uint32_t parent = tree[path].parent == kNoPath ? kNotOnPage : matches[tree[path].parent];
    const auto found = known.find(PathKey(parent, is_redacted ? without_folders(name) : name, site.line));
    matches.push_back(found == known.end() ? parent : found->second);
  }
  return matches;
}

bool has_queues(const ReportStructure& structure) { return structure.thread_count() < structure.locations.size(); }

std::vector<std::uint32_t> match_locations(const ReportStructure& structure, const Definitions& definitions) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> known;
  for (std::uint32_t i = 0; i < structure.locations.size(); ++i) {
    const ReportLocation& location = structure.locations[i];
    known.emplace(std::pair(structure.processes[location.process].rank, location.rank), i);
  }
  std::vector<std::uint32_t> matches;
  for (const Location& location : definitions.locations) {
    const bool is_queue = location.kind == LocationKind::kQueue && has_queues(structure);
    if (!location.is_thread() && !is_queue) continue;
    const std::int64_t rank = definitions.processes[location.process.value].rank;
    const auto found = known.find({rank, static_cast<std::int64_t>(location.thread)});
    matches.push_back(found == known.end() ? kNotOnPage : found->second);
  }
  return matches;
}

std::uint32_t match_metric(const ExploredRun& run, Metric metric) {
  for (; metric != Metric::kNone; metric = info_of(metric).parent)
    for (std::uint32_t i = 0; i < run.metrics().size(); ++i)
      if (run.structure().metrics[run.metrics()[i].id.value].unique_name == info_of(metric).unique_name) return i;
  return 0;
}

}  // namespace tarry
