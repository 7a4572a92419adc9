// sample_losses.hpp -- samples of stacks that a recording lacks, as its report tells.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "defs/lost_samples.hpp"
#include "report/tree/report.hpp"

namespace tarry {

struct SampleLosses {
  std::uint64_t taken = 0, inside_calls = 0;
  std::array<std::uint64_t, kLostSampleReasons> lost{};

  std::uint64_t all_lost() const;
  /// Of those that were not left out on purpose.
  double share() const;
};

/// None if the run was not sampled.
std::optional<SampleLosses> read_sample_losses(const ReportStructure& report);

/// "SAMPLES LOST: 12.0% (24 of 200): 20 in the recorder, 4 that came too late"; empty where hardly any were.
std::string sample_losses_text(const SampleLosses& losses);

}  // namespace tarry
