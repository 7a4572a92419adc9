// debug_server.hpp -- debug information from the servers in DEBUGINFOD_URLS, by build ID. Not for measured processes.
#pragma once

#include <cstdint>
#include <span>

namespace tarry {

/// A descriptor of the file with the debug information; -1 if no server has it. elfutils asks them, and keeps what they
/// send in its cache. All calls together take half a minute at most: from then on none is asked.
int ask_debug_servers(std::span<const std::uint8_t> build_id);

}  // namespace tarry
