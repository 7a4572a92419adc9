// find_command.hpp -- where the measured command begins among the words of `tarry measure`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "program_name.hpp"

namespace tarry {

/// Where our own words end and the command begins: the same word, or with a `--` between them.
struct CommandPlace {
  std::size_t own_end = 0;
  std::size_t begin = 0;  // the number of words if there is no command
};

/// Whether an option ("-o", "--output") wants a value.
using TakesValue = std::function<bool(const std::string&)>;

/// Gives option `name` the value `fallback` where no number follows it: "--sample -- ./app". Words of the command stay
/// as they are.
void fill_in_number(std::vector<std::string>& words, const std::string& name, const std::string& fallback,
                    const TakesValue& takes_value);

/// The command begins at the first word that is neither an option nor the value of one, or behind a `--` before it.
/// `words` begin with the name of this tool. Fails where that word is no program and a later one is. The error holds
/// the command to type instead, in the order of `words`.
Result<CommandPlace> find_command(const std::vector<std::string>& words, const TakesValue& takes_value,
                                  const IsProgram& is_program);

}  // namespace tarry
