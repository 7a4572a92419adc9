// command_text.hpp -- the command that has made a page, as the page shows it.
#pragma once

#include <string>

namespace tarry {

/// The words of main() as a shell takes them. Redacted: of paths only their last parts.
std::string command_text(int argc, char** argv, bool is_redacted);

}  // namespace tarry
