// mpi_entries.cpp -- MPI_X as programs find them, for all ABIs: the types of arguments are not known here.
//
// An entry jumps to the address in its slot, so that all arguments stay where they are, and the return address is the
// program's. While the slot holds tarry_choose_N, all registers with arguments are saved, tarry_choose_mpi_target(N,
// return address) is called, and the jump goes to what it returns. No MPI function takes floating-point arguments.
#include "measure/dispatch/mpi_entries.hpp"

// TARRY_MPI_ENTRIES(ENTRY): ENTRY(number, name) for each function of any ABI, by name.
#include "abi/mpi_entry_list.hpp"

#include "measure/processor/mpi_entry_code.hpp"

TARRY_CHOOSE_CODE
TARRY_MPI_ENTRIES(TARRY_ASSEMBLED_ENTRY)

// The types that the assembler's symbols have here are not theirs: only addresses are taken.
#define TARRY_DECLARE(number, name)                            \
  extern "C" __attribute__((visibility("default"))) char name; \
  extern "C" __attribute__((visibility("hidden"))) char tarry_choose_##number;
TARRY_MPI_ENTRIES(TARRY_DECLARE)

#define TARRY_TARGET(number, name) &tarry_choose_##number,
extern "C" {
__attribute__((visibility("hidden"))) constinit void* tarry_mpi_targets[] = {TARRY_MPI_ENTRIES(TARRY_TARGET) nullptr};
}

namespace tarry::measure {
namespace {

#define TARRY_LIST(number, name) {#name, &name, &tarry_choose_##number},
constexpr MpiEntry kEntries[] = {TARRY_MPI_ENTRIES(TARRY_LIST){nullptr, nullptr, nullptr}};

}  // namespace

constinit const MpiEntry* const kMpiEntryList = kEntries;
constinit const std::size_t kMpiEntryCount = sizeof kEntries / sizeof kEntries[0] - 1;

void set_mpi_target(std::size_t number, void* target) {
  __atomic_store_n(&tarry_mpi_targets[number], target, __ATOMIC_RELAXED);
}

}  // namespace tarry::measure
