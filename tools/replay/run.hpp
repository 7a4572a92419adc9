// run.hpp -- one run of tarry-replay, from the trace to the written report.
#pragma once

#include <string>

#include "base/result.hpp"
#include "exchange/exchange.hpp"
#include "analysis/selection.hpp"

namespace tarry {

struct ReplayOptions {
  std::string input;
  std::string output;         // empty: the default name
  std::string critical_path;  // file for the path itself; empty: not wanted
  TimeWindow window;
  std::string window_text;  // as the user wrote it; empty: everything
  std::string phase;        // name or shell pattern of regions; empty: not only phases
  std::string iterations;   // name of the loop or region that a time series is wanted of; empty: of a marked loop
  MetricSelection metrics;
  std::string patterns;       // as the user wrote them; empty: all
  std::size_t instances = 0;  // most severe instances of each kind to keep
  std::string command;        // for the manifest
  bool is_compat = false;
  bool is_strict = false;
  bool keeps_provenance = true;
  unsigned workers = 0;      // 0: all processors
  std::uint64_t memory = 0;  // bytes each analysis process may keep resident; 0: as it needs
};

/// Reads, analyses, writes. Returns the exit status. Collective over the analysis processes.
Result<int> run_replay(const ReplayOptions& options, Exchange& exchange);

}  // namespace tarry
