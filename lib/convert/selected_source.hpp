// selected_source.hpp -- a part of a trace as a trace: some time, some ranks, some regions, visits that last.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "trace/source.hpp"

namespace tarry {

struct Selection {
  Ticks begin = std::numeric_limits<Ticks>::min();
  Ticks end = std::numeric_limits<Ticks>::max();
  std::vector<bool> keeps_rank;    // by rank; empty: all
  std::vector<bool> keeps_region;  // by region; empty: all
  Ticks min_duration = 0;          // visits of regions that are shorter are left out

  bool is_all() const {
    return begin == std::numeric_limits<Ticks>::min() && end == std::numeric_limits<Ticks>::max() &&
           keeps_rank.empty() && keeps_region.empty() && min_duration == 0;
  }
};

/// What the user writes.
struct SelectionTexts {
  std::string time;          // "2:5.5", seconds from the start; either may be left out
  std::string ranks;         // "0-63,128"
  std::string regions;       // shell patterns by commas
  std::string min_duration;  // "10us"
  bool leaves_out_user = false;

  bool empty() const {
    return time.empty() && ranks.empty() && regions.empty() && min_duration.empty() && !leaves_out_user;
  }
};

/// Fails if a text makes no sense, whatever the trace.
Status check_selection(const SelectionTexts& texts);

/// Fails if nothing can be selected: no such rank or region.
Result<Selection> read_selection(const SelectionTexts& texts, const Definitions& all);

/// Regions that are open where the time begins are entered there, and left where it ends. Events that are no ends of
/// regions stay even if the region around them does not. Definitions are those of the whole trace.
class SelectedSource final : public Source {
 public:
  SelectedSource(Source& whole, Selection selection) : whole_(whole), selection_(std::move(selection)) {}

  const Selection& selection() const { return selection_; }
  const Definitions& definitions() const override { return whole_.definitions(); }
  const std::string& path() const override { return whole_.path(); }
  std::unique_ptr<EventReader> open(LocationId location) override;
  FaultLog& faults() override { return whole_.faults(); }
  Status keep_extras() override { return whole_.keep_extras(); }
  std::span<const std::uint8_t> otf2_facts() const override { return whole_.otf2_facts(); }

 private:
  Source& whole_;
  Selection selection_;
};

}  // namespace tarry
