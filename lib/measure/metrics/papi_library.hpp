// papi_library.hpp -- PAPI, where it is installed: loaded when somebody asks for its counters, and never needed
// otherwise.
//
// Calls: may block.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "defs/definitions.hpp"

namespace tarry::measure {

/// An event as PAPI describes it.
struct PapiEvent {
  int code = 0;
  int component = 0;  // events of one component are counted together
  std::string unit;
  std::string description;
  CounterMode mode = CounterMode::kSinceStart;
};

class PapiLibrary {
 public:
  /// The library of this process, initialised; nullptr, and `why` in words, if there is none. Never unloaded.
  static PapiLibrary* load(std::string& why);

  /// Looks an event up that can be counted here; false, and `why`, if it cannot.
  bool find(const std::string& name, PapiEvent& event, std::string& why) const;

  /// True if PAPI has the name in its list, whether or not it can be counted here.
  bool knows(const std::string& name) const;

  /// True if native events with this beginning can be counted here ("perf::").
  bool has_native_prefix(std::string_view prefix) const;

  /// The number of counters of the processor that can be used.
  int count_hardware_counters() const;

  /// Why they cannot be used, in PAPI's words; may be empty.
  std::string why_no_hardware_counters() const;

  /// Names of all events that can be counted here, presets first; at most `limit`.
  std::vector<std::string> list(std::size_t limit) const;

  /// A new set of events of the calling thread that counts already, or a negative number, and `why`.
  int start(const std::vector<std::string>& events, std::string& why) const;

  /// Current values of a set of the calling thread. False if that fails.
  bool read(int set, long long* values) const { return read_(set, values) == 0; }

  void stop(int set, std::size_t events) const;

 private:
  PapiLibrary() = default;
  bool find_functions(void* handle);
  bool initialise(std::string& why);
  std::string text_of(int status) const;
  bool can_count(const std::string& event) const;
  bool describe(const std::string& name, PapiEvent& event) const;

  template <class Visit>
  void for_each_event(Visit visit) const;

  int (*init_)(int) = nullptr;
  int (*thread_init_)(unsigned long (*)()) = nullptr;
  int (*num_components_)() = nullptr;
  int (*num_counters_)(int) = nullptr;
  const void* (*component_info_)(int) = nullptr;
  int (*name_to_code_)(const char*, int*) = nullptr;
  int (*code_to_name_)(int, char*) = nullptr;
  int (*query_)(int) = nullptr;
  int (*event_info_)(int, void*) = nullptr;
  int (*event_component_)(int) = nullptr;
  int (*enumerate_)(int*, int, int) = nullptr;
  int (*create_)(int*) = nullptr;
  int (*add_)(int, const char*) = nullptr;
  int (*start_)(int) = nullptr;
  int (*read_)(int, long long*) = nullptr;
  int (*stop_)(int, long long*) = nullptr;
  int (*cleanup_)(int) = nullptr;
  int (*destroy_)(int*) = nullptr;
  char* (*strerror_)(int) = nullptr;
};

}  // namespace tarry::measure
