// program_time.hpp -- when the program of a report ran: source files that were changed later are of another one.
#pragma once

#include <ctime>
#include <optional>
#include <string>

namespace tarry {

/// The start of the run if the report lies in an archive, else the time of the report; nothing for a stream.
std::optional<std::time_t> program_time(const std::string& report);

}  // namespace tarry
