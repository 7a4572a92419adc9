// run_unify.hpp -- closes a recording that was not closed, and writes the global definitions and the summary.
#pragma once

#include <string>

#include "base/result.hpp"
#include "defs/tree_unify.hpp"

namespace tarry {

/// What all processes of `group` do together; `command` is what the archive remembers of this tool's command line.
/// Where the definitions are there already, only a summary that is missing is made.
Status run_unify(const std::string& path, const std::string& command, GroupTransport& group);

}  // namespace tarry
