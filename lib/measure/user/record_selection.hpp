// record_selection.hpp -- recording inside chosen user regions and iterations only (TARRY_SELECT).
//
// "solve step:0-9,100" records inside each visit of the region `solve`, and inside the iterations 0 to 9 and 100 of the
// loop `step`. For a region, numbers count its visits. The recording is paused elsewhere, in all threads.
//
// "step:last10" records the last 10 iterations that begin. As it is unknown which these are, all are recorded, and
// those before the last 10 are dropped again. Iterations have one of 10 regions in turn, which get their names at the
// end. In summaries, call paths of a region that is taken anew begin anew.
//
// Calls: may block.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/core/adapter.hpp"
#include "measure/core/profile_tree.hpp"

namespace tarry::measure {

class Selection {
 public:
  /// Reads a selection; false if it is none.
  bool parse(const char* text);

  bool is_active() const { return !chosen_.empty(); }

  /// A region, or an iteration, begins or has ended. The first one that is chosen switches the recording on, its end
  /// off.
  void begin(const char* name);
  void begin(const char* name, long long number);
  void end(const char* name);

  /// Name of the region whose begin has switched the recording on; nullptr while none has.
  const char* open_name() const { return open_ ? open_->name.c_str() : nullptr; }

  /// True if only the last iterations of a loop are to be kept.
  bool keeps_latest() const { return !latest_.empty(); }

  /// One of the last iterations, so far.
  struct Latest {
    const char* name = nullptr;
    const char* file = nullptr;
    std::uint32_t line = 0;
    RegionId region = {};
    long long number = 0;
    PathNode* path = nullptr;  // in the summary
    Ticks begin = 0;
  };

  /// The place of the iteration that has just begun among the last; nothing if it is none of them.
  std::optional<std::size_t> place_of_latest() const;
  Latest& latest(std::size_t place) { return latest_[place]; }

  /// At the end: gives the last iterations their names, and reports that others are missing.
  void describe_latest();

 private:
  struct Chosen {
    std::string name;
    std::vector<std::pair<long long, long long>> ranges;  // first and last number; none: all
    long long visits = 0;
    std::size_t last = 0;  // so many of the last ones only; 0: all
  };

  static bool parse_word(std::string_view word, Chosen& one);

  Chosen* find(const char* name);
  void begin(Chosen& chosen, long long number);
  void begin_latest();

  std::vector<Chosen> chosen_;
  const Chosen* open_ = nullptr;  // the one that has switched the recording on
  std::size_t nesting_ = 0;       // its begins without an end
  std::vector<Latest> latest_;    // a ring
  std::size_t latest_count_ = 0;  // of all that have begun
};

extern const Adapter kUserAdapter;

/// Of this process.
/// Calls: handler-safe.
Selection& selection();

/// False: selection() need not be asked.
extern bool g_has_selection;

}  // namespace tarry::measure
