// left_out_calls.hpp -- which calls of OpenMP, POSIX threads and files are not recorded: by TARRY_EVENTS, and by rules
// of the filter (TARRY_FILTER).
//
// A rule counts for the calls of a library if its pattern begins as their names do ("pthread_mutex_*"). So "EXCLUDE *"
// leaves only functions of the program out. Functions of files have nothing in common: their names stand in full.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "measure/core/settings.hpp"

namespace tarry::measure {

class LeftOutCalls {
 public:
  explicit constexpr LeftOutCalls(const EventClass& kind) : kind_(kind) {}

  /// Whether a call is left out. When the recording starts. `prefix`: what patterns begin with that may mean it.
  bool leaves_out(std::string_view name, std::uint8_t bits, std::string_view prefix);

  /// A call was left out.
  /// Calls: handler-safe.
  void note() {
    if (!is_met_.load(std::memory_order_relaxed)) is_met_.store(true, std::memory_order_relaxed);
  }

  /// "openmp:tasks omp_*"; empty if no call was left out.
  std::string text() const;

 private:
  const EventClass& kind_;
  std::vector<std::string>* patterns_ = nullptr;  // that leave calls out; never destroyed
  std::atomic<bool> is_met_ = false;
};

extern LeftOutCalls g_left_out_of_openmp, g_left_out_of_threads, g_left_out_of_files;

/// Notes in the archive what was left out. When the recording ends.
void describe_left_out_calls();

}  // namespace tarry::measure
