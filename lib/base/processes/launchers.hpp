// launchers.hpp -- programs that start the processes of a parallel job.
#pragma once

#include <string_view>

namespace tarry {

/// Whether that is the name or the path of a launcher, or of the daemon that starts its processes on a node. May run
/// inside the measured program.
bool is_launcher(std::string_view program);

}  // namespace tarry
