// machine_options.hpp -- the options of tarry predict that describe another machine.
#pragma once

#include "prediction/simulation/machine.hpp"
#include "base/tool/cli_options.hpp"

namespace tarry {

/// Declares the options of network, processors and protocols. A word that cannot be read is wrong usage.
void add_machine_options(CliOptions& cli, Machine& machine);

}  // namespace tarry
