// require.hpp -- how a benchmark program ends when it cannot measure.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace tarry {

/// Ends the program with status 1 and "PROGRAM: `what` failed" unless `is_fine`.
inline void require(bool is_fine, std::string_view what) {
  if (is_fine) return;
  std::fprintf(stderr, "%s: %.*s failed\n", program_invocation_short_name, static_cast<int>(what.size()), what.data());
  std::exit(1);
}

}  // namespace tarry
