// perfstubs.cpp -- libtarry-perfstubs.so: annotations by PerfStubs, which finds its tool by the names of these
// functions.
//
// It is preloaded only where it is asked for: PerfStubs prints a line on stdout about the tool that it finds. It has no
// use for counters and metadata. A timer, as the program knows it, is its name.
#include <cstdint>

#include "measure/annotations-layer/annotation_names.hpp"
#include "measure/annotations-layer/open_annotations.hpp"
#include "measure/annotations-layer/recorder_access.hpp"

#define PERFSTUBS_FUNCTION extern "C" __attribute__((visibility("default"), used))

namespace tarry::measure {
namespace {

struct TimerData {
  unsigned timers, threads, metrics;
  char **timer_names, **metric_names;
  double* values;
};

struct CounterData {
  unsigned counters, threads;
  char** names;
  double *samples, *totals, *minima, *maxima, *squares;
};

struct Metadata {
  unsigned values;
  char **names, **texts;
};

const char* kept_timer(const char* name) { return kept_name(AnnotationText().add(name)); }

// Each ends by its own name, whatever is open inside.
void begin_timer(const char* name) { begin_annotation(name, name); }

template <class Data>
void give_nothing(Data* data) {
  if (data) *data = {};
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

// PerfStubs asks for this one first, and for no other if it is missing.
PERFSTUBS_FUNCTION void ps_tool_initialize() {}
PERFSTUBS_FUNCTION void ps_tool_finalize() {}

PERFSTUBS_FUNCTION void ps_tool_pause_measurement() {
  if (const AnnotationHooks* const hooks = recorder()) hooks->pause();
}
PERFSTUBS_FUNCTION void ps_tool_resume_measurement() {
  if (const AnnotationHooks* const hooks = recorder()) hooks->resume();
}

PERFSTUBS_FUNCTION const void* ps_tool_timer_create(const char* name) { return kept_timer(name); }
PERFSTUBS_FUNCTION void ps_tool_timer_start(const void* timer) {
  if (is_kept_name(timer)) begin_timer(static_cast<const char*>(timer));
}
PERFSTUBS_FUNCTION void ps_tool_timer_stop(const void* timer) { end_annotation(timer); }

PERFSTUBS_FUNCTION void ps_tool_start_string(const char* name) { begin_timer(kept_timer(name)); }
PERFSTUBS_FUNCTION void ps_tool_stop_string(const char* name) { end_annotation(kept_timer(name)); }
PERFSTUBS_FUNCTION void ps_tool_stop_current() { end_latest_annotation(); }

PERFSTUBS_FUNCTION void ps_tool_dynamic_phase_start(const char* prefix, int number) {
  const char* const name = kept_timer(prefix);
  begin_iteration(name, number, name);
}
PERFSTUBS_FUNCTION void ps_tool_dynamic_phase_stop(const char* prefix, int) { end_annotation(kept_timer(prefix)); }

// Programs that ask what has been measured read what they are given.
PERFSTUBS_FUNCTION void ps_tool_get_timer_data(TimerData* data) { give_nothing(data); }
PERFSTUBS_FUNCTION void ps_tool_get_counter_data(CounterData* data) { give_nothing(data); }
PERFSTUBS_FUNCTION void ps_tool_get_metadata(Metadata* data) { give_nothing(data); }
