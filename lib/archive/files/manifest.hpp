// manifest.hpp -- manifest.xml: facts about the run, and what each stage did (docs/FORMAT.md, "The manifest").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"

namespace tarry {

/// An archive holds no larger rank, and no more processes.
inline constexpr std::uint32_t kMostRanks = std::uint32_t{1} << 26;

/// A file a stage read or wrote: name relative to the archive (inputs may lie elsewhere), length and checksum.
struct FileSum {
  std::string name;
  Bytes bytes = 0;
  std::uint32_t crc = 0;
};

/// What one stage did.
struct StageEntry {
  std::string stage;    // "measure", "unify", ...
  std::string command;  // command line
  std::string version;  // of the tool
  std::string started;  // UTC, "2026-01-31T12:00:00Z"
  Seconds wall_seconds = 0;
  std::vector<FileSum> inputs;
  std::vector<FileSum> outputs;
};

/// A node that processes were on. What is not known is 0 or empty.
struct ManifestHost {
  std::string name;
  std::uint32_t cores = 0;  // that the system has, whether the run may use them or not
  std::string processor, network;
};

struct Manifest {
  std::string tool_version;
  std::string program;             // base name of the executable
  std::string command;             // of the measured job
  std::uint32_t ranks = 0;         // processes recorded or, where a launcher told, started
  std::uint32_t threads = 0;       // locations in all
  bool is_complete = false;        // every process closed its recording
  std::string missing;             // what is not there though it should be, for people; empty if nothing is
  std::string not_recorded;        // what the program started and the archive does not hold, for people
  std::optional<int> exit_status;  // of the command
  std::string started, ended;      // UTC
  bool has_events = false;
  bool has_summary = false;
  double ticks_per_second = 0;  // of the global clock; 0: unknown
  std::uint32_t clock_domains = 0;
  std::vector<ManifestHost> hosts;
  std::string mpi;    // the library, as it names itself
  std::string build;  // compilers of the program and their options
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<StageEntry> stages;
};

/// Reads manifest.xml of `archive`. A newer major format version is refused by name. A file that fails its own checksum
/// or holds impossible values (4e9 ranks, no ticks per second) is an error.
Result<Manifest> read_manifest(const std::string& archive);

/// Fails if the manifest is of a newer major version, or holds impossible values though its checksum is right. One that
/// is missing or damaged is no reason: the events can be read without it.
Status check_manifest_facts(const std::string& archive);

/// Writes it in one step.
Status write_manifest(const std::string& archive, const Manifest& manifest);

/// The XML text, ending in a line with the CRC-32 of everything before it.
std::string encode_manifest(const Manifest& manifest);
Result<Manifest> decode_manifest(const std::string& path, const std::string& text);

}  // namespace tarry
