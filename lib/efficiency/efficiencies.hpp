// efficiencies.hpp -- POP's efficiencies of a run, beside those of a reference run.
//
// Sources: POP Centre of Excellence, "Standard Metrics for Performance Analysis" and "Standard Hybrid Metrics"
// (pop-coe.eu, co-design.pop-coe.eu/metrics); docs/METRICS.md, "Efficiencies".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/metrics/run_times.hpp"

namespace tarry {

enum class EfficiencyModel : std::uint8_t {
  kStandard,        // of any run
  kMultiplicative,  // of threads in processes: factors
  kAdditive,        // the same: what each loses adds up
  kAccelerated,     // of hosts and their accelerators
};

enum class Efficiency : std::uint8_t {
#define EFFICIENCY(id, parent, model, key, label) id,
#include "efficiency/efficiencies.def"
#undef EFFICIENCY
  kNone,
};

inline constexpr std::size_t kEfficiencyCount = static_cast<std::size_t>(Efficiency::kNone);

struct EfficiencyInfo {
  Efficiency id, parent;
  EfficiencyModel model;
  const char* key;
  const char* label;
};

/// All, parents before children.
const std::array<EfficiencyInfo, kEfficiencyCount>& efficiency_table();
/// Parents above it.
std::size_t depth_of(Efficiency id);

/// The problem stays as large with more processors, or grows with them.
enum class Scaling : std::uint8_t { kStrong, kWeak };

/// Times of a run that the efficiencies are made of, and those people look at beside them.
struct RunSums {
  std::size_t processes = 0, threads = 0;
  Seconds useful = 0;          // of all threads
  Seconds longest_useful = 0;  // of one of them
  Seconds offload = 0;         // of all threads, in calls of accelerators
  Seconds longest_host = 0;    // of one of them, useful or in calls of accelerators
  std::optional<double> ipc = {}, hertz = {};

  Seconds mean_useful() const { return threads > 0 ? useful / static_cast<double>(threads) : 0; }
};

RunSums sums_of(const RunTimes& times);

/// Fractions: 1 is without loss. What cannot be told has none.
class Efficiencies {
 public:
  std::optional<double>& operator[](Efficiency id) { return values_[static_cast<std::size_t>(id)]; }
  const std::optional<double>& operator[](Efficiency id) const { return values_[static_cast<std::size_t>(id)]; }

  bool has(EfficiencyModel model) const;

 private:
  std::array<std::optional<double>, kEfficiencyCount> values_{};
};

/// Of a run without threads and accelerators there are only those of the standard; the additive ones need parallel
/// regions of OpenMP.
Efficiencies efficiencies_of(const RunTimes& run, const RunTimes& reference, Scaling scaling);

/// Why a run has no value for it, for people.
std::string why_missing(Efficiency id, const RunTimes& run, const RunTimes& reference);

/// How good a value is. POP holds 0.8 and more for acceptable; below a half there is most to gain.
enum class EfficiencyGrade : std::uint8_t { kGood, kFair, kPoor };
EfficiencyGrade grade_of(double efficiency);

}  // namespace tarry
