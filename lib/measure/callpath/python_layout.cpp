// python_layout.cpp -- the table of versions. Source: offsetof() on the headers of each of them.
#include "measure/callpath/python_layout.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace tarry::measure {
namespace {

using Chain = PythonLayout::Chain;

constexpr PythonLayout before_3_11(unsigned minor) {
  const bool has_ranges = minor == 10;
  return {.minor = minor,
          .lines = has_ranges ? PythonLayout::Lines::kRanges : PythonLayout::Lines::kSteps,
          .top = 24,
          .frame_code = 32,
          .frame_outer = 24,
          .frame_instruction = static_cast<std::uint16_t>(has_ranges ? 96 : 104),
          .instruction_bytes = static_cast<std::uint16_t>(has_ranges ? 2 : 1),
          .code_lines = 120,
          .code_name = 112,
          .code_file = 104,
          .code_line = 40,
          .code_short_name = 112,
          .ascii_text = 48,
          .other_text = 72};
}

constexpr PythonLayout since_3_12(unsigned minor) {
  return {.minor = minor,
          .chain = Chain::kEntries,
          .has_record = minor == 12,
          .top = static_cast<std::uint16_t>(minor == 12 ? 56 : 72),
          .record_frame = 0,
          .frame_code = 0,
          .frame_outer = 8,
          .frame_mark = static_cast<std::uint16_t>(minor >= 14 ? 74 : 70),
          .mark = 3,
          .frame_instruction = 56,
          .code_begin = static_cast<std::uint16_t>(minor == 12   ? 192
                                                   : minor == 13 ? 200
                                                                 : 208),
          .code_lines = 136,
          .code_name = 128,
          .code_file = 112,
          .code_line = 68,
          .code_short_name = 120,
          .ascii_text = 40,
          .other_text = 56};
}

constexpr PythonLayout kLayouts[] = {
    before_3_11(8),
    before_3_11(9),
    before_3_11(10),
    {.minor = 11,
     .chain = Chain::kRecords,
     .has_record = true,
     .top = 56,
     .record_frame = 8,
     .record_outer = 16,
     .frame_code = 32,
     .frame_outer = 48,
     .frame_mark = 68,
     .mark = 1,
     .frame_instruction = 56,
     .code_begin = 184,
     .code_lines = 136,
     .code_name = 128,
     .code_file = 112,
     .code_line = 72,
     .code_short_name = 120,
     .ascii_text = 48,
     .other_text = 72},
    since_3_12(12),
    since_3_12(13),
    since_3_12(14),
};

}  // namespace

const PythonLayout* find_python_layout(std::string_view version) {
  constexpr std::string_view kMajor = "3.";
  unsigned minor = 0;
  if (!version.starts_with(kMajor)) return nullptr;
  std::from_chars(version.data() + kMajor.size(), version.data() + version.size(), minor);
  // It has other structures.
  if (version.find("free-threading") != version.npos) return nullptr;
  const auto* const found =
      std::find_if(std::begin(kLayouts), std::end(kLayouts), [&](const auto& each) { return each.minor == minor; });
  return found == std::end(kLayouts) ? nullptr : found;
}

}  // namespace tarry::measure
