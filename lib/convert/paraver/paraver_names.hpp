// paraver_names.hpp -- the parts of a Paraver trace that name things: header of the .prv, .row, .pcf.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "defs/definitions.hpp"
#include "convert/overlays.hpp"

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

  /// `labels`: of locations; empty: their numbers.
  std::string row_file(const std::vector<std::string>& labels = {}) const;

 private:
  const Definitions& all_;
  std::vector<std::string> texts_;
  std::vector<std::string> node_names_;
  std::vector<std::uint32_t> node_of_process_;    // from 0
  std::vector<std::vector<std::uint32_t>> cpus_;  // locations by node
};

/// How a .pcf begins: defaults, and states with colours.
std::string paraver_states();

/// Adds an event type and the names of its values.
void append_paraver_type(std::string& pcf, std::uint32_t type, const std::string& name,
                         const std::map<std::uint32_t, std::string>& values);

/// Names are at the end of lines.
std::string paraver_line(std::string_view text, const char* unnamed);

/// The .pcf: states with colours, event types and their values.
std::string paraver_pcf(const Definitions& all, const Overlays& overlays);

}  // namespace tarry
