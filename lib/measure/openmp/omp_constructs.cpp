// omp_constructs.cpp -- regions of OpenMP constructs.
#include "measure/openmp/omp_constructs.hpp"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <string>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "defs/code_places.hpp"
#include "measure/callpath/left_out_calls.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/recorder_lock.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {
namespace {

struct ConstructInfo {
  std::string_view name;
  RegionRole role;
};

constexpr ConstructInfo kConstructs[kConstructCount] = {
    {"!$omp parallel", RegionRole::kParallel},
    {"!$omp teams", RegionRole::kParallel},
    {"!$omp for", RegionRole::kLoop},
    {"!$omp sections", RegionRole::kSections},
    {"!$omp section", RegionRole::kSection},
    {"!$omp single", RegionRole::kSingle},
    {"!$omp single sblock", RegionRole::kSingleBlock},
    {"!$omp master", RegionRole::kMaster},
    {"!$omp critical", RegionRole::kCritical},
    {"!$omp critical sblock", RegionRole::kCriticalBlock},
    {"!$omp ordered", RegionRole::kOrdered},
    {"!$omp ordered sblock", RegionRole::kOrderedBlock},
    {"!$omp workshare", RegionRole::kWorkshare},
    {"!$omp distribute", RegionRole::kLoop},
    {"!$omp taskloop", RegionRole::kLoop},
    {"!$omp barrier", RegionRole::kBarrier},
    {"!$omp implicit barrier", RegionRole::kImplicitBarrier},
    {"!$omp taskwait", RegionRole::kTaskWait},
    {"!$omp taskgroup", RegionRole::kTaskWait},
    {"!$omp reduction", RegionRole::kCode},
    {"!$omp create task", RegionRole::kTaskCreate},
    {"!$omp task", RegionRole::kTask},
    {"!$omp flush", RegionRole::kFlush},
    {"!$omp atomic", RegionRole::kAtomic},
    {"!$omp target", RegionRole::kCode},
    {"!$omp target enter data", RegionRole::kCode},
    {"!$omp target exit data", RegionRole::kCode},
    {"!$omp target update", RegionRole::kCode},
    {"!$omp target launch", RegionRole::kCode},
    {"!$omp target wait", RegionRole::kCode},
    {"!$omp target copy", RegionRole::kCode},
    {"!$omp target kernel", RegionRole::kFunction},
    {"omp_set_lock", RegionRole::kFunction},
    {"omp_unset_lock", RegionRole::kFunction},
    {"omp_test_lock", RegionRole::kFunction},
    {"omp_set_nest_lock", RegionRole::kFunction},
    {"omp_unset_nest_lock", RegionRole::kFunction},
    {"omp_test_nest_lock", RegionRole::kFunction},
};

// Addresses to regions: open addressing, entries are only ever added. `region` is written before `key`.
constexpr std::size_t kSlots = 1 << 14;
struct Slot {
  std::atomic<std::uint64_t> key{0};
  RegionId region{0};  // zeros take no room in the library
};

struct Table {
  RecorderLock lock;
  Slot slots[kSlots];
  std::size_t used = 0;
};

Table g_table;

std::uint64_t key_of(Construct construct, const void* address) {
  return (static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address)) << 6) |
         (static_cast<std::uint64_t>(construct) + 1);
}

Slot& slot_of(std::uint64_t key) {
  std::size_t at = mix_bits(key) % kSlots;
  for (;; at = (at + 1) % kSlots) {
    const std::uint64_t there = g_table.slots[at].key.load(std::memory_order_acquire);
    if (there == key || there == 0) return g_table.slots[at];
  }
}

// File and line of a construct, also after its library has been unloaded.
struct UnnamedRegion {
  RegionId region = {};
  Construct construct = Construct::kParallel;
  std::string path;
  std::uint64_t address = 0;  // within the file, of the call
};
std::vector<UnnamedRegion>* g_unnamed = nullptr;  // guarded by the table's lock

UnnamedRegion locate(Construct construct, const void* address) {
  UnnamedRegion found{.construct = construct, .path = {}, .address = reinterpret_cast<std::uintptr_t>(address)};
  Dl_info info;
  link_map* map = nullptr;
  if (!::dladdr1(const_cast<void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) || !map)
    return found;
  found.path = map->l_name && *map->l_name ? map->l_name : executable_path();
  found.address -= map->l_addr + 1;  // a return address lies behind the call
  return found;
}

std::string name_at(Construct construct, const std::string& place) {
  return std::string(name_of(construct)) + (place.empty() ? "" : " @" + place);
}

std::string name_in_source(Construct construct, std::string_view file, std::uint32_t line) {
  return name_at(construct, std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(line));
}

RegionId add_region(Construct construct, const std::string& name, std::string_view file, std::uint32_t line) {
  return definitions().add_region(name, file, line, Paradigm::kOpenMp, role_of(construct));
}

RegionId define_at(Construct construct, const void* address) {
  if (is_function(construct)) return add_region(construct, std::string(name_of(construct)), "OMP", 0);
  if (!address) return add_region(construct, name_at(construct, ""), "", 0);
  UnnamedRegion unnamed = locate(construct, address);
  unnamed.region =
      add_region(construct, name_at(construct, address_name(unnamed.path, unnamed.address)), unnamed.path, 0);
  if (!g_unnamed) g_unnamed = new std::vector<UnnamedRegion>;
  g_unnamed->push_back(std::move(unnamed));
  return g_unnamed->back().region;
}

// Parallel regions are what threads are in.
std::uint8_t group_of_construct(Construct construct) {
  switch (construct) {
    case Construct::kParallel:
    case Construct::kTeams: return kAllEvents;
    case Construct::kTaskloop:
    case Construct::kTaskwait:
    case Construct::kTaskgroup:
    case Construct::kTaskCreate:
    case Construct::kTask: return kOpenMpTaskEvents;
    case Construct::kCritical:
    case Construct::kCriticalBlock:
    case Construct::kOrdered:
    case Construct::kOrderedBlock:
    case Construct::kFlush:
    case Construct::kAtomic: return kOpenMpLockEvents;
    default: break;
  }
  if (is_function(construct)) return kOpenMpLockEvents;
  return construct >= Construct::kTarget ? kOpenMpTargetEvents : kOpenMpTeamEvents;
}

// A release without its acquisition tells nothing: functions of one kind of locks are left out together.
constexpr Construct kLockFunctions[][3] = {
    {Construct::kSetLock, Construct::kUnsetLock, Construct::kTestLock},
    {Construct::kSetNestLock, Construct::kUnsetNestLock, Construct::kTestNestLock},
};

constexpr std::uint64_t bit_of(Construct construct) { return std::uint64_t{1} << static_cast<int>(construct); }
static_assert(kConstructCount <= 64);

constinit std::atomic<std::uint64_t> g_left_out = 0;  // a bit for each construct

}  // namespace

void choose_constructs() {
  std::uint64_t left_out = 0;
  for (int i = 0; i < kConstructCount; ++i) {
    const auto construct = static_cast<Construct>(i);
    const std::uint8_t group = group_of_construct(construct);
    if (group != kAllEvents && g_left_out_of_openmp.leaves_out(name_of(construct), group, "omp_"))
      left_out |= bit_of(construct);
  }
  for (const auto& kind : kLockFunctions) {
    const std::uint64_t all = bit_of(kind[0]) | bit_of(kind[1]) | bit_of(kind[2]);
    if (left_out & all) left_out |= all;
  }
  g_left_out.store(left_out, std::memory_order_relaxed);
}

bool is_construct_left_out(Construct construct) {
  if (!(g_left_out.load(std::memory_order_relaxed) & bit_of(construct))) [[likely]]
    return false;
  g_left_out_of_openmp.note();
  return true;
}

void describe_constructs() {
  const Locked lock(g_table.lock);
  if (!g_unnamed) return;
  CodePlaces places;
  for (const UnnamedRegion& unnamed : *g_unnamed) {
    const CodePlace place = places.find_line_or_before(unnamed.path, unnamed.address);
    if (place.line == 0) continue;
    const std::string name = name_in_source(unnamed.construct, place.file, place.line);
    definitions().describe_region(unnamed.region, {name, name, place.file, place.line});
  }
  g_unnamed->clear();
}

std::string_view name_of(Construct construct) { return kConstructs[static_cast<int>(construct)].name; }

bool holds_code(Construct construct) {
  switch (role_of(construct)) {
    case RegionRole::kParallel:
    case RegionRole::kLoop:
    case RegionRole::kSections:
    case RegionRole::kSection:
    case RegionRole::kSingleBlock:
    case RegionRole::kMaster:
    case RegionRole::kCriticalBlock:
    case RegionRole::kOrderedBlock:
    case RegionRole::kWorkshare:
    case RegionRole::kTask: return construct != Construct::kTaskloop;
    default: return false;
  }
}

RegionRole role_of(Construct construct) { return kConstructs[static_cast<int>(construct)].role; }

RegionId region_at(Construct construct, const void* address) {
  if (is_construct_left_out(construct)) return RegionId();
  const std::uint64_t key = key_of(construct, is_function(construct) ? nullptr : address);
  if (const Slot& slot = slot_of(key); slot.key.load(std::memory_order_acquire) == key) [[likely]]
    return slot.region;
  const Locked lock(g_table.lock);
  Slot& slot = slot_of(key);
  if (slot.key.load() == key) return slot.region;
  // A full table: all further places of a construct are one.
  if (g_table.used * 2 > kSlots && address) return g_table.slots[0].region;
  slot.region = define_at(construct, address);
  slot.key.store(key, std::memory_order_release);
  ++g_table.used;
  return slot.region;
}

RegionId region_in_source(Construct construct, std::string_view file, std::uint32_t line) {
  return add_region(construct, name_in_source(construct, file, line), file, line);
}

}  // namespace tarry::measure
