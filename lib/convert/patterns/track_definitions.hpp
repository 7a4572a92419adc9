// track_definitions.hpp -- the threads of formats in which what is on a thread must nest: one for each track of
// patterns.
#pragma once

#include <string>
#include <vector>

#include "convert/patterns/analysed_patterns.hpp"

namespace tarry {

/// Processes as in the trace. The first track of waits has the number of its thread in the trace. All other tracks
/// follow behind the threads of the process.
struct TrackDefinitions {
  Definitions all;                                                  // no regions, communicators and the like
  std::vector<std::string> labels;                                  // of locations: "delays, thread 1"
  std::vector<PatternTrackIndex> tracks;                            // of locations; none: nothing is there
  Indexed<PatternTrackIndex, std::vector<LocationId>> locations{};  // of tracks
  std::vector<LocationId> threads{};                                // of the locations of the trace
};

TrackDefinitions define_tracks(const AnalysedPatterns& patterns);

}  // namespace tarry
