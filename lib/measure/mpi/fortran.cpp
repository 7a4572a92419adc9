// fortran.cpp -- MPI calls of Fortran programs: mpif.h, `use mpi` and `use mpi_f08`, under every name mangling.
//
// Open MPI's Fortran libraries are thin: whatever name a program calls (mpi_send, mpi_send_, mpi_send__, MPI_SEND,
// mpi_send_f08_), its arguments are converted (handles, status and buffer sentinels, logicals, strings, indices) and
// PMPI_Send of the C library is called. Wrappers named mpi_send_ would have to repeat these conversions for recording,
// and the mpi_f08 module would go past them: it calls internal names. So nothing of Fortran is wrapped here. Instead
// the places through which the Fortran libraries reach PMPI_X of the C library (the entries of their linkage tables)
// are pointed at our MPI_X, which gets arguments that the MPI library itself has converted.
//
// A Fortran library that is loaded while the program runs still reaches the C library when the program calls mpi_init_.
// So these names, and only these, are ours as well: they redirect what is loaded by now and call the next definition.
//
// What is not seen: attributes, keyvals and error handlers of Fortran programs, for which these libraries go to the
// inside of MPI (no enter and leave; none of them communicates), and programs that link the Fortran library statically.
#include "measure/mpi/fortran.hpp"

#include <link.h>

#include <cstring>
#include <string>
#include <string_view>

#include "base/file.hpp"
#include "measure/core/loaded_object.hpp"
#include "measure/core/say.hpp"
#include "measure/mpi/entry_points.hpp"
#include "measure/mpi/mpi_entry.hpp"

namespace tarry::measure {

namespace {

bool is_fortran_library(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return file.starts_with("libmpi_mpifh") || file.starts_with("libmpi_usempi");
}

/// True if a call comes from the binding of that name, and not from another one that needs the number for itself.
class Caller {
 public:
  explicit Caller(const char* binding) {
    const LoadedObject::Definition found = find_loaded(binding);
    begin_ = static_cast<const char*>(found.address);
    size_ = found.size;
  }
  bool is(const void* address) const {
    return size_ == 0 || static_cast<std::size_t>(static_cast<const char*>(address) - begin_) < size_;
  }

 private:
  const char* begin_ = nullptr;
  std::size_t size_ = 0;  // 0: not known
};

// The bindings of the collectives with counts ask for the size of the communicator; the program did not.
int comm_size_for_fortran(MPI_Comm comm, int* size) {
  static const Caller caller("ompi_comm_size_f");
  return caller.is(__builtin_return_address(0)) ? MPI_Comm_size(comm, size) : PMPI_Comm_size(comm, size);
}

// As MPI_Cart_rank does for the number of dimensions.
int cartdim_get_for_fortran(MPI_Comm comm, int* dimensions) {
  static const Caller caller("ompi_cartdim_get_f");
  return caller.is(__builtin_return_address(0)) ? MPI_Cartdim_get(comm, dimensions)
                                                : PMPI_Cartdim_get(comm, dimensions);
}

void* entry_of(const char* name) {
  if (std::strcmp(name, "PMPI_Comm_size") == 0) return reinterpret_cast<void*>(comm_size_for_fortran);
  if (std::strcmp(name, "PMPI_Cartdim_get") == 0) return reinterpret_cast<void*>(cartdim_get_for_fortran);
  return name[0] == 'P' ? entry_point_of(name + 1) : nullptr;
}

bool redirect(const LoadedObject& library) {
  return library.each_slot([&](const char* name, void** slot) {
    void* entry = entry_of(name);
    return !entry || library.write_slot(slot, entry);
  });
}

int redirect_library(dl_phdr_info* library, std::size_t, void*) {
  if (library->dlpi_name && is_fortran_library(library->dlpi_name) && !redirect(LoadedObject(*library)))
    say(std::string(library->dlpi_name) + ": " + system_error() + ": MPI calls from Fortran are not recorded");
  return 0;
}

/// Calls the next definition of `name` behind ours. `error`: the program's, which mpi_f08 lets it omit.
template <class... Arguments>
void start_binding(const char* name, int* error, Arguments... arguments) {
  redirect_fortran_calls();
  if (void* next = find_loaded(name).address) return reinterpret_cast<void (*)(Arguments...)>(next)(arguments...);
  say(std::string(name) + " was called, but no MPI library for Fortran is loaded");
  if (error) *error = MPI_ERR_UNSUPPORTED_OPERATION;
}

// Before the program starts: its first MPI call may be the one of a Fortran main program.
__attribute__((constructor)) void redirect_at_start() { redirect_fortran_calls(); }

}  // namespace

void redirect_fortran_calls() { ::dl_iterate_phdr(redirect_library, nullptr); }

}  // namespace tarry::measure

using namespace tarry::measure;

#define TARRY_FORTRAN_INIT(name) \
  TARRY_MPI_ENTRY void name(int* error) { start_binding(#name, error, error); }
#define TARRY_FORTRAN_INIT_THREAD(name)                                 \
  TARRY_MPI_ENTRY void name(int* required, int* provided, int* error) { \
    start_binding(#name, error, required, provided, error);             \
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
