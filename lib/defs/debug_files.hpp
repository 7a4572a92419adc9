// debug_files.hpp -- where the debug information of an ELF file may lie if it was split off.
//
// Source: GDB manual, "Debugging Information in Separate Files". Servers are asked elsewhere (debug_server.hpp): the
// caller may be a process that is measured.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"

namespace tarry {

/// Folders with debug information, besides those of the program: /usr/lib/debug and those in TARRY_DEBUG_PATH.
std::vector<std::string> debug_folders();

/// FOLDER/.build-id/ab/cdef.debug for the build ID abcdef, in each of `folders`. No paths for an ID of one byte.
std::vector<std::string> paths_by_build_id(std::span<const std::uint8_t> id, const std::vector<std::string>& folders);

/// For the file at `path` whose .gnu_debuglink is `name`: beside it, in .debug/, and below each of `folders`.
std::vector<std::string> paths_by_link(const std::string& path, std::string_view name,
                                       const std::vector<std::string>& folders);

/// Whether the checksum of the file's content is the one in .gnu_debuglink. False for what cannot be read, and for more
/// than 4 GiB.
bool has_checksum(const File& file, std::uint32_t checksum);

}  // namespace tarry
