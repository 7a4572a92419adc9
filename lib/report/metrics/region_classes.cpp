// region_classes.cpp -- which regions a filter may drop without losing what MPI and OpenMP do.
#include "report/metrics/region_classes.hpp"

#include "base/text/text.hpp"

namespace tarry {
namespace {

RegionGroup own_class(const ReportRegion& region) {
  if (region.paradigm == "mpi") return RegionGroup::kMpi;
  if (region.paradigm == "shmem") return RegionGroup::kShmem;
  if (region.paradigm == "openmp") return RegionGroup::kOpenMp;
  if (region.paradigm == "pthread") return RegionGroup::kThread;
  return RegionGroup::kUser;
}

}  // namespace

std::string_view name_of(RegionGroup kind) {
  static constexpr std::string_view kNames[kRegionGroups] = {"MPI", "SHM", "OMP", "THR", "COM", "USR"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<RegionGroup> classify_regions(const ReportStructure& report) {
  std::vector<RegionGroup> classes;
  for (const ReportRegion& region : report.regions) classes.push_back(own_class(region));
  std::vector<bool> leads_there(report.call_paths.size());
  for (std::size_t path = report.call_paths.size(); path-- > 0;) {
    const ReportCallPath& facts = report.call_paths[path];
    RegionGroup& own = classes[facts.region];
    if (own != RegionGroup::kUser && own != RegionGroup::kCom) leads_there[path] = true;
    else if (leads_there[path]) own = RegionGroup::kCom;
    if (leads_there[path] && facts.parent.value < path) leads_there[facts.parent.value] = true;
  }
  return classes;
}

std::vector<bool> filterable_regions(const ReportStructure& report) {
  std::vector<bool> is_filterable;
  for (const ReportRegion& region : report.regions)
    is_filterable.push_back(is_one_of(region.paradigm, {"compiler", "user", "unknown"}));
  for (std::uint32_t path = 0; path < report.call_paths.size(); ++path)
    if (report.call_paths[path].parent.value >= path) is_filterable[report.call_paths[path].region] = false;
  return is_filterable;
}

}  // namespace tarry
