// cubepl_machine.hpp -- runs CubePL programs, within bounds: they come from files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "report/algebra/cubepl_program.hpp"

namespace tarry {

/// A program and what it remembers between two runs. Variables are its metric's own unless declared global.
class CubeplMachine {
 public:
  /// Value of a metric on another path, at the location number `location`.
  using ReadOtherPath = std::function<double(const CubeplOperand&, std::uint32_t path, std::uint32_t location)>;

  /// `report` must outlive the machine.
  explicit CubeplMachine(const ReportStructure& report);
  ~CubeplMachine();

  /// Runs a program once for each place in `values`, which gets the results. `operands` are rows of the program's
  /// operands, in their order, as long as `values`. Gives up after `max_steps` steps in one run, or when its variables
  /// need too much memory, or when all patterns so far take too long. Then fault() holds the reason, and the remaining
  /// values are 0.
  void run(const CubeplProgram& program, const CubeplPlace& place, const std::vector<std::vector<double>>& operands,
           const ReadOtherPath& other_path, std::uint64_t max_steps, std::span<double> values);

  /// All runs together may take so many steps more. Each brings some of its own, and the report some for each element.
  void allow(std::uint64_t steps) { steps_left_ += steps; }

  /// Why the last run gave up; empty if it did not.
  const std::string& fault() const { return fault_; }

  /// Metrics that a program made void, or not, by unique name.
  const std::map<std::string, bool>& voided() const { return voided_; }

 private:
  struct Variable {
    std::vector<double> numbers;
    std::map<std::size_t, std::string> texts;
  };
  struct Pattern;
  class Run;

  Variable& variable(const CubeplProgram& program, std::uint32_t index, std::uint32_t metric);

  const ReportStructure& report_;
  std::map<std::string, Variable> globals_;
  std::map<std::pair<std::uint32_t, std::string>, Variable> locals_;  // (metric, name)
  std::map<std::string, std::unique_ptr<Pattern>> patterns_;
  std::size_t cells_ = 0, max_cells_ = 0, text_bytes_ = 0;
  std::uint64_t match_work_left_ = 0, steps_left_ = 0;
  std::map<std::string, bool> voided_;
  std::string fault_;
};

}  // namespace tarry
