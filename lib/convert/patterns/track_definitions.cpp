// track_definitions.cpp -- the threads of formats in which what is on a thread must nest: one for each track of
// patterns.
#include "convert/patterns/track_definitions.hpp"

#include <algorithm>

namespace tarry {
namespace {

class TrackNumbering {
 public:
  explicit TrackNumbering(const AnalysedPatterns& patterns) : patterns_(patterns), from_(patterns.definitions()) {}

  TrackDefinitions make() {
    into_.all.strings = from_.strings;
    into_.all.system_nodes = from_.system_nodes;
    into_.all.processes = from_.processes;
    into_.all.clock = from_.clock;
    into_.locations.resize(tracks().size());
    into_.threads.resize(from_.locations.size());
    list_by_process();
    for (std::size_t process = 0; process < from_.processes.size(); ++process) number(process);
    return std::move(into_);
  }

 private:
  const Indexed<PatternTrackIndex, std::vector<PatternTrack>>& tracks() const { return patterns_.events().tracks; }

  void list_by_process() {
    threads_.resize(from_.processes.size());
    more_.resize(from_.processes.size());
    first_.resize(from_.locations.size());
    for (std::size_t i = 0; i < from_.locations.size(); ++i)
      threads_[from_.locations[i].process.value].push_back(LocationId(i));
    for (const PatternTrackIndex index : tracks().ids()) {
      const PatternTrack& track = tracks()[index];
      const bool is_first = track.layer == PatternLayer::kWaits && track.number == 0;
      if (is_first) first_[track.location.value] = index;
      else more_[from_.locations[track.location.value].process.value].push_back(index);
    }
  }

  void number(std::size_t process) {
    std::uint32_t next = 0;
    for (const LocationId from : threads_[process]) {
      const Location& thread = from_.locations[from.value];
      next = std::max(next, thread.thread + 1);
      into_.threads[from.value] = add(thread.thread, {from}, first_[from.value]);
    }
    for (const PatternTrackIndex index : more_[process]) add(next++, tracks()[index], index);
  }

  LocationId add(std::uint32_t thread, const PatternTrack& track, PatternTrackIndex index) {
    const Location& from = from_.locations[track.location.value];
    std::string label = track_title(track, from.thread);
    into_.all.locations.push_back({into_.all.strings.intern(label), from.process, thread, 0});
    into_.labels.push_back(std::move(label));
    into_.tracks.push_back(index);
    const LocationId location(into_.all.locations.size() - 1);
    if (index.is_valid()) into_.locations[index] = location;
    return location;
  }

  const AnalysedPatterns& patterns_;
  const Definitions& from_;
  std::vector<std::vector<LocationId>> threads_;      // by process
  std::vector<std::vector<PatternTrackIndex>> more_;  // the same
  std::vector<PatternTrackIndex> first_;              // by location: of its waits
  TrackDefinitions into_;
};

}  // namespace

TrackDefinitions define_tracks(const AnalysedPatterns& patterns) { return TrackNumbering(patterns).make(); }

}  // namespace tarry
