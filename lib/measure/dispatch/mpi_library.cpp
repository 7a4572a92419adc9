// mpi_library.cpp -- looks for MPI libraries among all that is loaded.
//
// A program may load MPI late, with dlopen and RTLD_LOCAL, and it may load several. The kind shows in a symbol that the
// mpi.h of that ABI refers to, so that every library of the ABI has it. That of the standard ABI has its own file name.
#include "measure/dispatch/mpi_library.hpp"

#include <dlfcn.h>

#include <cstring>

#include "measure/dispatch/linker_lookup.hpp"
#include "measure/dispatch/mpi_dispatch.hpp"

namespace tarry::measure {
namespace {

struct Walk {
  void* preferred = nullptr;
  MpiLibrary found;
  int libraries = 0;
};

constexpr char kOpenMpiObject[] = "ompi_mpi_comm_world";

// Open MPI 6 keeps its objects in another library.
bool imports_open_mpi(const LoadedObject& library) {
  return !library.each_import([](const char* name) { return std::strcmp(name, kOpenMpiObject) != 0; });
}

int visit(dl_phdr_info* info, std::size_t, void* data) {
  static constexpr SymbolName kInit = "PMPI_Init";
  Walk& walk = *static_cast<Walk*>(data);
  const LoadedObject object(*info);
  void* const init = object.find(kInit).address;
  if (!init) return 0;
  if (walk.libraries++ == 0 || init == walk.preferred) walk.found = {init, mpi_kind_of(object)};
  return 0;
}

}  // namespace

MpiKind mpi_kind_of(const LoadedObject& library) {
  static constexpr SymbolName kOpenMpi = kOpenMpiObject, kMpich = "MPIR_Dup_fn";
  if (library.find(kOpenMpi).address) return MpiKind::kOpenMpi;
  if (library.find(kMpich).address) return MpiKind::kMpich;
  if (library.name() && std::strcmp(library.name(), "libmpi_abi.so.1") == 0) return MpiKind::kStandard;
  return imports_open_mpi(library) ? MpiKind::kOpenMpi : MpiKind::kUnknown;
}

MpiLibrary find_mpi_library(const void* caller) {
  Walk walk;
  ::dl_iterate_phdr(visit, &walk);
  if (walk.libraries < 2) return walk.found;
  Walk again;
  again.preferred = find_as_linker(caller, RTLD_DEFAULT, "PMPI_Init");
  ::dl_iterate_phdr(visit, &again);
  return again.found;
}

// The dynamic linker's own functions change what dlerror() tells: they are asked only where there is a tool.
void* find_tool_function(const char* name, const void* caller) {
  const auto is_of_tool = [](void* found) { return found && !find_beside(found, "PMPI_Init").address; };
  if (!is_of_tool(find_loaded(name).address)) return nullptr;
  void* const found = find_as_linker(caller, RTLD_NEXT, name);
  return is_of_tool(found) && found != entry_point_of(name) ? found : nullptr;
}

}  // namespace tarry::measure
