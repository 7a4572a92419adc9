// finish_archive.hpp -- closes a recording: salvages what killed processes left, seals containers, unifies definitions.
//
// `tarry measure` does this at the end of a run, `tarry unify` where that did not happen. It may be killed at any point
// and run again. Every step leaves the archive readable, and a step that is done already is not repeated.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "archive/files/manifest.hpp"
#include "base/result.hpp"
#include "defs/tree_unify.hpp"

namespace tarry {

struct FinishOptions {
  std::string stage = "unify";
  std::string command;                // command line, for the manifest
  bool has_run_program = false;       // just now: its file is still what was run
  bool is_recorder = false;           // the caller is the one who holds the lock on `recording`
  GroupTransport* helpers = nullptr;  // the caller is the first of several processes; the others call help_unifying()
  std::function<void(Manifest&)> add_facts;  // adds what the caller knows before the manifest is written
};

/// Samples of stacks, of all processes (lib/defs/unify.hpp).
struct SampleFigures {
  std::uint64_t taken = 0;
  std::uint64_t inside_calls = 0;
  std::uint64_t lost = 0;
  std::uint64_t nanoseconds = 0;  // that they took
};

struct FinishReport {
  std::uint32_t processes = 0;
  std::uint32_t incomplete_processes = 0;  // that did not close their recording, nor say why
  std::uint32_t missing_processes = 0;     // members of an MPI_COMM_WORLD that left nothing
  std::uint32_t locations = 0;
  std::uint64_t events = 0;
  std::optional<SampleFigures> samples = {};  // if they were asked for
  std::uint64_t call_path_stacks = 0;         // that were looked at for call paths
  std::uint64_t call_paths_truncated = 0;     // of these: without their outermost functions
  std::uint64_t call_path_nanoseconds = 0;
  std::uint64_t unseen_openmp = 0;  // processes with threads of an OpenMP runtime whose teams are not recorded
  std::uint32_t salvaged_spools = 0;
  std::uint32_t sealed_containers = 0;
  bool wrote_definitions = false;  // false: they were there
  bool is_complete = false;
  bool changed_anything = false;
  std::string faults;   // one line; empty if nothing is damaged
  std::string missing;  // all of the above that is not as it should be, one line; empty if complete
};

/// Fails if a run is still being recorded, another tool is finishing the archive, or something cannot be written.
Result<FinishReport> finish_archive(const std::string& archive, const FinishOptions& options);

}  // namespace tarry
