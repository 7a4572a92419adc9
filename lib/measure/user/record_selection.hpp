// record_selection.hpp -- recording inside chosen user regions and iterations only (TARRY_SELECT).
//
// "solve step:0-9,100" records inside each visit of the region `solve`, and inside the iterations 0 to 9 and 100 of the
// loop `step`; for a region, numbers count its visits. The recording is paused elsewhere, in all threads.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tarry::measure {

class Selection {
 public:
  /// Reads a selection; false if it is none.
  bool parse(const char* text);

  bool is_active() const { return !chosen_.empty(); }

  /// A region, or an iteration, begins or has ended. The first one that is chosen switches the recording on, its end off.
  void begin(const char* name);
  void begin(const char* name, long long number);
  void end(const char* name);

 private:
  struct Chosen {
    std::string name;
    std::vector<std::pair<long long, long long>> ranges;  // first and last number; none: all
    long long visits = 0;
  };

  Chosen* find(const char* name);
  void begin(Chosen& chosen, long long number);

  std::vector<Chosen> chosen_;
  const Chosen* open_ = nullptr;  // the one that has switched the recording on
  std::size_t nesting_ = 0;       // its begins without an end
};

/// Of this process.
Selection& selection();

/// False: selection() need not be asked.
extern bool g_has_selection;

}  // namespace tarry::measure
