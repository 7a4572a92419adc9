// left_out.cpp -- which functions of MPI are not recorded.
#include "measure/mpi/left_out.hpp"

#include <string>
#include <string_view>

#include "defs/region_filter.hpp"
#include "defs/unify.hpp"
#include "measure/callpath/function_regions.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/settings.hpp"

namespace tarry::measure {
namespace {

MpiEventGroup group_of(RegionRole role) {
  switch (role) {
    case RegionRole::kPointToPoint: return kMpiPointToPointEvents;
    case RegionRole::kBarrier:
    case RegionRole::kOneToAll:
    case RegionRole::kAllToOne:
    case RegionRole::kAllToAll:
    case RegionRole::kOtherCollective: return kMpiCollectiveEvents;
    case RegionRole::kRma:
    case RegionRole::kAtomic: return kMpiOneSidedEvents;
    case RegionRole::kFileIo:
    case RegionRole::kFileIoMetadata: return kMpiFileEvents;
    default: return kMpiOtherEvents;
  }
}

// "MPI_Barrier MPI_I*": what the filter names of MPI.
std::string excluded_patterns() {
  std::string text;
  for (const RegionFilter::Rule& rule : region_filter().rules())
    if (!rule.includes && rule.subject == RegionFilter::Subject::kName && rule.pattern.starts_with(kMpiRulePrefix))
      text += (text.empty() ? "" : " ") + rule.pattern;
  return text;
}

// "mpi:p2p mpi:coll".
std::string groups_left_out() {
  std::string text;
  for (const auto& [name, group] : kMpiEventGroups)
    if (!(settings().mpi_events & group)) text.append(text.empty() ? "mpi:" : " mpi:").append(name);
  return text;
}

std::string what_is_left_out() {
  const std::string patterns = excluded_patterns(), groups = groups_left_out();
  if (groups.empty() || patterns.empty()) return patterns + groups;
  return patterns + ' ' + groups;
}

void note_once() {
  static bool is_noted = false;
  if (is_noted) return;
  is_noted = true;
  definitions().add_property(kLeftOutKey, what_is_left_out());
}

}  // namespace

bool is_left_out(const MpiFunctionInfo& function) {
  if (!function.may_be_left_out) return false;
  const bool is_excluded = !(settings().mpi_events & group_of(function.role)) ||
                           !region_filter().includes_call(function.name, kMpiRulePrefix);
  if (is_excluded) note_once();
  return is_excluded;
}

}  // namespace tarry::measure
