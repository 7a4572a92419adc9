// descriptors.hpp -- which file each descriptor is open for.
//
// Descriptors that the program has opened by name are files, and so are those that every process begins with. All
// others (sockets, pipes, what MPI has opened) are not looked at.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "measure/io/file_hooks.hpp"

namespace tarry::measure {

/// Marks a number in the table that is not that of a file yet. It is of one of the first three descriptors, or of a
/// name that was noted before the recording. It becomes the number of a file where it is first met.
inline constexpr std::uint32_t kUnmet = 1u << 31;

/// By descriptor: the file's number, from 1 on, or one that is not met yet; 0: none that is known.
extern std::atomic<std::uint32_t> g_files[kMostDescriptors] __attribute__((visibility("hidden")));

/// Of a number in the table: it is that of a file.
inline bool is_met(std::uint32_t file) { return static_cast<std::int32_t>(file) > 0; }

/// The first three are files.
void note_standard_descriptors();

/// Whether the table is to be kept. Between vfork() and exec a child has this memory, too. A recording ends in front
/// of a sandbox, in which the question might be forbidden.
bool keeps_descriptors();

/// The number of the file that is open there; 0: none that is known. While something is recorded: else there are no
/// definitions.
std::uint32_t file_at(int descriptor);

void set_file(int descriptor, std::uint32_t file);

/// Notes the name of a file that is opened before the recording begins; what to set for its descriptor.
std::uint32_t note_early(const char* path);

/// These are free for other files.
void forget_descriptors(unsigned first, unsigned last);

/// `to` becomes one more descriptor of what `from` is open for.
void copy_descriptor(int from, int to);

}  // namespace tarry::measure
