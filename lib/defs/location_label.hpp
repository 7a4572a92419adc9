// location_label.hpp -- what a location is called in rows of other tools.
#pragma once

#include <string>

#include "defs/definitions.hpp"

namespace tarry {

/// "thread 3"; of another location its own name, if it has one: "CUDA[0:7]".
inline std::string location_label(const Definitions& definitions, const Location& location) {
  const std::string_view name = definitions.text(location.name);
  if (location.is_thread()) return "thread " + std::to_string(location.thread);
  if (!name.empty()) return std::string(name);
  return (location.kind == LocationKind::kQueue ? "queue " : "metrics ") + std::to_string(location.thread);
}

}  // namespace tarry
