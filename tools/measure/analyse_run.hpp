// analyse_run.hpp -- from a finished recording to its findings: the tools that follow, one after the other.
#pragma once

#include <string>

#include "base/result.hpp"
#include "environment.hpp"

namespace tarry {

/// Runs sync, replay and report on the archive, and explore if `page` is not empty. What they print goes to stderr, as
/// stdout belongs to the measured program. If a tool fails, those behind it do not run. `environment`: as the user has
/// it. The tools do not see that a launcher has started us, so that each runs alone.
void analyse_run(const std::string& archive, const std::string& page, const Environment& environment);

/// Before the run: whether a page can be made, and be written there.
Status check_page(const std::string& page);

}  // namespace tarry
