// python_lines.cpp -- decodes the three forms of line tables.
#include "measure/callpath/python_lines.hpp"

#include <limits>

namespace tarry::measure {
namespace {

constexpr std::uint64_t kUnitBytes = 2;  // of an instruction
constexpr unsigned kMostNumberBits = 36;

std::uint32_t valid_line(std::int64_t line) {
  return line > 0 && line <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::uint32_t>(line) : 0;
}

// Each pair: the line changes behind so many bytes.
std::uint32_t find_in_steps(TableBytes& table, std::int64_t line, std::uint64_t offset) {
  std::uint64_t position = 0;
  while (const auto bytes = table.next()) {
    const auto lines = table.next();
    position += *bytes;
    if (!lines || position > offset) break;
    line += static_cast<std::int8_t>(*lines);
  }
  return valid_line(line);
}

// Each pair: so many bytes are on the line that is so many lines further.
std::uint32_t find_in_ranges(TableBytes& table, std::int64_t line, std::uint64_t offset) {
  constexpr std::int8_t kNoLine = -128;
  std::uint64_t end = 0;
  while (const auto bytes = table.next()) {
    const auto lines = table.next();
    if (!lines) break;
    const auto step = static_cast<std::int8_t>(*lines);
    end += *bytes;
    if (step != kNoLine) line += step;
    if (offset < end) return step == kNoLine ? 0 : valid_line(line);
  }
  return 0;
}

// Six bits in each byte, the lowest first; one more bit says that there are others.
std::int64_t next_number(TableBytes& table) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < kMostNumberBits; shift += 6) {
    const auto byte = table.next();
    if (!byte) break;
    number |= (*byte & 63ull) << shift;
    if (!(*byte & 64)) break;
  }
  return static_cast<std::int64_t>(number);
}

// The lowest bit is the sign.
std::int64_t next_signed(TableBytes& table) {
  const std::int64_t number = next_number(table);
  return number & 1 ? -(number >> 1) : number >> 1;
}

void skip(TableBytes& table, int bytes) {
  for (; bytes > 0; --bytes) table.next();
}

// Each record: its form, the number of instructions, the lines between it and the one before, and columns.
std::uint32_t find_in_locations(TableBytes& table, std::int64_t line, std::uint64_t offset) {
  constexpr int kFirstOneLine = 10, kNoColumns = 13, kLong = 14, kNone = 15;
  std::uint64_t end = 0;
  while (const auto head = table.next()) {
    const int form = *head >> 3 & 15;
    end += kUnitBytes * ((*head & 7u) + 1);
    if (form == kLong || form == kNoColumns) line += next_signed(table);
    if (form == kLong)
      for (int i = 0; i < 3; ++i) next_number(table);
    if (form < kFirstOneLine) skip(table, 1);
    else if (form < kNoColumns) line += form - kFirstOneLine, skip(table, 2);
    if (offset < end) return form == kNone ? 0 : valid_line(line);
  }
  return 0;
}

}  // namespace

std::uint32_t find_python_line(PythonLayout::Lines kind, TableBytes& table, std::int64_t first_line,
                               std::uint64_t offset) {
  switch (kind) {
    using enum PythonLayout::Lines;
    case kSteps: return find_in_steps(table, first_line, offset);
    case kRanges: return find_in_ranges(table, first_line, offset);
    case kLocations: return find_in_locations(table, first_line, offset);
  }
  return 0;
}

}  // namespace tarry::measure
