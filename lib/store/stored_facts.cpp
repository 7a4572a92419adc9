// stored_facts.cpp -- the facts of a run as they were when it was added.
#include "store/stored_facts.hpp"

#include "store/content_key.hpp"

namespace tarry {

Result<RunFacts> facts_of_stored(Database& database, const StoredRun& run) {
  RunFacts facts{.source = run.source,
                 .program = run.program,
                 .revision = run.commit,
                 .flags = run.flags,
                 .modules = run.modules,
                 .command = run.command,
                 .kind = run.kind,
                 .started = run.started,
                 .ended = run.ended,
                 .exit_status = run.exit_status,
                 .incomplete = run.incomplete,
                 .machine = {},
                 .parameters = run.parameters,
                 .tags = run.tags};
  TARRY_TRY(
      database.query("SELECT m.name, m.network, m.clocks, m.mpi FROM experiment e "
                     "JOIN physical_machine m ON m.id = e.physical_machine WHERE e.id = $1",
                     {run.id}, [&](const SqlRow& row) -> Status {
                       facts.machine.name = row.text(0);
                       facts.machine.network = row.text(1);
                       facts.machine.clocks = row.text(2);
                       facts.machine.mpi = row.text(3);
                       return {};
                     }));
  TARRY_TRY(
      database.query("SELECT n.name, n.cores, n.processor, n.network FROM experiment e "
                     "JOIN physical_node n ON n.machine = e.physical_machine WHERE e.id = $1 ORDER BY n.position",
                     {run.id}, [&](const SqlRow& row) -> Status {
                       NodeFacts& node = facts.machine.nodes.emplace_back();
                       node.name = row.text(0);
                       if (!row.is_null(1)) node.cores = row.integer(1);
                       node.processor = row.text(2);
                       node.network = row.text(3);
                       return {};
                     }));
  TARRY_TRY(
      database.query("SELECT value FROM efficiency WHERE experiment = $1 AND model = 'standard' AND name = 'transfer'",
                     {run.id}, [&](const SqlRow& row) -> Status {
                       facts.transfer = row.real(0);
                       return {};
                     }));
  return facts;
}

std::vector<std::uint8_t> key_of_text(const std::string& digits) {
  std::vector<std::uint8_t> key;
  if (!bytes_of_digits(digits, key) || key.size() != ContentKey().size()) key.clear();
  return key;
}

}  // namespace tarry
