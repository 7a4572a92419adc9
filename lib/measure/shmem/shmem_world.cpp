// shmem_world.cpp -- the processes of OpenSHMEM and sets of them, as windows of the recording, and places in memory.
#include "measure/shmem/shmem_world.hpp"

#include <dlfcn.h>
#include <link.h>

#include <atomic>

#include "base/arrays/flat_map.hpp"
#include "defs/comm_uid.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {
namespace {

constexpr std::uint32_t kMostSets = 10000;

struct ProcessSet {
  int start, stride, size;
  WindowId window;
  ProcessSet* next;
};

struct World {
  std::uint64_t uid = 0;
  int rank = 0, size = 0;
  CommId comm;
  std::atomic<WindowId> window{WindowId()};
};

World g_shmem;
RecorderLock g_sets_lock;
std::atomic<ProcessSet*> g_sets = nullptr;  // new ones are put in front
std::uint32_t g_set_count = 0;
std::atomic<std::uintptr_t> g_heap = 0;
std::atomic<std::uint64_t> g_open_operations = 0;
std::atomic<std::uint64_t> g_operations = 0;

ProcessSet* find_set(int start, int stride, int size) {
  ProcessSet* set = g_sets.load(std::memory_order_acquire);
  while (set && (set->start != start || set->stride != stride || set->size != size)) set = set->next;
  return set;
}

std::uint64_t uid_of_set(int start, int stride, int size) {
  std::uint64_t hash = g_shmem.uid;
  for (const int part : {start, stride, size}) hash = mix_bits(hash ^ mix_bits(static_cast<std::uint64_t>(part)));
  return comm_uid::of_creation(hash);
}

WindowId define_set(int start, int stride, int size, int rank) {
  const Locked lock(g_sets_lock);
  if (const ProcessSet* set = find_set(start, stride, size)) return set->window;
  if (g_set_count == kMostSets) return {};
  ++g_set_count;
  Communicator comm;
  comm.uid = uid_of_set(start, stride, size);
  comm.parent = g_shmem.comm;
  comm.rank = static_cast<std::uint32_t>(rank);
  comm.size = static_cast<std::uint32_t>(size);
  const CommId id = definitions().add_communicator("", comm);
  const WindowId window = definitions().add_window("", id);
  g_sets.store(new ProcessSet{start, stride, size, window, g_sets.load()}, std::memory_order_release);
  return window;
}

}  // namespace

void define_shmem_world(std::uint64_t world_uid, int rank, int size) {
  constexpr std::uint64_t kShmem = 0x7368656d;
  g_shmem.uid = comm_uid::of_creation(mix_bits(world_uid ^ mix_bits(kShmem)));
  g_shmem.rank = rank;
  g_shmem.size = size;
  Communicator comm;
  comm.uid = g_shmem.uid;
  comm.rank = static_cast<std::uint32_t>(rank);
  comm.size = static_cast<std::uint32_t>(size);
  g_shmem.comm = definitions().add_communicator("SHMEM_TEAM_WORLD", comm);
  g_shmem.window = definitions().add_window("symmetric memory", g_shmem.comm);
}

WindowId shmem_world() { return g_shmem.window.load(std::memory_order_acquire); }

bool is_process(int number) { return number >= 0 && number < g_shmem.size; }

WindowId shmem_set(int start, int stride, int size) {
  if (start == 0 && stride == 1 && size == g_shmem.size) return shmem_world();
  if (!shmem_world().is_valid() || start < 0 || stride < 1 || size < 1) return {};
  const int behind = g_shmem.rank - start;
  if (behind < 0 || behind % stride != 0 || behind / stride >= size) return {};
  if (const ProcessSet* set = find_set(start, stride, size)) return set->window;
  return define_set(start, stride, size, behind / stride);
}

// Of what lies in the program or a library, by its object. All else is in the heap.
std::uint64_t place_of(const volatile void* address) {
  constexpr std::uint64_t kStatic = std::uint64_t{1} << 62, kOfObject = (std::uint64_t{1} << 40) - 1;
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  dl_find_object found;
  if (::_dl_find_object(const_cast<void*>(address), &found) != 0)
    return (place - g_heap.load(std::memory_order_relaxed)) & (kStatic - 1);
  std::uint64_t name = 0;
  for (const char* letter = found.dlfo_link_map->l_name; *letter; ++letter)
    name = mix_bits(name ^ static_cast<unsigned char>(*letter));
  const std::uint64_t offset = place - reinterpret_cast<std::uintptr_t>(found.dlfo_map_start);
  return kStatic | (name & (kStatic - 1) & ~kOfObject) | (offset & kOfObject);
}

void note_heap(const void* address) {
  std::uintptr_t none = 0;
  if (address) g_heap.compare_exchange_strong(none, reinterpret_cast<std::uintptr_t>(address));
}

std::uint64_t next_operation() { return g_operations.fetch_add(1, std::memory_order_relaxed) + 1; }

std::uint64_t open_operations() {
  std::uint64_t open = g_open_operations.load(std::memory_order_relaxed);
  if (open != 0) return open;
  const std::uint64_t number = next_operation();
  return g_open_operations.compare_exchange_strong(open, number) ? number : open;
}

std::uint64_t take_open_operations() { return g_open_operations.exchange(0); }

}  // namespace tarry::measure
