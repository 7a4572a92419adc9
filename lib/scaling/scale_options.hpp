// scale_options.hpp -- which runs a study is of, and what is modelled of them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "efficiency/efficiencies.hpp"

namespace tarry {

/// Which value of a call path counts, of those of all threads.
enum class ThreadValue : std::uint8_t { kMean, kSum, kMaximum };

struct ScaleOptions {
  std::vector<std::string> runs;     // archives or reports; with a store its numbers, tags or keys
  std::vector<std::string> metrics;  // of runs; empty: those of kUsualMetrics that there are
  std::string store;                 // runs of a store
  std::string where;                 // those that meet these conditions
  ThreadValue value = ThreadValue::kMean;
  bool is_by_region = false;
  bool is_like_reference = false;
  Scaling scaling = Scaling::kStrong;
  std::vector<std::pair<std::string, double>> at;  // by parameter; an empty name: the first one
  unsigned workers = 0;
  bool reads_traces = false;  // which tell serialisation from transfer
  std::uint64_t memory = 0;   // for the records of a trace; 0: as much as there is
};

/// Takes "strong" or "weak". Returns what is wrong with the word.
std::string read_scaling(const std::string& word, ScaleOptions& options);

/// Adds places that a user names: "100000" or "processes=4096,n=10000". Returns what is wrong with the text.
std::string read_places(const std::string& text, ScaleOptions& options);

}  // namespace tarry
