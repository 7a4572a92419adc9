// fortran_init.cpp -- MPI_INIT of Fortran programs, under every name mangling and in mpi_f08.
//
// A Fortran library that is loaded while the program runs still reaches the C library when the program calls mpi_init_.
// So these names, and only these, are ours as well: they redirect what is loaded by now and call the next definition.
// The rest of Fortran is in lib/measure/mpi/fortran.cpp.
#include <string>

#include "measure/core/loaded_object.hpp"
#include "measure/core/say.hpp"
#include "measure/dispatch/mpi_dispatch.hpp"

namespace tarry::measure {
namespace {

/// Calls the next definition of `name` behind ours, for the code at `caller`. `error`: the program's, which mpi_f08
/// lets it omit.
template <class... Arguments>
void start_binding(const char* name, const void* caller, int* error, Arguments... arguments) {
  redirect_all_calls();
  leave_unknown_library_alone(caller);
  if (void* next = find_loaded(name).address) return reinterpret_cast<void (*)(Arguments...)>(next)(arguments...);
  say(std::string(name) + " was called, but no MPI library for Fortran is loaded");
  if (error) *error = 1;
}

// Before the program starts: its first MPI call may be the one of a Fortran main program.
__attribute__((constructor)) void redirect_at_start() { redirect_all_calls(); }

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

#define TARRY_FORTRAN_ENTRY extern "C" __attribute__((visibility("default")))
#define TARRY_FORTRAN_INIT(name) \
  TARRY_FORTRAN_ENTRY void name(int* error) { start_binding(#name, __builtin_return_address(0), error, error); }
#define TARRY_FORTRAN_INIT_THREAD(name)                                                  \
  TARRY_FORTRAN_ENTRY void name(int* required, int* provided, int* error) {              \
    start_binding(#name, __builtin_return_address(0), error, required, provided, error); \
  }

TARRY_FORTRAN_INIT(mpi_init)
TARRY_FORTRAN_INIT(mpi_init_)
TARRY_FORTRAN_INIT(mpi_init__)
TARRY_FORTRAN_INIT(MPI_INIT)
TARRY_FORTRAN_INIT(mpi_init_f08_)
TARRY_FORTRAN_INIT_THREAD(mpi_init_thread)
TARRY_FORTRAN_INIT_THREAD(mpi_init_thread_)
TARRY_FORTRAN_INIT_THREAD(mpi_init_thread__)
TARRY_FORTRAN_INIT_THREAD(MPI_INIT_THREAD)
TARRY_FORTRAN_INIT_THREAD(mpi_init_thread_f08_)
