// device_scan.cpp -- calls that give work to accelerators, or wait for it.
#include "replay/scan/device_scan.hpp"

namespace tarry {

// One around it is no launch of its own, nor a wait. The place in the time log is where the region was entered.
void DeviceScan::enter(AcceleratorCall call, Ticks time) {
  if (!thread_.process.has_queues || call <= AcceleratorCall::kManagement) return;
  if (!open_.empty()) thread_.rank.device_calls[open_.back().call].call = AcceleratorCall::kManagement;
  TimeLog& log = thread_.logical.log;
  const LogPosition here = thread_.times.is_moving() ? log.pin() : log.mark();
  open_.push_back({thread_.rank.device_calls.next_id(), thread_.open.depth() - 1});
  thread_.rank.device_calls.push_back(
      {.enter = thread_.moment(time, here), .leave = time, .thread = thread_.number, .call = call});
}

void DeviceScan::leave(std::size_t depth, Ticks time) {
  for (; !open_.empty() && open_.back().depth >= depth; open_.pop_back())
    thread_.rank.device_calls[open_.back().call].leave = time;
}

void DeviceScan::attribute(const record::Attribute& attribute) {
  if (open_.empty()) return;
  DeviceCall& call = thread_.rank.device_calls[open_.back().call];
  if (attribute.attribute == kQueueAttribute) call.queue = thread_.process.queue_at(attribute.value);
  if (attribute.attribute == kWorkAttribute) call.work = attribute.value;
}

}  // namespace tarry
