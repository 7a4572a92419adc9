// cut_stacks.hpp -- why stacks lack their outermost functions, as recorder and reports name it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tarry {

enum class CutStack : std::uint8_t {
  kNoUnwindInfo,  // a function of a module is not described, or not in a way that is understood
  kRunTimeCode,   // code that belongs to no module, and no way out of it was found
  kUnreadable,    // the next frame does not lie on the stack
  kTooDeep,       // more frames than are kept
};
inline constexpr std::size_t kCutStackReasons = static_cast<std::size_t>(CutStack::kTooDeep) + 1;

struct CutStackInfo {
  std::string_view key;   // of the property with their number
  std::string_view text;  // behind the number
};
inline constexpr CutStackInfo kCutStacks[kCutStackReasons] = {
    {"stacks_cut_no_unwind_info", "where a function has no unwind information"},
    {"stacks_cut_run_time_code", "in code made at run time"},
    {"stacks_cut_unreadable", "where the stack could not be read"},
    {"stacks_cut_too_deep", "that are too deep"},
};

/// Property of one process, host and process number follow: "COUNT FILE". In that module most of the stacks end that
/// come to a function without unwind information.
inline constexpr std::string_view kCutInModuleKey = "stacks_cut_in.";

/// Processes that could not look up names, as libdw is not installed.
inline constexpr std::string_view kNoLibdwKey = "without_libdw";

/// Of a report with cut stacks: how many were looked at, and how many of them cut, by reason. Behind a colon the module
/// follows as above.
inline constexpr char kStacksAttribute[] = "Tarry::Stacks";
inline constexpr char kNoLibdwAttribute[] = "Tarry::Without libdw";

}  // namespace tarry
