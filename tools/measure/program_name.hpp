// program_name.hpp -- which word of a command line is the program, behind launchers and wrappers.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tarry {

/// Says whether a word names a program: a file that may be executed, by path or in PATH.
using IsProgram = std::function<bool(const std::string&)>;
bool is_program(const std::string& word);

/// The index of the program in `command`: of "mpirun -np 4 --bind-to core env A=1 ./app x" that of "./app", of
/// "bash job.sh" that of "job.sh". 0 if there is nothing behind the launcher that could be meant.
std::size_t find_program(const std::vector<std::string>& command, const IsProgram& is_program);

/// Its base name with all characters that are awkward in file names replaced by '_'; never empty.
std::string program_name(const std::vector<std::string>& command);

}  // namespace tarry
