// unseen_openmp.cpp -- how tools tell that a runtime of OpenMP was not recorded.
#include "defs/unseen_openmp.hpp"

#include "base/text/format.hpp"

namespace tarry {

std::string unseen_openmp_text(std::uint64_t processes) {
  return "OpenMP is not recorded: the runtime of " + format_count(processes, "process", "processes") +
         " (libgomp) tells nothing of its teams; compile with 'tarry instrument', or with clang";
}

}  // namespace tarry
