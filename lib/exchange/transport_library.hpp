// transport_library.hpp -- loads the MPI library of a launcher, and ours for its ABI.
#pragma once

#include "base/result.hpp"
#include "exchange/launcher.hpp"
#include "exchange/transport.hpp"

namespace tarry {

/// MPI is not started yet; both libraries stay loaded to the end. Fails if there is none of the launch's families.
Result<const Transport*> load_transport(const Launch& launch);

}  // namespace tarry
