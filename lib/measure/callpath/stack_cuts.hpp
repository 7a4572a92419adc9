// stack_cuts.hpp -- counts the stacks of a thread that lack their outermost functions, by reason and module.
//
// Calls: handler-safe.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "defs/cut_stacks.hpp"

namespace tarry::measure {

class StackCuts {
 public:
  /// A stack ends in the function that goes on at `return_address`.
  void note(CutStack why, std::uintptr_t return_address);

  void add(const StackCuts& other);

  std::uint64_t count(CutStack why) const { return counts_[static_cast<std::size_t>(why)]; }
  std::uint64_t all() const;

  /// Of the modules without unwind information the one with the most.
  struct Module {
    std::uintptr_t address = 0;  // in it
    std::uint64_t count = 0;     // 0: there is none
  };
  Module worst_module() const;

 private:
  static constexpr std::size_t kModules = 8;  // what is in others counts by its reason alone

  void add_to_module(std::uintptr_t begin, const Module& module);

  std::array<std::uint64_t, kCutStackReasons> counts_{};
  std::array<std::uintptr_t, kModules> begins_{};
  std::array<Module, kModules> modules_{};
};

/// The program or library with the code at `address`; empty if there is none.
/// Calls: at end only.
std::string file_of_code(std::uintptr_t address);

}  // namespace tarry::measure
