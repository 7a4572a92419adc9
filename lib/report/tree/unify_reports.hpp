// unify_reports.hpp -- the union of the trees of several reports.
#pragma once

#include <span>

#include "base/result.hpp"
#include "report/tree/report_map.hpp"

namespace tarry {

/// What becomes of the levels of the system tree between its root and the processes.
enum class SystemShape {
  kAsIs,
  kReduced,    // machines, nodes and node cards only
  kCollapsed,  // one virtual machine with one virtual node
};

struct UnifyOptions {
  SystemShape system = SystemShape::kAsIs;
  bool is_by_name = false;  // regions match by name alone, call paths by regions and parameters alone
};

/// Unifies reports; the first defines, later ones add what they alone have. Equal are
///   metrics       of the same unique name,
///   regions       of the same name, module and lines,
///   call paths    of equal regions, call sites and parameters below equal parents; equal siblings of one report become
///                 one path,
///   processes     of the same type and rank, whatever node they ran on,
///   locations     of the same rank within equal processes.
/// Left out are void metrics and regions without call path. Fails if two metrics of one name hold values that have
/// nothing in common (a sum here, a minimum there). `names` are those of the reports, for errors.
Result<MappedReports> unify_reports(std::span<const ReportStructure* const> reports, std::span<const std::string> names,
                                    const UnifyOptions& options);

}  // namespace tarry
