// streams.cpp -- the table of streams.
//
// CUPTI tells of work in bulk, late, and not quite in order. So each queue has a piece of work under way until the end.
// Thus the recorder keeps what it is told for a while, and sorts it.
#include "measure/cuda-layer/streams.hpp"

#include <atomic>
#include <cstdio>

#include "measure/cuda-layer/cuda_layer.hpp"

namespace tarry::measure {
namespace {

constexpr unsigned kMostStreams = 512, kMostDevices = 64;

struct Stream {
  StreamId id;
  DeviceQueue* queue = nullptr;
};

Stream g_streams[kMostStreams];  // only ever added behind, by a job
std::atomic<unsigned> g_stream_count = 0;
std::atomic<const char*> g_device_names[kMostDevices];

const Stream* find_stream(const StreamId& id) {
  const unsigned count = g_stream_count.load(std::memory_order_acquire);
  for (unsigned i = 0; i < count; ++i)
    if (g_streams[i].id == id) return &g_streams[i];
  return nullptr;
}

DeviceQueue* open_stream(const StreamId& id) {
  char name[64], device[64];
  if (id.stream == kUnifiedMemory) std::snprintf(name, sizeof name, "CUDA[%u:unified memory]", id.device);
  else std::snprintf(name, sizeof name, "CUDA[%u:%u]", id.device, id.stream);
  std::snprintf(device, sizeof device, "CUDA device %u", id.device);
  const char* const told = id.device < kMostDevices ? g_device_names[id.device].load() : nullptr;
  DeviceQueue* const queue = g_recorder->open_queue(name, told ? told : device, Paradigm::kCuda);
  if (queue) g_recorder->work_started(queue);
  return queue;
}

// Two threads may come first at the same time.
void add_stream(const StreamId& id) {
  const unsigned count = g_stream_count.load(std::memory_order_relaxed);
  if (count == kMostStreams || find_stream(id)) return;
  g_streams[count] = {id, open_stream(id)};
  g_stream_count.store(count + 1, std::memory_order_release);
}

}  // namespace

DeviceQueue* queue_of_stream(const StreamId& id) {
  const Stream* found = find_stream(id);
  if (!found && g_stream_count.load(std::memory_order_relaxed) < kMostStreams) {
    const auto add = [](void* closure) { add_stream(*static_cast<const StreamId*>(closure)); };
    StreamId wanted = id;
    g_recorder->locked(add, &wanted);
    found = find_stream(id);
  }
  return found ? found->queue : nullptr;
}

void note_device_name(std::uint32_t device, const char* name) {
  if (device < kMostDevices) g_device_names[device].store(name);
}

void release_streams() {
  const unsigned count = g_stream_count.load(std::memory_order_acquire);
  for (unsigned i = 0; i < count; ++i)
    if (g_streams[i].queue) g_recorder->work_done(g_streams[i].queue, nullptr);
}

}  // namespace tarry::measure
