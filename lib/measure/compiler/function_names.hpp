// function_names.hpp -- the functions a process has called: by address at once, by name at the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "defs/code_places.hpp"
#include "defs/region_filter.hpp"

namespace tarry::measure {

class FunctionNames {
 public:
  /// Reads the filter of the settings; without one that can be read, all is recorded.
  FunctionNames();

  const RegionFilter& filter() const { return filter_; }

  /// Defines the function at `address` as a region; its number, or kFiltered. Where a filter asks for its name, that is
  /// looked up now. kUnknownRegion in a signal handler that cannot do that at the moment.
  std::uint32_t define(std::uintptr_t address);

  /// Looks up the names, files and lines of all functions that have none yet.
  void describe_all();

 private:
  // Where a function is, also after its library has been unloaded.
  struct Function {
    std::uint32_t region = 0;
    std::uint32_t module = 0;
    std::uint64_t address = 0;  // within the file
  };

  Function locate(std::uintptr_t address);
  std::uint32_t number_of_module(const std::string& path);

  RegionFilter filter_;
  CodePlaces places_;
  std::vector<std::string> modules_;
  std::vector<Function> unnamed_;
};

}  // namespace tarry::measure
