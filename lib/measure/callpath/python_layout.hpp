// python_layout.hpp -- where each version of CPython keeps the functions that a thread has open.
//
// The interpreter's own functions for that take its lock, or memory. All that is needed are a few pointers in
// structures that change from version to version, but not within one.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace tarry::measure {

/// Offsets in bytes, of CPython 3.`minor` without debugging and with its lock, for 64 bits.
struct PythonLayout {
  /// How frames are linked, and how one tells which function of C runs them.
  enum class Chain : std::uint8_t {
    kOneEach,  // one call of the evaluating function runs one frame
    kRecords,  // each call has a record on its stack, with its innermost frame; its outermost one is marked
    kEntries,  // each call has a frame of its own on its stack, which is marked
  };

  /// How a code object stores which instruction belongs to which line (PEP 626, Objects/locations.md of CPython).
  enum class Lines : std::uint8_t {
    kSteps,      // pairs: bytes of code, lines
    kRanges,     // pairs: bytes of code, lines; a range may have no line
    kLocations,  // records of a few bytes each
  };

  unsigned minor = 0;
  Chain chain = Chain::kOneEach;
  Lines lines = Lines::kLocations;
  bool has_record = false;  // the state of a thread leads to a record, not to a frame
  std::uint16_t top = 0;    // in the state of a thread
  std::uint16_t record_frame = 0, record_outer = 0;
  std::uint16_t frame_code = 0, frame_outer = 0;
  std::uint16_t frame_mark = 0;  // a byte with `mark` in it
  std::uint8_t mark = 0;
  std::uint16_t frame_instruction = 0;  // address of the latest instruction; without `code_begin` its number
  std::uint16_t instruction_bytes = 1;  // which counts so many bytes
  std::uint16_t code_begin = 0;         // where instructions are in the code object; 0: elsewhere
  std::uint16_t code_lines = 0;
  std::uint16_t code_name = 0, code_file = 0, code_line = 0;
  std::uint16_t code_short_name = 0;             // without the classes and functions around it
  std::uint16_t ascii_text = 0, other_text = 0;  // where the characters of a string begin
  std::uint16_t bytes_size = 16, bytes = 32;     // of an object of bytes
};

/// That of the version that Py_GetVersion() tells, as "3.11.2 (main, ...) [GCC 12.2.0]"; nullptr: not known.
const PythonLayout* find_python_layout(std::string_view version);

}  // namespace tarry::measure
