// speedups.cpp -- how fast runs with more processors are.
#include "scaling/speedups.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/text/format.hpp"

namespace tarry {
namespace {

bool is_of_processors(const std::string& parameter) { return parameter == kProcesses || parameter == kThreads; }

// Strong scaling: the same work is done sooner. Weak: more work takes as long.
double efficiency_of(double before, double now, double more_processors, Scaling scaling) {
  return scaling == Scaling::kWeak ? before / now : before / now / more_processors;
}

// With weak scaling more processors do as much more work.
double speedup_of(double before, double now, double more_processors, Scaling scaling) {
  return efficiency_of(before, now, more_processors, scaling) * more_processors;
}

std::map<std::string, double> other_parameters(const Configuration& configuration) {
  std::map<std::string, double> others = configuration.parameters;
  others.erase(kProcesses);
  others.erase(kThreads);
  return others;
}

std::vector<Configuration> find_configurations(const std::vector<ScaleRun>& runs) {
  std::map<std::map<std::string, double>, Configuration> found;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Configuration& configuration = found[runs[i].parameters];
    configuration.parameters = runs[i].parameters;
    configuration.runs.push_back(i);
    configuration.runtime += runs[i].times.runtime;
    configuration.runtimes.push_back(runs[i].times.runtime);
  }
  std::vector<Configuration> all;
  for (auto& [parameters, configuration] : found) {
    configuration.runtime /= static_cast<double>(configuration.runs.size());
    configuration.processors = parameters.at(kProcesses) * parameters.at(kThreads);
    all.push_back(std::move(configuration));
  }
  std::stable_sort(all.begin(), all.end(), [](const Configuration& left, const Configuration& right) {
    const auto ours = other_parameters(left), theirs = other_parameters(right);
    return ours != theirs ? ours < theirs : left.processors < right.processors;
  });
  for (std::size_t i = 1; i < all.size(); ++i)
    all[i].reference = other_parameters(all[i]) == other_parameters(all[i - 1]) ? all[i - 1].reference : i;
  return all;
}

// The mean over the runs of those efficiencies that all of them have.
Efficiencies mean_efficiencies(const std::vector<ScaleRun>& runs, const Configuration& configuration,
                               const Configuration& reference, Scaling scaling) {
  Efficiencies mean;
  std::map<Efficiency, std::size_t> counts;
  for (const std::size_t run : configuration.runs) {
    const Efficiencies one = efficiencies_of(runs[run].times, runs[reference.runs[0]].times, scaling);
    for (const EfficiencyInfo& info : efficiency_table()) {
      if (!one[info.id]) continue;
      mean[info.id] = mean[info.id].value_or(0) + *one[info.id];
      ++counts[info.id];
    }
  }
  for (const auto& [id, count] : counts) {
    if (count == configuration.runs.size()) *mean[id] /= static_cast<double>(count);
    else mean[id].reset();
  }
  return mean;
}

// Of the runs that have the metric; 0 if none has. A call path that one of them did not visit took no time there.
double mean_time(const std::vector<ScaleRun>& runs, const Configuration& configuration, const std::string& metric,
                 std::uint32_t name) {
  double sum = 0, count = 0;
  for (const std::size_t run : configuration.runs) {
    if (!runs[run].values.contains(metric)) continue;
    sum += runs[run].value(metric, name).value_or(0);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

RegionScaling scaling_of_region(const ScaleRuns& runs, const Study& study, const std::string& metric,
                                std::uint32_t name) {
  RegionScaling region{.name = runs.names[name], .metric = metric, .times = {}, .speedups = {}, .efficiencies = {}};
  for (const Configuration& configuration : study.configurations)
    region.times.push_back(mean_time(runs.runs, configuration, metric, name));
  for (std::size_t i = 0; i < region.times.size(); ++i) {
    const Configuration& configuration = study.configurations[i];
    const double before = region.times[configuration.reference], now = region.times[i];
    const double more = configuration.processors / study.configurations[configuration.reference].processors;
    std::optional<double> speedup, efficiency;
    if (before > 0 && now > 0) {
      speedup = speedup_of(before, now, more, study.scaling);
      efficiency = efficiency_of(before, now, more, study.scaling);
    }
    region.speedups.push_back(speedup);
    region.efficiencies.push_back(efficiency);
  }
  return region;
}

void add_regions(const ScaleRuns& runs, const std::string& metric, Study& study) {
  std::set<std::uint32_t> visited;
  for (const ScaleRun& run : runs.runs)
    if (const auto values = run.values.find(metric); values != run.values.end())
      for (const auto& [name, value] : values->second) visited.insert(name);
  std::vector<RegionScaling> regions;
  for (const std::uint32_t name : visited) regions.push_back(scaling_of_region(runs, study, metric, name));
  std::stable_sort(regions.begin(), regions.end(), [](const RegionScaling& left, const RegionScaling& right) {
    return left.times.back() > right.times.back();
  });
  std::move(regions.begin(), regions.end(), std::back_inserter(study.regions));
}

std::vector<std::string> varying_parameters(const std::vector<Configuration>& configurations) {
  std::map<std::string, std::set<double>> values;
  for (const Configuration& configuration : configurations)
    for (const auto& [name, value] : configuration.parameters) values[name].insert(value);
  std::vector<std::string> varying;
  for (const char* name : {kProcesses, kThreads})
    if (values[name].size() > 1) varying.push_back(name);
  for (const auto& [name, all] : values)
    if (!is_of_processors(name) && all.size() > 1) varying.push_back(name);
  return varying;
}

// Names of the parts with most time in all runs together.
std::set<std::string> largest_parts(const std::vector<ScaleRun>& runs) {
  std::map<std::string, double> sums;
  for (const ScaleRun& run : runs)
    for (const TimePart& part : run.parts) sums[part.name] += part.seconds;
  std::vector<std::pair<double, std::string>> sorted;
  for (const auto& [name, sum] : sums) sorted.emplace_back(-sum, name);
  std::sort(sorted.begin(), sorted.end());
  std::set<std::string> largest;
  for (std::size_t i = 0; i < std::min(kMostParts, sorted.size()); ++i) largest.insert(sorted[i].second);
  return largest;
}

// A part that other runs do not have stands behind the one that it follows where it is.
std::vector<PartScaling> list_parts(const std::vector<ScaleRun>& runs, const std::set<std::string>& wanted) {
  std::vector<PartScaling> parts;
  for (const ScaleRun& run : runs) {
    auto place = parts.begin();
    for (const TimePart& part : run.parts) {
      if (!wanted.contains(part.name)) continue;
      const auto is_it = [&](const PartScaling& known) { return known.name == part.name; };
      const auto found = std::find_if(parts.begin(), parts.end(), is_it);
      place = found != parts.end() ? found : parts.insert(place, {part.name, part.title, {}});
      ++place;
    }
  }
  return parts;
}

std::vector<PartScaling> scaling_of_parts(const std::vector<ScaleRun>& runs,
                                          const std::vector<Configuration>& configurations) {
  std::vector<PartScaling> parts = list_parts(runs, largest_parts(runs));
  std::map<std::string, std::size_t> places;
  for (const PartScaling& part : parts) places.emplace(part.name, places.size());
  parts.push_back({"", "others", {}});
  for (PartScaling& part : parts) part.seconds.resize(configurations.size());
  bool has_others = false;
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    const auto share = 1 / static_cast<double>(configurations[i].runs.size());
    for (const std::size_t run : configurations[i].runs) {
      for (const TimePart& part : runs[run].parts) {
        const auto place = places.find(part.name);
        has_others |= place == places.end();
        parts[place == places.end() ? places.size() : place->second].seconds[i] += share * part.seconds;
      }
    }
  }
  if (!has_others) parts.pop_back();
  return parts;
}

}  // namespace

Study make_study(const ScaleRuns& runs, Scaling scaling) {
  Study study{
      .varying = {}, .configurations = find_configurations(runs.runs), .regions = {}, .parts = {}, .scaling = scaling};
  study.varying = varying_parameters(study.configurations);
  for (Configuration& configuration : study.configurations) {
    const Configuration& reference = study.configurations[configuration.reference];
    const double more = configuration.processors / reference.processors;
    configuration.speedup = speedup_of(reference.runtime, configuration.runtime, more, scaling);
    configuration.efficiency = efficiency_of(reference.runtime, configuration.runtime, more, scaling);
    configuration.pop = mean_efficiencies(runs.runs, configuration, reference, scaling);
  }
  for (const std::string& metric : runs.time_metrics) add_regions(runs, metric, study);
  study.parts = scaling_of_parts(runs.runs, study.configurations);
  return study;
}

std::string configuration_text(const Study& study, const Configuration& configuration) {
  std::string text;
  for (const std::string& name : study.varying)
    text += (text.empty() ? "" : " ") + name + "=" + format_number(configuration.parameters.at(name), "%.10g");
  return text.empty() ? "all runs" : text;
}

}  // namespace tarry
