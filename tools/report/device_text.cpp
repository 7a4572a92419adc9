// device_text.cpp -- accelerators as text for people.
#include "device_text.hpp"

#include "base/text/format.hpp"

namespace tarry {

// Where processes differ by more than a tenth.
static std::string spread_text(const KernelFinding& kernel) {
  constexpr double kLeast = 1.1;
  if (kernel.largest < kLeast * kernel.mean) return "";
  return ", most on rank " + std::to_string(kernel.worst.value) + ": " + format_seconds(kernel.largest) + ", average " +
         format_seconds(kernel.mean);
}

// Where it is less of the time of queues, nothing is told of work that waits for others without need.
static constexpr double kLeastHolding = 0.05;

static std::string order_text(const QueueOrderFinding& order, const ReportStructure& structure,
                              const ShownRegions& names) {
  const auto name = [&](const QueuedPath& path) {
    return shorten_middle(names.name_of(structure.call_paths[path.call_path.value].region), 40);
  };
  return name(order.waits) + " waits " + format_seconds(order.waits.seconds) +
         " in its queue for what it does not need. " + name(order.holds) + " holds up others for " +
         format_seconds(order.holds.seconds) + ". Another queue would let them overlap.";
}

std::vector<std::string> device_lines(const DeviceFindings& devices, const ReportStructure& structure,
                                      const ShownRegions& names, std::size_t columns) {
  constexpr std::size_t kIndent = 22;
  std::vector<std::string> lines = {"Accelerators: " + format_count(devices.queues, "queue") + ", " +
                                    format_seconds(devices.time) + " from their first work to their last"};
  const auto add = [&](Seconds seconds, const std::string& text) {
    lines.push_back(pad_left(format_seconds(seconds), 10) + "  " + pad_left(format_percent(seconds / devices.time), 6) +
                    "  " + text);
  };
  const auto part_of = [](Seconds part, const std::string& text) {
    return part > 0 ? ", " + format_seconds(part) + " of it " + text : "";
  };
  add(devices.kernels, "kernels");
  for (const KernelFinding& kernel : devices.longest) {
    const std::string& name = names.name_of(structure.call_paths[kernel.call_path.value].region);
    add(kernel.seconds, "  " + shorten_middle(name, 40) + ": " +
                            format_count(static_cast<std::uint64_t>(kernel.executions), "execution") +
                            spread_text(kernel));
    lines.push_back(std::string(kIndent, ' ') + shorten_path(names.path_text(kernel.call_path), columns - kIndent));
  }
  if (devices.copies > 0)
    add(devices.copies,
        "copies of " + format_amount(devices.bytes, "B") + part_of(devices.exposed, "while no kernel runs"));
  add(devices.idle, "idle" + part_of(devices.late_launch, "until a thread launches the next work (Late Launch)"));
  if (devices.order && devices.order->holding >= kLeastHolding * devices.time) {
    add(devices.order->holding, "while work waits in its queue that does not need what runs (Queue order)");
    lines.push_back(std::string(kIndent, ' ') + order_text(*devices.order, structure, names));
  }
  const DeviceEfficiencies& found = devices.efficiencies;
  lines.push_back("  efficiency of the devices " + format_percent(found.all()) + ": load balance " +
                  format_percent(found.load_balance) + ", communication " + format_percent(found.communication) +
                  ", orchestration " + format_percent(found.orchestration) + "; of the host's offloading " +
                  format_percent(devices.offload_efficiency));
  return lines;
}

}  // namespace tarry
