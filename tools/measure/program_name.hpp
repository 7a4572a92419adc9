// program_name.hpp -- which word of a command line is the program, behind launchers and wrappers.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tarry {

/// Whether a word names a program: a file that may be executed, by path or in PATH.
using IsProgram = std::function<bool(const std::string&)>;
bool is_program(const std::string& word);

/// What is behind the last '/'.
std::string base_name(const std::string& path);

/// The file of such a word; empty if it names no program.
std::string program_path(const std::string& word);

/// The index of the program in `command`. In "mpirun -np 4 --bind-to core env A=1 ./app x" it is that of "./app", in
/// "bash job.sh" that of "job.sh". 0 if there is nothing behind the launcher that could be meant.
std::size_t find_program(const std::vector<std::string>& command, const IsProgram& is_program);

/// The indices of all programs of `command` that start one another: launchers, wrappers, and last the program itself,
/// or its interpreter.
std::vector<std::size_t> find_programs(const std::vector<std::string>& command, const IsProgram& is_program);

/// A job of several programs as one command each. "mpirun -np 1 ./app : -np 2 ./other" becomes "mpirun -np 1 ./app" and
/// "mpirun -np 2 ./other". Other commands are one.
std::vector<std::vector<std::string>> split_job(const std::vector<std::string>& command, const IsProgram& is_program);

/// Its base name with all characters that are awkward in file names replaced by '_'; never empty.
std::string program_name(const std::vector<std::string>& command);

}  // namespace tarry
