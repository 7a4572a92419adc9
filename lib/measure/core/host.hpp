// host.hpp -- facts about this process, its program and its node.
#pragma once

#include <cstdint>

#include "measure/core/local_definitions.hpp"

namespace tarry::measure {

std::int64_t process_id();

/// Records what program runs: path, arguments unless redacted, and on `with_environment` the variables that
/// configure the measurement and MPI.
void define_program(LocalDefinitions& definitions, bool is_redacted, bool with_environment);

/// Records at which core this process runs, if it is bound to one.
void define_hardware_place(LocalDefinitions& definitions, std::uint32_t rank);

}  // namespace tarry::measure
