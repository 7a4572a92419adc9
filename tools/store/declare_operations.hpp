// declare_operations.hpp -- the operations of tarry-store as the command line has them.
#pragma once

#include <vector>

#include "base/tool/cli_options.hpp"
#include "base/result.hpp"
#include "store_commands.hpp"

namespace tarry {

/// What may be named on the command line, and what it runs. The number is the exit status.
struct StoreOperation {
  CliOptions line;
  Result<int> (*run)(const StoreOptions& options);
};

/// Declares all operations and their options, whose values go to `options`.
std::vector<StoreOperation> declare_operations(CliOptions& cli, StoreOptions& options);

/// Fails on what the options of the chosen operation leave out, or on parameters that cannot be read.
Status check_usage(const StoreOperation& chosen, const StoreOptions& options);

}  // namespace tarry
