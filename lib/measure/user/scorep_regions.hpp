// scorep_regions.hpp -- regions of Score-P's user interface: what a handle points to.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "measure/core/adapter.hpp"

// The functions of both headers are declared for programs that are instrumented.
#define TARRY
#include "measure/user/tarry/user.h"
#define SCOREP_USER_ENABLE
#include "measure/user/tarry-scorep/scorep/SCOREP_User.h"

/// As the first use of the region tells; what later ones tell does not count. It stays where it is.
struct tarry_scorep_region {
  tarry_scorep_region(std::string_view region_name, SCOREP_User_RegionType type, std::string_view file_name,
                      unsigned line);

  void begin();
  void end() const { tarry_region_end(place.name); }

  const std::string name, file;
  const tarry_region place;
  const bool is_dynamic;

 private:
  struct Instances {
    const void* thread;
    long long count;
    Instances* next;
  };

  long long next_instance();

  std::atomic<Instances*> instances_{nullptr};  // of each thread that has begun it
};

namespace tarry::measure {

/// The region of a handle, made for it if it has none.
tarry_scorep_region& scorep_region_of(SCOREP_User_RegionHandle& handle, std::string_view name,
                                      SCOREP_User_RegionType type, std::string_view file, unsigned line);

/// The one region of that name, for all that have no handle.
tarry_scorep_region& scorep_region_named(std::string_view name, SCOREP_User_RegionType type, std::string_view file,
                                         unsigned line);
/// Null if there is none.
tarry_scorep_region* find_scorep_region(std::string_view name);

/// What follows is recorded under "name=value".
void begin_scorep_parameter(std::string_view name, long long value);
void begin_scorep_parameter(std::string_view name, unsigned long long value);
void begin_scorep_parameter(std::string_view name, const char* value);

/// `what` is the kind of thing that is not recorded: "metric", "topology".
void leave_out_of_scorep(std::string_view what, std::string_view name);

/// The archive tells what was left out.
extern const Adapter kScorepAdapter;

}  // namespace tarry::measure
