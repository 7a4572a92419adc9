// weak_references.cpp -- programs that ask whether a function is there: `if (MPI_Session_init) ...`, declared weak.
//
// Our MPI_X are there for every MPI library, also those that this one does not have. The program would take the way of
// an MPI that is not there: such references hold 0 again, as without us. The same holds for annotations.
#include <link.h>

#include "measure/core/loaded_object.hpp"
#include "measure/dispatch/annotation_entries.hpp"
#include "measure/dispatch/mpi_dispatch.hpp"

namespace tarry::measure {
namespace {

int clear_references(dl_phdr_info* info, std::size_t, void*) {
  const LoadedObject object(*info);
  object.each_weak_reference([&](const char* name, void** reference) {
    const bool is_ours = is_only_ours(name) && *reference == entry_point_of(name);
    if (*reference && (is_ours || is_only_for_annotations(name))) object.write_slot(reference, nullptr);
  });
  return 0;
}

// Before the program starts: later, it may have looked.
__attribute__((constructor)) void clear_references_at_start() { ::dl_iterate_phdr(clear_references, nullptr); }

}  // namespace
}  // namespace tarry::measure
