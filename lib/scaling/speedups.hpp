// speedups.hpp -- how fast runs with more processors are: speedup, efficiency, POP's hierarchy, times of regions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "efficiency/efficiencies.hpp"
#include "scaling/scale_runs.hpp"

namespace tarry {

/// Runs with the same parameters. Values are means of these runs.
struct Configuration {
  std::map<std::string, double> parameters;
  std::vector<std::size_t> runs;
  std::size_t reference = 0;  // the one with the fewest processors and the same other parameters
  double processors = 0;      // processes x threads
  Seconds runtime = 0;
  std::vector<Seconds> runtimes;  // [run]
  double speedup = 1, efficiency = 1;
  Efficiencies pop;
};

/// A call path or region, and a metric in seconds. One value for each configuration; nothing where the reference has no
/// time in it.
struct RegionScaling {
  std::string name;
  std::string metric = "time";
  std::vector<double> times;
  std::vector<std::optional<double>> speedups, efficiencies;
};

/// A kind of time.
struct PartScaling {
  std::string name, title;
  std::vector<double> seconds;  // of all threads, one for each configuration
};

struct Study {
  std::vector<std::string> varying;           // names of parameters
  std::vector<Configuration> configurations;  // by parameters other than processors, then by processors
  std::vector<RegionScaling> regions;         // by metric; the longest in the last configuration first
  std::vector<PartScaling> parts;             // that add up to all time, in the order of the metric tree
  Scaling scaling = Scaling::kStrong;
};

/// Kinds of time in a study; what is smaller than as many is one part more.
inline constexpr std::size_t kMostParts = 20;

Study make_study(const ScaleRuns& runs, Scaling scaling);

/// "processes=4 n=512": the parameters that vary.
std::string configuration_text(const Study& study, const Configuration& configuration);

}  // namespace tarry
