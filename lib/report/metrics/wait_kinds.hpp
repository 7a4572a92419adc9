// wait_kinds.hpp -- what is known of each kind of wait state: the rows of wait_kinds.def.
#pragma once

#include <cstdint>
#include <span>

#include "report/metrics/metrics.hpp"

namespace tarry {

/// Kinds of waits with costs of their own: the COST rows. kNone: waits that cost nothing elsewhere.
enum class WaitKind : std::uint8_t {
#define COST(id, ...) k##id,
#include "report/metrics/wait_kinds.def"
  kCount,
  kNone = kCount,
};
inline constexpr std::size_t kWaitKinds = static_cast<std::size_t>(WaitKind::kCount);

/// What is waited in.
enum class WaitSource : std::uint8_t { kMessages, kRequests, kCollectives, kWindows, kThreads, kDevices };

/// Whether time counts as waiting, and not as work, where the work of threads is compared.
enum class WaitRole : std::uint8_t { kWait, kWorkToReference, kPart, kCompletion };

/// Whether each wait has a cause of its own, or the members of an operation have one.
enum class Pairing : std::uint8_t { kPairwise, kGroup };

/// Whether the reference analyser has it.
enum class Reference : std::uint8_t { kKnown, kUnknown };

/// Who keeps the waiting thread waiting; decides how advice is worded.
enum class WaitFamily : std::uint8_t {
  kNone,
  kSender,
  kOvertaken,
  kReceiver,
  kRoot,
  kEveryone,
  kNeighbors,
  kPeer,
  kTeam,
  kLock,
  kDevice,  // an accelerator
  kHost,    // the thread that gives an accelerator work
};

/// A WAIT row.
struct WaitInfo {
  Metric metric;
  WaitSource source;
  WaitRole role;
  WaitKind cost;
  Reference reference;
  WaitFamily family;
};

/// A COST row.
struct CostInfo {
  WaitKind kind;
  const char* label;  // in files
  Metric all, short_term, long_term;
  WaitSource source;
  Pairing pairing;
  Reference reference;
};

std::span<const WaitInfo> wait_states();

/// nullptr for a metric that is no wait state.
const WaitInfo* wait_state(Metric metric);

/// In the order of WaitKind.
std::span<const CostInfo> wait_costs();
const CostInfo& cost_of(WaitKind kind);

}  // namespace tarry
