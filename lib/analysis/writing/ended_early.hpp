// ended_early.hpp -- which processes were killed or left, in words for people.
#pragma once

#include <string>

#include "replay/trace.hpp"

namespace tarry {

/// "rank 2 was killed or left after 5.9 s, without closing its recording; then ranks 0,1,3". Empty if none was. A rank
/// that has ended the program comes first: "rank 2 called MPI_Abort after 5.9 s; then ranks 0,1,3". In front of that
/// stands why recordings ended before their ranks. The time is that of the last recorded event, since the start of the
/// trace. Collective over the analysis processes.
std::string tell_early_ends(const Trace& trace);

}  // namespace tarry
