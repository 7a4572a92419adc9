// early_ends.hpp -- why processes ended before their program was done, as far as their recorders have noted it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "defs/definitions.hpp"

namespace tarry {

/// Keys of properties; the rank follows.
inline constexpr std::string_view kAbortKey = "abort_of_rank_", kRecordingEndKey = "ended_early_of_rank_";

/// A process that ended the program: by MPI_Abort, or by an MPI error that no handler returns from.
struct ProgramAbort {
  std::uint32_t rank = 0;
  std::string function;                 // "MPI_Abort", "MPI_Send"
  std::uint64_t epoch_nanoseconds = 0;  // of its node's clock
};

/// The value of the property.
inline std::string abort_text(std::string_view function, std::uint64_t epoch_nanoseconds) {
  return std::to_string(epoch_nanoseconds) + " " + std::string(function);
}

/// Of several, the one that was first by their clocks.
std::optional<ProgramAbort> first_abort(const Definitions& definitions);

/// "called MPI_Abort", "ended the program in MPI_Send".
std::string what_it_did(const ProgramAbort& abort);

/// Why the recording of that rank ended while the rank went on; empty if it did not.
std::string why_recording_ended(const Definitions& definitions, std::int64_t rank);

/// Of any rank, "the program entered a sandbox (seccomp)". Empty if none has.
std::string why_any_recording_ended(const Definitions& definitions);

}  // namespace tarry
