// function_names.hpp -- the functions a process has called: by address at once, by name at the end.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "defs/code_places.hpp"
#include "defs/definitions.hpp"
#include "defs/region_filter.hpp"
#include "measure/callpath/region_map.hpp"
#include "measure/core/clock.hpp"

namespace tarry::measure {

class FunctionNames {
 public:
  /// Reads the filter of the settings; without one that can be read, all is recorded.
  /// Calls: may block.
  FunctionNames();

  const RegionFilter& filter() const { return filter_; }

  /// Defines the function at `address` as a region; its number, or kFiltered. Where a filter asks for its name, that is
  /// looked up now. `is_main`: its name is that if it has no symbol. kUnknownRegion in a signal handler that cannot do
  /// that at the moment.
  RegionId define(std::uintptr_t address, bool is_main);

  /// Whether that is the region of all code made at run time beyond the places that are told apart.
  bool is_shared(RegionId region) const { return region == other_run_time_; }

  /// Defines a function of a script. Its code may have been made several times: then it is one region. kUnknownRegion
  /// as above.
  RegionId define_interpreted(const std::string& name, const std::string& file, std::uint32_t line);

  /// Defines a region as it is called from one place; kUnknownRegion as above.
  RegionId define_at_site(RegionId region, std::uintptr_t return_address);

  /// The same for a call on a line of a script.
  RegionId define_at_line(RegionId region, const std::string& file, std::uint32_t line);

  /// Looks up the names, files and lines of all functions and calls that have none yet.
  /// Calls: at end only.
  void describe_all();

 private:
  // Where a function is, also after its library has been unloaded.
  struct Function {
    RegionId region = {};
    std::uint32_t module = 0;
    std::uint64_t address = 0;  // within the file
    bool is_main = false;
  };

  // Code that was made at run time.
  struct RunTimePlace {
    RegionId region = {};
    std::uintptr_t address = 0;
    Ticks seen = 0;  // first
  };

  CodePlace find(const Function& function);
  RegionId define_run_time_code(std::uintptr_t address);
  void describe_run_time_code();

  Function locate(std::uintptr_t address);
  std::uint32_t number_of_module(const std::string& path);

  RegionFilter filter_;
  CodePlaces places_;
  std::vector<std::string> modules_;
  std::vector<Function> unnamed_;
  std::vector<Function> sites_;  // calls, by the last byte of their instructions
  std::vector<RunTimePlace> run_time_;
  RegionId other_run_time_ = kUnknownRegion;
  std::map<std::tuple<std::string, std::string, std::uint32_t>, RegionId> interpreted_;  // to the region
  std::map<std::tuple<RegionId, std::string, std::uint32_t>, RegionId> lines_;           // and those at a call site
};

}  // namespace tarry::measure
