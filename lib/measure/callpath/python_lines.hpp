// python_lines.hpp -- the line of an instruction, in the tables of CPython's code objects.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <optional>

#include "measure/callpath/python_layout.hpp"

namespace tarry::measure {

/// Gives the bytes of a table one by one.
class TableBytes {
 public:
  /// The next byte; nothing behind the end.
  virtual std::optional<std::uint8_t> next() = 0;

 protected:
  ~TableBytes() = default;
};

/// The line of the instruction `offset` bytes behind the begin of a function's code. `first_line`: of the function.
/// 0 if the table gives it none. The table may hold anything.
std::uint32_t find_python_line(PythonLayout::Lines kind, TableBytes& table, std::int64_t first_line,
                               std::uint64_t offset);

}  // namespace tarry::measure
