// archive_name.hpp -- what the user's name for the archive means.
#pragma once

#include <string>

#include "base/result.hpp"
#include "environment.hpp"

namespace tarry {

/// `name` with the job's number in place of each "%j", as the variables of Slurm, PBS, LSF or Grid Engine tell it.
/// Everything else stays. Fails outside of a batch job.
Result<std::string> expand_archive_name(const std::string& name, const Environment& environment);

}  // namespace tarry
