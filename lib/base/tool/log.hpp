// log.hpp -- the one gate to stderr: messages with a level, and the name of the tool in front.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tarry {

enum class Verbosity { kQuiet, kNormal, kVerbose };

/// Sets what the following functions print in front ("tarry-replay") and how much. Call once, from main.
void log_setup(std::string tool, Verbosity verbosity);

/// "tarry-X: what: why (what to do)"; always printed.
void log_error(const Error& error);

/// "tarry-X: warning: ..."; printed unless quiet.
void log_warning(std::string_view text);

/// Progress and hints; printed unless quiet.
void log_info(std::string_view text);

/// Details; printed with -v only.
void log_detail(std::string_view text);

Verbosity log_verbosity();

/// True if people look at the stream: it is a terminal, TERM is not "dumb" and NO_COLOR is unset.
bool is_for_people(int descriptor);

}  // namespace tarry
