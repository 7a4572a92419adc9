// tool_main.hpp -- the boundary between a tool and the system.
//
//   int main(int argc, char** argv) { return tarry::tool_main("replay", argc, argv, replay); }
#pragma once

#include <exception>
#include <string>

#include "base/result.hpp"

namespace tarry {

/// Calls tool(argc, argv) and returns the exit status. An exception that leaves it becomes one line on stderr and
/// status 1. A write that a limit refuses fails, and does not end the process by a signal. A standard stream that is
/// closed stays so for the tool: no file that it opens gets the stream's number.
int tool_main(const char* name, int argc, char** argv, int (*tool)(int argc, char** argv));

/// What the line of an exception begins with: the input of the tool. Before it is known: the name of the resource.
void set_subject(const std::string& input);

/// The status of a tool that ends because of a limit; 1 unless set. Who has run a command sets the command's.
void set_failure_status(int status);

/// The exception as a message: what was short, and where more comes from.
Error error_of(std::exception_ptr exception);

}  // namespace tarry
