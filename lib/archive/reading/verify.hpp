// verify.hpp -- is an archive intact and complete, and if not, how much of it can be read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "base/result.hpp"
#include "base/units.hpp"

namespace tarry {

enum class VerifyDepth {
  kShallow,  // framing, indexes, checksums of headers, the sums in the manifest
  kDeep,     // and every payload: checksum, decoding, counts
};

struct VerifyReport {
  struct Problem {
    std::string place;  // file or location
    std::string what;
  };

  ArchiveState state = ArchiveState::kDead;
  std::vector<Problem> problems;  // of some kinds only the first few
  std::uint64_t problem_count = 0;
  std::uint64_t gap_count = 0;  // problems that are no damage: what was never recorded
  std::uint32_t processes = 0;
  std::uint32_t incomplete_processes = 0;
  std::uint64_t chunks = 0;
  std::uint64_t bad_chunks = 0;
  std::uint64_t events = 0;  // that can be read; 0 if shallow
  Bytes bytes = 0;           // of all files looked at

  bool is_intact() const { return problem_count == gap_count; }
  bool is_complete() const {
    return gap_count == 0 && (state == ArchiveState::kComplete || state == ArchiveState::kAnalysed);
  }
};

/// Fails only if there is no archive, or one of a newer version; damage is reported.
Result<VerifyReport> verify_archive(const std::string& path, VerifyDepth depth);

}  // namespace tarry
