// transport_library.cpp -- finds MPI libraries where the dynamic linker does, or else beside the launchers in PATH: not
// every module of a cluster sets LD_LIBRARY_PATH.
#include "exchange/transport_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <sstream>

#include "base/files/file.hpp"
#include "base/tool/own_library.hpp"

namespace tarry {
namespace {

// Its symbols are for our library and for the plug-ins that it loads itself.
bool load_for_all(const std::string& library) { return ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr; }

bool load_beside_launcher(const std::string& library) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!path_exists(folder + "/mpiexec") && !path_exists(folder + "/mpirun")) continue;
    for (const char* libraries : {"/../lib/", "/../lib64/"})
      if (load_for_all(folder + libraries + library)) return true;
  }
  return false;
}

bool load_mpi(const MpiFamily& family) {
  for (const char* library : family.libraries)
    if (load_for_all(library)) return true;
  for (const char* library : family.libraries)
    if (load_beside_launcher(library)) return true;
  return false;
}

Result<const Transport*> load_table(const MpiFamily& family) {
  TARRY_TRY_ASSIGN(path, find_own_library(family.transport));
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const void* const table = library ? ::dlsym(library, kTransportSymbol) : nullptr;
  if (table) return static_cast<const Transport*>(table);
  const char* const why = ::dlerror();
  return Error{path, why ? why : "is no library of tarry's", "install tarry again"};
}

}  // namespace

Result<const Transport*> load_transport(const Launch& launch) {
  for (const MpiFamily* family : launch.families)
    if (load_mpi(*family)) return load_table(*family);
  return Error{
      launch.libraries_in_words(),
      "the library of the launcher that started " + std::to_string(launch.processes) + " processes cannot be loaded",
      "name its folder in LD_LIBRARY_PATH, or run without the launcher"};
}

}  // namespace tarry
