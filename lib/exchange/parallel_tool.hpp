// parallel_tool.hpp -- what the main() of a tool does that may run on many processes.
#pragma once

#include "base/tool/cli.hpp"
#include "exchange/exchange.hpp"

namespace tarry {

/// Joins the job, calls `run(exchange)`, a Result<int>, and maps its outcome to the exit status. An error that all
/// processes see is said by one.
template <class Run>
int run_on_all(Cli& cli, int argc, char** argv, Run run) {
  Exchange exchange;
  if (const Status joined = exchange.join_job(&argc, &argv); !joined.ok())
    return exchange.rank() == 0 ? cli.finish(joined) : kExitFailed;
  const Result<int> outcome = run(exchange);
  if (exchange.size() > 1 && !exchange.all_of(outcome.ok()) && exchange.rank() != 0) return kExitFailed;
  return cli.finish(outcome);
}

}  // namespace tarry
