// unseen_openmp.hpp -- how tools tell that a runtime of OpenMP was not recorded.
#pragma once

#include <cstdint>
#include <string>

namespace tarry {

/// "OpenMP is not recorded: the runtime of 2 processes (libgomp) tells nothing of its teams; ..." and what helps.
std::string unseen_openmp_text(std::uint64_t processes);

}  // namespace tarry
