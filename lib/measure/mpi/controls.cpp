// controls.cpp -- MPI_Pcontrol, by which a program switches its recording off and on.
//
// The function takes any arguments behind its level. What they are is between the program and another tool. Those that
// registers hold are handed on.
#include "measure/callpath/steps.hpp"
#include "measure/core/runtime.hpp"
#include "measure/mpi/mpi_entry.hpp"

namespace tarry::measure {
namespace {

void control(int level) {
  if (!is_recording() || !settings().obeys_pcontrol) return;
  if (level == 0) switch_recording_off();
  if (level == 1) switch_recording_on();
  if (level == 2) write_out_events();
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_MPI_ENTRY int tarry_MPI_Pcontrol(const int level, void* a, void* b, void* c, void* d, void* e) {
  control(level);
  return NMPI_Pcontrol(level, a, b, c, d, e);
}
