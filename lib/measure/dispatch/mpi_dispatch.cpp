// mpi_dispatch.cpp -- leads programs to the wrappers for the MPI library that they use.
//
//   state                                      MPI_Send leads to
//   MPI is not initialised (or is finalised)   tarry_choose_mpi_target(), and from there to what it returns
//   MPI is initialised                         the wrapper for the library's ABI: one jump more than a single ABI costs
//
// A library of a kind that is unknown, or was missing when this was built, is left alone: its own functions are called.
#include "measure/dispatch/mpi_dispatch.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/processes/launched_process.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/dispatch/mpi_library.hpp"

// TARRY_HAS_OPENMPI, TARRY_HAS_MPICH, TARRY_HAS_STANDARD: 1 if the wrappers are linked.
#include "abi/mpi_entry_list.hpp"
#include "measure/dispatch/mpi_entries.hpp"

namespace tarry::measure {
namespace {

constexpr bool kKnowsMpi = TARRY_HAS_OPENMPI || TARRY_HAS_MPICH || TARRY_HAS_STANDARD;

/// `end` if there is none.
template <class Entry>
const Entry* find_by_name(const Entry* begin, const Entry* end, const char* name) {
  const auto is_before = [](const Entry& entry, const char* wanted) { return std::strcmp(entry.name, wanted) < 0; };
  const Entry* const found = std::lower_bound(begin, end, name, is_before);
  return found != end && std::strcmp(found->name, name) == 0 ? found : end;
}

constexpr MpiKind kKnownKinds[] = {MpiKind::kOpenMpi, MpiKind::kMpich, MpiKind::kStandard};

const MpiWrappers* wrappers_for(MpiKind kind) {
  if (TARRY_HAS_OPENMPI && kind == MpiKind::kOpenMpi) return &tarry_openmpi_wrappers;
  if (TARRY_HAS_MPICH && kind == MpiKind::kMpich) return &tarry_mpich_wrappers;
  if (TARRY_HAS_STANDARD && kind == MpiKind::kStandard) return &tarry_standard_wrappers;
  return nullptr;
}

// The function of that name in the MPI library itself.
void* own_function(const MpiLibrary& library, const char* name) {
  const std::string pmpi = std::string("P") + name;
  return library.init ? find_beside(library.init, pmpi.c_str()).address : nullptr;
}

int fail() { return 1; }  // an error of every MPI library

// The name that it gives itself, or else its file.
std::string library_version(const MpiLibrary& library) {
  char version[16384] = "";
  int length = 0;
  if (void* function = find_beside(library.init, "PMPI_Get_library_version").address)
    reinterpret_cast<int (*)(char*, int*)>(function)(version, &length);
  std::string name(version);
  name.resize(std::min(name.size(), name.find_first_of("\n,")));
  std::replace(name.begin(), name.end(), '\t', ' ');
  Dl_info info;
  if (name.empty() && ::dladdr(library.init, &info) && info.dli_fname) name = info.dli_fname;
  return name;
}

// One of the job is enough to say something; a process of which no launcher tells is its own job.
bool is_first_process() {
  const char* const rank = launched_rank();
  return !rank || std::strcmp(rank, "0") == 0;
}

std::string why_left_alone(const MpiLibrary& library) {
  const std::string version = "'" + library_version(library) + "'";
  if (!kKnowsMpi) return "built without MPI, as no mpicxx was found: the calls of " + version + " are not recorded";
  const auto built_without = [&](const char* name) {
    return std::string("tarry was built without ") + name + " and does not record " + version;
  };
  switch (library.kind) {
    case MpiKind::kOpenMpi: return built_without("Open MPI");
    case MpiKind::kMpich: return built_without("MPICH");
    case MpiKind::kStandard: return built_without("the mpi.h of the standard ABI");
    case MpiKind::kUnknown: break;
  }
  return version + " is not an MPI library that tarry knows (Open MPI, or one with MPICH's or the standard ABI): " +
         "nothing is recorded";
}

// What else is recorded of the program remains. If there is nothing yet, `tarry measure` says why.
void go_on_without_mpi(const MpiLibrary& library) {
  if (phase() == Phase::kUntouched) return set_phase(Phase::kOff);
  if (is_first_process()) say(why_left_alone(library));
}

void leave_alone(const MpiLibrary& library) {
  if (!is_recording_wanted() || phase() == Phase::kOff) return;
  if (!kKnowsMpi) return go_on_without_mpi(library);
  if (is_first_process()) say(why_left_alone(library));
  finish_recording();
  set_phase(Phase::kOff);
}

bool is_start(const char* name) {
  for (const char* start : {"MPI_Init", "MPI_Init_thread", "MPI_Session_init"})
    if (std::strcmp(name, start) == 0) return true;
  return false;
}

// Answers where no MPI library is loaded: the program finds the entries only because this library is preloaded.
const MpiWrappers* any_wrappers() {
  for (const MpiKind kind : kKnownKinds)
    if (const MpiWrappers* wrappers = wrappers_for(kind)) return wrappers;
  return nullptr;
}

}  // namespace

void* find_wrapper(const MpiWrappers& wrappers, const char* name) {
  const MpiEntryPoint* const end = wrappers.entries + wrappers.entry_count;
  const MpiEntryPoint* const found = find_by_name(wrappers.entries, end, name);
  return found != end ? found->address : nullptr;
}

void settle_dispatch(const MpiWrappers& wrappers) {
  for (std::size_t i = 0; i < kMpiEntryCount; ++i)
    if (void* wrapper = find_wrapper(wrappers, kMpiEntryList[i].name)) set_mpi_target(i, wrapper);
}

void unsettle_dispatch() {
  for (std::size_t i = 0; i < kMpiEntryCount; ++i) set_mpi_target(i, kMpiEntryList[i].unsettled);
}

void* entry_point_of(const char* name) {
  const MpiEntry* const end = kMpiEntryList + kMpiEntryCount;
  const MpiEntry* const found = find_by_name(kMpiEntryList, end, name);
  return found != end ? found->address : nullptr;
}

bool is_only_ours(const char* name) {
  const bool is_ours =
      std::strncmp(name, "shmem_", 6) == 0 || (std::strncmp(name, "MPI_", 4) == 0 && entry_point_of(name));
  return is_ours && !find_loaded(name).address;
}

const MpiStarter* find_mpi_starter() {
  const MpiLibrary library = find_mpi_library(nullptr);
  const MpiWrappers* const wrappers = library.init ? wrappers_for(library.kind) : nullptr;
  return wrappers ? &wrappers->starter : nullptr;
}

void redirect_all_calls() {
  watch_aborts();
  for (const MpiKind kind : kKnownKinds)
    if (const MpiWrappers* wrappers = wrappers_for(kind)) wrappers->redirect_calls();
}

void leave_unknown_library_alone(const void* caller) {
  const MpiLibrary library = find_mpi_library(caller);
  if (library.init && !wrappers_for(library.kind)) leave_alone(library);
}

void* tarry_choose_mpi_target(std::size_t number, const void* caller) {
  const char* const name = kMpiEntryList[number].name;
  const MpiLibrary library = find_mpi_library(caller);
  // A library that only looks like MPI, or another tool's function in front of a library that is left alone.
  void* const next = library.init && wrappers_for(library.kind) ? nullptr : find_tool_function(name, caller);
  if (next && !library.init) return next;
  const MpiWrappers* const wrappers = library.init ? wrappers_for(library.kind) : any_wrappers();
  if (!wrappers && is_start(name)) leave_alone(library);
  void* target = wrappers ? find_wrapper(*wrappers, name) : nullptr;
  if (!target) target = next ? next : own_function(library, name);
  if (target) return target;
  say(std::string(name) + " was called, but the MPI library in use does not have it");
  return reinterpret_cast<void*>(fail);
}

}  // namespace tarry::measure
