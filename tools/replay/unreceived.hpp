// unreceived.hpp -- messages that a program sends and never receives: nothing of its recording is missing.
#pragma once

#include <string>

#include "trace/faults.hpp"

namespace tarry {

/// "12 messages are sent and never received (first: ...)", if that is all that was
/// found in the archive of a complete recording. Else empty.
std::string unreceived_messages(const std::string& archive, const FaultLog& faults);

}  // namespace tarry
