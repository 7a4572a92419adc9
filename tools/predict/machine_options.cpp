// machine_options.cpp -- the options of tarry predict that describe another machine.
#include "machine_options.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "base/tool/cli.hpp"
#include "read_machine.hpp"

namespace tarry {
namespace {

// An option whose text `parse` reads into what `take` stores.
template <class Parse, class Take>
auto reader(Parse parse, Take take) {
  return [parse, take](const std::string& text) -> std::string {
    auto read = parse(text);
    if (!read.ok()) return read.error().text();
    take(std::move(read).value());
    return "";
  };
}

}  // namespace

void add_machine_options(CliOptions& cli, Machine& machine) {
  cli.option("--network", reader(parse_network, [&](Network network) { machine.network = network; }),
             "another network: 'ideal', or latency and bandwidth")
      .value_name("ideal|LAT,BW");
  cli.option("--collectives", reader(parse_collective_law, [&](CollectiveLaw law) { machine.collectives = law; }),
             "latencies of a collective operation of P ranks in another network: log (base 2 of P), or linear (P - 1)")
      .value_name("log|linear");
  cli.option("--cpu", machine.cpu_speed, "speed of computation (2: twice as fast)")
      .value_name("SPEED")
      .between(1e-6, 1e6, "0.000001 to 1000000");
  cli.option("--eager-limit", reader(parse_size, [&](std::uint64_t bytes) { machine.eager_limit = bytes; }),
             "larger messages make their sender wait for the receiver; 0: all do (default: as recorded; none in "
             "another network)")
      .value_name("BYTES");
  cli.option("--copy-bandwidth",
             reader(parse_copy_bandwidth, [&](double seconds) { machine.copy_seconds_per_byte = seconds; }),
             "copies between host and accelerators: 'ideal' (they take no time), or bytes per second")
      .value_name("ideal|BW");
  cli.flag("--overlap-copies", machine.overlaps_copies,
           "copies between host and accelerators run beside the kernels of other work");
  cli.flag("--bind-windows", machine.binds_one_sided,
           "one-sided synchronisation makes processes wait in another network, too");
}

}  // namespace tarry
