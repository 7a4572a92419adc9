// shared_options.hpp -- options and notes that several operations of tarry cube have.
#pragma once

#include "ops.hpp"

namespace tarry {

inline constexpr char kUnionNotes[] =
    R"(Reports that differ are unified: a metric, call path, process or thread that only
some of them have is in the result. Processes are the same if type and rank are,
call paths if their regions (name, file, lines) and call sites are.

)";

inline constexpr char kExtremeNotes[] =
    R"(The operation takes exclusive values, from the reports that have them. Inclusive
values follow from these.

)";

/// What happens to machines, processes and regions on the way: --reduce, --collapse, --by-name.
void add_system_options(CliOptions& line, CliOption inputs, CubeOptions& options);

/// --by: the items that are listed.
void add_items(CliOptions& line, CubeOptions& options);

/// --format of a verdict.
void add_format(CliOptions& line, CubeOptions& options);

}  // namespace tarry
