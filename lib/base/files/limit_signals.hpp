// limit_signals.hpp -- the signals by which a refused write would end a tool.
#pragma once

#include <csignal>

namespace tarry {

/// A write without a reader, or beyond a file-size limit, then fails with an error instead of SIGPIPE or SIGXFSZ.
/// Remembers which of the two were not ignored before. Call once, from main().
void ignore_write_signals();

/// The signals that ignore_write_signals() has changed. A command that is started must find their default action.
sigset_t changed_write_signals();

/// Takes the change back, before exec(2).
void restore_write_signals();

}  // namespace tarry
