// device_text.cpp -- accelerators as text for people.
#include "device_text.hpp"

#include "base/text/format.hpp"

namespace tarry {

std::vector<std::string> device_lines(const DeviceFindings& devices, const ShownRegions& names) {
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
  for (const KernelFinding& kernel : devices.longest)
    add(kernel.seconds, "  " + names.path_text(kernel.call_path) + ": " +
                            format_count(static_cast<std::uint64_t>(kernel.executions), "execution"));
  if (devices.copies > 0)
    add(devices.copies,
        "copies of " + format_amount(devices.bytes, "B") + part_of(devices.exposed, "while no kernel runs"));
  add(devices.idle, "idle" + part_of(devices.late_launch, "until a thread launches the next work (Late Launch)"));
  return lines;
}

}  // namespace tarry
