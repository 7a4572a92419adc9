// clock_check.hpp -- does a trace need 'tarry sync' before it is analysed?
#pragma once

#include <string>

#include "replay/trace.hpp"

namespace tarry {

/// What to tell the user; may be empty. It warns of messages (matched) that are received before they are sent. It also
/// warns of an archive of several clocks without 'tarry sync'. Collective over the analysis processes.
std::string clock_warning(const Trace& trace, const std::string& input);

}  // namespace tarry
