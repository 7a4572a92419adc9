// provenance.hpp -- what each stage appends to the manifest: command, inputs and outputs with checksums, wall time.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "archive/files/manifest.hpp"
#include "base/result.hpp"

namespace tarry {

/// Length and checksum of a file. The checksum of a sealed container is that of its index and footer, which hold the
/// checksums of all chunks. So a container need not be read to be recognised.
Result<FileSum> sum_file(const std::string& folder, const std::string& name);

/// The time as the manifest writes it, UTC.
std::string utc_now();

/// A command line as one string that a shell would split into the same words.
std::string join_command(const std::vector<std::string>& words);

/// Describes a stage from its construction on; `add_to` computes wall time and checksums.
class StageRecorder {
 public:
  StageRecorder(std::string stage, std::string command);

  /// Files relative to the archive, or absolute ones elsewhere.
  void add_input(std::string name) { inputs_.push_back(std::move(name)); }
  void add_output(std::string name) { outputs_.push_back(std::move(name)); }

  /// Completes the entry and appends it to `manifest`. Fails if one of the files cannot be read.
  Status add_to(Manifest& manifest, const std::string& archive);

  /// The same with the manifest that is in the archive, which is written anew.
  Status add_to_archive(const std::string& archive);

 private:
  StageEntry entry_;
  std::vector<std::string> inputs_, outputs_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace tarry
