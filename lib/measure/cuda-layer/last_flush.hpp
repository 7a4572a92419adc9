// last_flush.hpp -- CUPTI is asked for the records that it still has, when the recording ends or the process exits.
//
// Calls: may block.
#pragma once

namespace tarry::measure {

/// From here on the first end of these asks: that of the recording, or the process's exit.
void prepare_last_flush();

}  // namespace tarry::measure
