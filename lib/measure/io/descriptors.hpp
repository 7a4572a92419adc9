// descriptors.hpp -- which file each descriptor is open for.
//
// Descriptors that the program has opened by name are files, and so are those that every process begins with. All
// others (sockets, pipes, what MPI has opened) are not looked at.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "measure/core/local_definitions.hpp"
#include "measure/io/file_hooks.hpp"

namespace tarry::measure {

/// By descriptor. A number is that of a definition, or it is not met yet. Those belong to the first three descriptors,
/// and to names that were noted before the recording. They become numbers of definitions where they are first met.
extern std::atomic<FileNumber> g_files[kMostDescriptors] __attribute__((visibility("hidden")));

/// Whether it is the number of a definition. Such numbers are positive.
inline bool is_met(FileNumber file) { return static_cast<std::int32_t>(file) > 0; }

/// The definition of a file that is met.
inline IoHandleId handle_of(FileNumber file) { return IoHandleId(static_cast<std::uint32_t>(file) - 1); }
inline FileNumber number_of(IoHandleId handle) { return static_cast<FileNumber>(handle.value + 1); }

/// The first three are files.
void note_standard_descriptors();

/// Whether the table is to be kept. Between vfork() and exec a child has this memory, too. A recording ends in front
/// of a sandbox, in which the question might be forbidden.
bool keeps_descriptors();

/// The file that is open there, which is met from here on. While something is recorded: else there are no definitions.
FileNumber file_at(int descriptor);

void set_file(int descriptor, FileNumber file);

/// Notes the name of a file that is opened before the recording begins; what to set for its descriptor.
FileNumber note_early(const char* path);

/// These are free for other files.
void forget_descriptors(unsigned first, unsigned last);

/// `to` becomes one more descriptor of what `from` is open for.
void copy_descriptor(int from, int to);

}  // namespace tarry::measure
