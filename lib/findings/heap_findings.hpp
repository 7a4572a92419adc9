// heap_findings.hpp -- what a run allocated and never freed, and who had the memory when a process had the most.
#pragma once

#include <cstdint>
#include <optional>

#include "findings/report_rank.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// The function of the program that has the most on its call paths; those of libraries like MPI are left out.
struct HeapLeak {
  std::uint32_t region = 0;
  CallPathId call_path;          // that of its call paths that has the most
  double bytes = 0, blocks = 0;  // of all processes
  ReportRank worst{0};           // the process with the most
};

/// The process that had the most.
struct HeapPeak {
  ReportRank rank{0};
  double bytes = 0;      // of the recorded call paths
  CallPathId call_path;  // that had most of it
  double at_path = 0;    // bytes
};

struct HeapFindings {
  std::optional<HeapLeak> leak;  // none: hardly anything was left, or in few blocks, as of what lives to the end
  std::optional<HeapPeak> peak;
};

/// Empty where the report has no such counters.
HeapFindings find_heap(const Report& report);

}  // namespace tarry
