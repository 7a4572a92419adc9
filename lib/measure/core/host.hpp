// host.hpp -- facts about this process, its program and its node.
//
// Calls: may block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "measure/core/local_definitions.hpp"

namespace tarry::measure {

std::int64_t process_id();

/// At most `limit` bytes of a file of /proc or /sys; empty if it cannot be read.
std::string read_start(const char* path, std::size_t limit);

/// Records what program runs: path, arguments unless redacted, and on `with_environment` the variables that
/// configure the measurement and MPI.
void define_program(LocalDefinitions& definitions, bool is_redacted, bool with_environment);

/// Records at which core this process runs, if it is bound to one.
void define_hardware_place(LocalDefinitions& definitions, WorldRank rank);

/// Records cores, processor and network of this node. Of the processes on a node, one does, where a launcher tells
/// which is the first; else all do.
void define_host_facts(LocalDefinitions& definitions);

}  // namespace tarry::measure
