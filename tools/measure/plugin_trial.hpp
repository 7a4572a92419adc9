// plugin_trial.hpp -- --metric-plugin: finds plug-ins, and tries them out before the program has them.
#pragma once

#include <string>

#include "base/result.hpp"

namespace tarry {

/// The list with full paths; a name without a slash ("network") is a plug-in of Tarry's. Each is started and read in a
/// process of its own. Fails if it is no plug-in, crashes or does not end. What has nothing to count here is no error:
/// the program may run elsewhere.
Result<std::string> find_plugins(const std::string& list);

}  // namespace tarry
