// symmetric_heap.cpp -- the symmetric heap of OpenSHMEM. All processes take part when it changes, and wait for each
// other.
#include "measure/shmem/shmem_facts.hpp"

using namespace tarry;
using namespace tarry::measure;

namespace tarry::measure {
namespace {

struct Allocation : ShmemCollective {
  void end(ShmemCall& call, const void* memory) const {
    note_heap(memory);
    ShmemCollective::end(call);
  }
};

// Nobody waits where nothing changes.
Allocation allocation(std::size_t size) {
  return {{.window = size ? shmem_world() : WindowId(), .operation = CollectiveOp::kAllocate}};
}
ShmemCollective deallocation(const void* memory) {
  return {.window = memory ? shmem_world() : WindowId(), .operation = CollectiveOp::kDeallocate};
}

}  // namespace
}  // namespace tarry::measure

#define TARRY_MALLOC(name)                                                             \
  TARRY_SHMEM_ENTRY void* name(std::size_t size) {                                     \
    TARRY_SHMEM_FUNCTION(#name, kAllocate);                                            \
    return run_shmem<void*>(function, stack_of_caller_here(), allocation(size), size); \
  }
#define TARRY_MALLOC_OF_TWO(name, role, first, second, size)                               \
  TARRY_SHMEM_ENTRY void* name(first one, second two) {                                    \
    TARRY_SHMEM_FUNCTION(#name, role);                                                     \
    return run_shmem<void*>(function, stack_of_caller_here(), allocation(size), one, two); \
  }
#define TARRY_FREE(name)                                                             \
  TARRY_SHMEM_ENTRY void name(void* memory) {                                        \
    TARRY_SHMEM_FUNCTION(#name, kDeallocate);                                        \
    run_shmem<void>(function, stack_of_caller_here(), deallocation(memory), memory); \
  }

TARRY_MALLOC(shmem_malloc)
TARRY_MALLOC(shmalloc)
TARRY_MALLOC_OF_TWO(shmem_calloc, kAllocate, std::size_t, std::size_t, one&& two)
TARRY_MALLOC_OF_TWO(shmem_align, kAllocate, std::size_t, std::size_t, two)
TARRY_MALLOC_OF_TWO(shmemalign, kAllocate, std::size_t, std::size_t, two)
TARRY_MALLOC_OF_TWO(shmem_malloc_with_hints, kAllocate, std::size_t, long, one)
TARRY_MALLOC_OF_TWO(shmem_realloc, kReallocate, void*, std::size_t, one || two)
TARRY_MALLOC_OF_TWO(shrealloc, kReallocate, void*, std::size_t, one || two)
TARRY_FREE(shmem_free)
TARRY_FREE(shfree)
