// small_trace.hpp -- a trace of two ranks in memory, a tick being a nanosecond.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "trace/record.hpp"
#include "trace/source.hpp"

namespace tarry {

/// Regions: main, work (the program's), MPI_Send. Both ranks are members of communicator 0.
inline Definitions small_definitions() {
  Definitions all;
  for (const char* name : {"main", "work", "MPI_Send"}) {
    Region region;
    region.name = region.mangled_name = all.strings.intern(name);
    region.paradigm = std::string(name).starts_with("MPI_") ? Paradigm::kMpi : Paradigm::kUser;
    region.role = region.paradigm == Paradigm::kMpi ? RegionRole::kPointToPoint : RegionRole::kFunction;
    all.regions.push_back(region);
  }
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    all.processes.push_back({all.strings.intern("rank " + std::to_string(rank)), rank, {}, true});
    all.locations.push_back({all.strings.intern("master"), ProcessId(rank), 0, 0});
  }
  all.groups.push_back({{}, {0, 1}});
  Communicator world;
  world.name = all.strings.intern("MPI_COMM_WORLD");
  world.group = GroupId(0);
  all.comms.push_back(world);
  return all;
}

/// Events written down in a test.
class SmallTrace final : public Source {
 public:
  const Definitions& definitions() const override { return definitions_; }
  const std::string& path() const override { return path_; }
  FaultLog& faults() override { return faults_; }
  std::unique_ptr<EventReader> open(LocationId location) override {
    return std::make_unique<Reader>(events[location.value]);
  }

  SmallTrace& enter(std::uint32_t location, Ticks time, std::uint64_t region) {
    events[location].push_back(event_of(time, record::Enter{.region = RegionId(region)}));
    return *this;
  }
  SmallTrace& leave(std::uint32_t location, Ticks time) {
    events[location].push_back(event_of(time, record::Leave{}));
    return *this;
  }

  std::map<std::uint32_t, std::vector<Event>> events;

 private:
  class Reader final : public EventReader {
   public:
    explicit Reader(std::span<const Event> events) : left_(events) {}
    // A few at a time, so that visits cross the borders of blocks.
    std::span<const Event> next() override {
      const auto block = left_.first(std::min<std::size_t>(left_.size(), 3));
      left_ = left_.subspan(block.size());
      return block;
    }

   private:
    std::span<const Event> left_;
  };

  Definitions definitions_ = small_definitions();
  std::string path_ = "small";
  FaultLog faults_;
};

}  // namespace tarry
