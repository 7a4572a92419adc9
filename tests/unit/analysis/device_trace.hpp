// device_trace.hpp -- small traces of processes whose threads give work to the queues of accelerators.
#pragma once

#include <gtest/gtest.h>

#include "tests/unit/replay/synthetic_source.hpp"

namespace tarry {

/// Processes with one thread and some queues.
class DeviceTrace : public testing::Test {
 protected:
  static constexpr const char* kLaunch = "cuLaunchKernel";
  static constexpr const char* kCopyIn = "cuMemcpyHtoDAsync";
  static constexpr const char* kCopyOut = "cuMemcpyDtoH";
  static constexpr const char* kSync = "cuCtxSynchronize";

  explicit DeviceTrace(std::uint32_t ranks = 1, std::uint32_t queues = 1) : trace_(ranks, 1 + queues) {
    for (const char* name : {kLaunch, kCopyIn, kCopyOut, kSync})
      trace_.define_region(name, Paradigm::kCuda, RegionRole::kWrapper);
    for (Location& location : trace_.edit_definitions().locations)
      if (location.thread > 0) location.kind = LocationKind::kQueue;
  }

  SyntheticStream& host(std::uint32_t rank = 0) { return trace_.on(rank, 0); }
  SyntheticStream& queue(std::uint32_t rank = 0, std::uint32_t number = 1) { return trace_.on(rank, number); }

  void copy(Ticks begin, Ticks end, bool is_to_device, Bytes bytes, std::uint32_t number = 1) {
    if (is_to_device) queue(0, number).add(begin, record::RmaGet{.window = WindowId(0), .bytes = bytes});
    else queue(0, number).add(begin, record::RmaPut{.window = WindowId(0), .bytes = bytes});
    queue(0, number).add(end, record::RmaOpCompleteBlocking{.window = WindowId(0)});
  }

  SyntheticTrace trace_;
};

}  // namespace tarry
