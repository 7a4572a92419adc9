// paraver_names.hpp -- the parts of a Paraver trace that name things: header of the .prv, .row, .pcf.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "defs/definitions.hpp"
#include "overlays.hpp"

namespace tarry {

/// Nodes, processors and threads as Paraver numbers them: one application, a task per process, a processor per
/// location.
class ParaverObjects {
 public:
  explicit ParaverObjects(const Definitions& all);

  /// ":cpu:application:task:thread" of each location.
  const std::vector<std::string>& texts() const { return texts_; }

  /// First line and communicators; `end` in nanoseconds.
  std::string header(std::int64_t end, const Clock& clock) const;

  std::string row_file() const;

 private:
  const Definitions& all_;
  std::vector<std::string> texts_;
  std::vector<std::string> node_names_;
  std::vector<std::uint32_t> node_of_process_;    // from 0
  std::vector<std::vector<std::uint32_t>> cpus_;  // locations by node
};

/// The .pcf: states with colours, event types and their values.
std::string paraver_pcf(const Definitions& all, const Overlays& overlays);

}  // namespace tarry
