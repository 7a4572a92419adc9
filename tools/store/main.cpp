// main.cpp -- tarry-store: a repository of runs, in a file or on a server.
#include <vector>

#include "base/tool/cli.hpp"
#include "base/tool/log.hpp"
#include "base/tool/tool_main.hpp"
#include "declare_operations.hpp"

using namespace tarry;

static const char kFooter[] = R"(
Examples:
  tarry store add run1 run2 --param n=512 --tag baseline
  tarry store list --where "n >= 512 and program = cg"
  tarry store show -m time --region solve
  tarry store query "SELECT run, metric, total FROM run_metrics WHERE total > 100"

A store is an SQLite file or a PostgreSQL database. Without --store it is $TARRY_STORE, or ./tarry.db.

Files:
  reads archives and reports (.cubex) of tarry, Score-P and Scalasca; reads and writes the store.
See also: tarry history, tarry scale, docs/STORE.md)";

static int store_main(int argc, char** argv) {
  Cli cli("store", "Keeps runs in a database, and answers questions about them.", kFooter);
  cli.needs_operation();
  StoreOptions options;
  const std::vector<StoreOperation> operations = declare_operations(cli, options);
  if (const auto status = cli.parse(argc, argv)) return *status;
  for (const StoreOperation& operation : operations) {
    if (!operation.line.is_chosen()) continue;
    if (const Status usage = check_usage(operation, options); !usage.ok()) {
      log_error(usage.error());
      return kExitUsage;
    }
    return cli.finish(operation.run(options));
  }
  return kExitUsage;
}

int main(int argc, char** argv) { return tool_main("store", argc, argv, store_main); }
