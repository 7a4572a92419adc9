// fortran.cpp -- MPI calls of Fortran programs: mpif.h, `use mpi` and `use mpi_f08`, under every name mangling.
//
// The Fortran libraries are thin. A program calls mpi_send, mpi_send_, mpi_send__, MPI_SEND or mpi_send_f08_. The
// library converts the arguments (handles, status and buffer sentinels, logicals, strings, indices) and calls PMPI_Send
// of the C library. Wrappers named mpi_send_ would have to repeat these conversions for recording. The mpi_f08 module
// would go past them: it calls internal names. So nothing of Fortran is wrapped here.
//
// Instead the linkage tables of the Fortran libraries are changed: entries for PMPI_X of the C library are pointed at
// our MPI_X. It gets arguments that the MPI library itself has converted. Of MPICH that concerns mpi_f08; mpif.h and
// `use mpi` call MPI_X there.
//
// Libraries that are loaded while the program runs: dispatch/fortran_init.cpp.
//
// Calls for attributes, keyvals and error handlers of Fortran programs are not seen (no enter and leave). For them
// these libraries use internal functions of MPI. None of them communicates. Programs that link the Fortran library
// statically are not seen either.
#include "measure/mpi/fortran.hpp"

#include <link.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "base/files/file.hpp"
#include "measure/core/loaded_object.hpp"
#include "measure/core/say.hpp"
#include "measure/mpi/mpi_entry.hpp"
#include "measure/mpi/other_tools.hpp"

namespace tarry::measure {

namespace {

#ifdef TARRY_STANDARD_MPI
constexpr std::array<std::string_view, 0> kLibraries = {};
#elif defined(OPEN_MPI)
constexpr std::string_view kLibraries[] = {"libmpi_mpifh", "libmpi_usempi"};
#else
constexpr std::string_view kLibraries[] = {"libmpichfort", "libmpifort"};
#endif

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

/// A function that other bindings call for themselves, too: that of MPI_Alltoallw asks for the size of the
/// communicator, which the program did not. Only calls from its own binding reach the wrapper.
template <const auto& kBinding, auto kMember, auto kWrapper>
struct Shared;

template <const auto& kBinding, class... Arguments, int (*MpiFunctions::*kMember)(Arguments...),
          int (*kWrapper)(Arguments...)>
struct Shared<kBinding, kMember, kWrapper> {
  static int call(Arguments... arguments) {
    static const Caller caller(kBinding);
    if (!caller.is(__builtin_return_address(0))) return (g_mpi.*kMember)(arguments...);
    pass_tool_by(g_tools.*kMember);
    return kWrapper(arguments...);
  }
};

struct SharedFunction {
  const char* name;
  void* entry;
};

#define TARRY_SHARED(function, binding)                                              \
  [] {                                                                               \
    static constexpr char kBinding[] = binding;                                      \
    using Entry = Shared<kBinding, &MpiFunctions::function, &MPI_##function>;        \
    return SharedFunction{"PMPI_" #function, reinterpret_cast<void*>(&Entry::call)}; \
  }()

void* entry_of(const char* name) {
#ifndef TARRY_STANDARD_MPI
  static const SharedFunction kShared[] = {
#ifdef OPEN_MPI
      TARRY_SHARED(Comm_size, "ompi_comm_size_f"),
      TARRY_SHARED(Cartdim_get, "ompi_cartdim_get_f"),
#else
      TARRY_SHARED(Comm_size, "mpi_comm_size_f08_"),
      TARRY_SHARED(Cartdim_get, "mpi_cartdim_get_f08_"),
      TARRY_SHARED(Dist_graph_neighbors_count, "mpi_dist_graph_neighbors_count_f08_"),
      // Parts of arrays are described by datatypes.
      TARRY_SHARED(Type_commit, "mpi_type_commit_f08_"),
      TARRY_SHARED(Type_contiguous, "mpi_type_contiguous_f08_"),
      TARRY_SHARED(Type_create_hvector, "mpi_type_create_hvector_f08_"),
      TARRY_SHARED(Type_free, "mpi_type_free_f08_"),
#endif
  };
  for (const SharedFunction& shared : kShared)
    if (std::strcmp(name, shared.name) == 0) return shared.entry;
#endif
  if (void* const entry = entry_past_tools(name)) return entry;
  return name[0] == 'P' ? find_wrapper(TARRY_OWN_WRAPPERS, name + 1) : nullptr;
}
#undef TARRY_SHARED

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

}  // namespace

bool is_fortran_library(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return std::any_of(std::begin(kLibraries), std::end(kLibraries),
                     [file](std::string_view library) { return file.starts_with(library); });
}

void redirect_fortran_calls() { ::dl_iterate_phdr(redirect_library, nullptr); }

}  // namespace tarry::measure
