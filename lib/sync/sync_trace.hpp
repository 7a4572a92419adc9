// sync_trace.hpp -- one run of tarry-sync: check, undo, or correct.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "sync/logical_clock.hpp"
#include "exchange/exchange.hpp"

namespace tarry {

struct SyncOptions {
  std::string input;
  std::string output;   // archive to make of an OTF2 trace
  std::string plot;     // CSV file with the curves; empty: not wanted
  std::string command;  // for the manifest
  ClockControl control;
  bool is_check = false;
  bool is_undo = false;
  bool is_strict = false;
  unsigned workers = 0;      // 0: all processors
  std::uint64_t memory = 0;  // bytes each analysis process may keep resident; 0: as it needs
};

/// Returns the exit status. Collective over the analysis processes.
Result<int> run_sync(const SyncOptions& options, Exchange& exchange);

}  // namespace tarry
