// mpi_binding.cpp -- finds PMPI_X and MPI's objects in the library that the program has loaded, and notices if it goes.
//
//   state            g_mpi holds                      a call costs
//   not initialised  entries that verify the binding  a look at the dynamic linker's counters
//   initialised      the MPI library's functions      nothing more
//
// A program may load MPI late, with dlopen and RTLD_LOCAL: no symbol of it is then in our scope. It may unload MPI
// before MPI_Init or after MPI_Finalize. Between them the library stays, so that its functions replace the entries.
//
// Of several definitions the first one in the order of loading counts, as it does for the dynamic linker. Data objects
// may lie in the executable, which comes first.
#include "measure/mpi/mpi_binding.hpp"

#include <link.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <type_traits>

#include "measure/core/loaded_object.hpp"
#include "measure/core/say.hpp"
#include "measure/dispatch/mpi_dispatch.hpp"
#include "measure/dispatch/mpi_library.hpp"
#include "measure/mpi/mpi_api.hpp"
#include "measure/mpi/other_tools.hpp"

namespace tarry::measure {
namespace {

using Slot [[gnu::may_alias]] = void*;

constexpr std::size_t kFunctionNameCount = kMpiFunctionNames.size();
constexpr std::size_t kObjectCount = kMpiObjectNames.size();
static_assert(sizeof(MpiFunctions) == kFunctionNameCount * sizeof(Slot));
static_assert(kObjectCount == 0 || sizeof(MpiObjects) == kObjectCount * sizeof(Slot));

Slot* slots(MpiFunctions& table) { return reinterpret_cast<Slot*>(&table); }
Slot* slots(MpiObjects& table) { return reinterpret_cast<Slot*>(&table); }

// What was found last. Threads that look at the same time write the same addresses, or are overtaken. If the state of
// the counters is out of date then, the next call looks again.
MpiFunctions g_found;
std::atomic<unsigned long long> g_loads = 0, g_unloads = 0;
std::atomic<void*> g_preferred_init = nullptr;  // PMPI_Init of the one to choose if several libraries have it

/// One walk over the loaded libraries. The tables count only if `is_needed`.
struct Walk {
  bool is_forced = false, is_begun = false, is_needed = false;
  unsigned long long loads = 0, unloads = 0;
  int mpi_libraries = 0;
  MpiFunctions functions;
  MpiObjects objects;
};

// A library that has been loaded since does not change what was found.
bool is_up_to_date(const dl_phdr_info& linker) {
  return g_found.Init ? g_unloads.load(std::memory_order_acquire) == linker.dlpi_subs
                      : g_loads.load(std::memory_order_acquire) == linker.dlpi_adds;
}

void begin(Walk& walk, const dl_phdr_info& linker) {
  walk.is_begun = true;
  walk.is_needed = walk.is_forced || !is_up_to_date(linker);
  walk.loads = linker.dlpi_adds;
  walk.unloads = linker.dlpi_subs;
  if (!walk.is_needed) return;
  walk.functions = {};
  walk.objects = {};
}

void take_definitions(const LoadedObject& object, const SymbolName* names, std::size_t count, Slot* table,
                      bool is_preferred) {
  for (std::size_t i = 0; i < count; ++i) {
    if (table[i] && !is_preferred) continue;
    if (void* address = object.find(names[i]).address) table[i] = address;
  }
}

int visit(dl_phdr_info* info, std::size_t, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  if (!walk.is_begun) begin(walk, *info);
  if (!walk.is_needed) return 1;
  const LoadedObject object(*info);
  void* const init = object.find("PMPI_Init").address;
  if (init && mpi_kind_of(object) != kOwnKind) return 0;
  const bool is_preferred = init && init == g_preferred_init.load(std::memory_order_relaxed);
  if (init) ++walk.mpi_libraries;
  take_definitions(object, kMpiFunctionNames.data(), kFunctionNameCount, slots(walk.functions), is_preferred);
  take_definitions(object, kMpiObjectNames.data(), kObjectCount, slots(walk.objects), is_preferred);
  return 0;
}

// Other threads may be calling through the table.
void store(Slot* table, const Slot* addresses, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) __atomic_store_n(&table[i], addresses[i], __ATOMIC_RELAXED);
}

/// The number of MPI libraries that are loaded, if it had to look.
int verify_binding(bool is_forced) {
  Walk walk;
  walk.is_forced = is_forced;
  ::dl_iterate_phdr(visit, &walk);
  if (!walk.is_needed) return 0;
  store(slots(g_found), slots(walk.functions), kFunctionNameCount);
  store(slots(g_mpi_objects), slots(walk.objects), kObjectCount);
  g_loads.store(walk.loads, std::memory_order_release);
  g_unloads.store(walk.unloads, std::memory_order_release);
  find_tools(nullptr);
  return walk.mpi_libraries;
}

int fail(std::size_t function) {
  static std::atomic<bool> is_said = false;
  const std::string name = kMpiFunctionNames[function].text + 1;
  if (!is_said.exchange(true))
    say(g_found.Init ? "the MPI library in use has no " + name : name + " was called, but no MPI library is loaded");
  return MPI_ERR_UNSUPPORTED_OPERATION;
}

/// Called in place of a function of the MPI library.
template <auto kMember>
struct Entry;

template <class... Arguments, int (*MpiFunctions::*kMember)(Arguments...)>
struct Entry<kMember> {
  static int call(Arguments... arguments) {
    verify_binding(false);
    if (is_mpi_initialised()) trust_binding();
    if (const auto function = g_found.*kMember) return function(arguments...);
    if constexpr (kAsksForState) {
      if (!g_found.Init) return answer_without_mpi(arguments...);
    }
    const auto* slot = reinterpret_cast<const Slot*>(&(g_found.*kMember));
    return fail(static_cast<std::size_t>(slot - slots(g_found)));
  }

 private:
  static constexpr bool kAsksForState = [] {
    if constexpr (std::is_same_v<decltype(kMember), decltype(&MpiFunctions::Initialized)>)
      return kMember == &MpiFunctions::Initialized || kMember == &MpiFunctions::Finalized;
    else return false;
  }();

  // The program carries no MPI, and finds this library's functions only because it is preloaded.
  static int answer_without_mpi(int* flag) {
    *flag = 0;
    return MPI_SUCCESS;
  }
};

constexpr MpiFunctions kUntrusted = kMpiEntries<Entry>;

/// The same for the function that follows behind a wrapper.
template <auto kMember>
struct NextEntry;

template <class... Arguments, int (*MpiFunctions::*kMember)(Arguments...)>
struct NextEntry<kMember> {
  static int call(Arguments... arguments) {
    verify_binding(false);
    if (is_mpi_initialised()) trust_binding();
    return (g_tools.*kMember ? kToolCalls.*kMember : g_mpi.*kMember)(arguments...);
  }
};

constexpr MpiFunctions kUntrustedNext = kMpiEntries<NextEntry>;

// Behind our wrapper comes the MPI_X of another tool, if it has one.
void trust_next() {
  MpiFunctions through = kToolCalls;
  for (std::size_t i = 0; i < kFunctionNameCount; ++i)
    __atomic_store_n(&slots(g_next)[i], slots(g_tools)[i] ? slots(through)[i] : slots(g_mpi)[i], __ATOMIC_RELAXED);
}

}  // namespace

constinit MpiFunctions g_mpi = kUntrusted;
constinit MpiFunctions g_next = kUntrustedNext;
constinit MpiObjects g_mpi_objects = {};

bool is_mpi_initialised() {
  int has_begun = 0, has_ended = 0;
  if (!g_found.Initialized || !g_found.Finalized) return false;
  g_found.Initialized(&has_begun);
  g_found.Finalized(&has_ended);
  return has_begun && !has_ended;
}

// From now on, calls go straight to the library. What it lacks stays an entry that says so.
void trust_binding() {
  Slot* const trusted = slots(g_mpi);
  for (std::size_t i = 0; i < kFunctionNameCount; ++i)
    if (Slot address = slots(g_found)[i]) __atomic_store_n(&trusted[i], address, __ATOMIC_RELAXED);
  trust_next();
  settle_dispatch(TARRY_OWN_WRAPPERS);
}

void distrust_binding() {
  MpiFunctions untrusted = kUntrusted, untrusted_next = kUntrustedNext;
  store(slots(g_mpi), slots(untrusted), kFunctionNameCount);
  store(slots(g_next), slots(untrusted_next), kFunctionNameCount);
  unsettle_dispatch();
}

void bind_mpi_of(const void* caller) {
  if (verify_binding(true) >= 2) {
    g_preferred_init.store(find_mpi_library(caller).init, std::memory_order_relaxed);
    verify_binding(true);
  }
  find_tools(caller);
}

}  // namespace tarry::measure
