// region_classes.hpp -- regions by what a filter may do to them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "report/tree/report.hpp"

namespace tarry {

enum class RegionGroup : std::uint8_t {
  kMpi,     // MPI calls
  kShmem,   // OpenSHMEM calls
  kOpenMp,  // OpenMP regions and calls
  kThread,  // POSIX threads
  kCom,     // user functions on a path to one of those
  kUser,    // user functions that never get there
  kCount,
};

inline constexpr std::size_t kRegionGroups = static_cast<std::size_t>(RegionGroup::kCount);

/// "MPI", "SHM", "OMP", "THR", "COM", "USR".
std::string_view name_of(RegionGroup kind);

/// Classes of all regions of a report.
std::vector<RegionGroup> classify_regions(const ReportStructure& report);

/// Whether a filter may leave out each region: compilers and users instrument it, and no process begins with it.
std::vector<bool> filterable_regions(const ReportStructure& report);

}  // namespace tarry
