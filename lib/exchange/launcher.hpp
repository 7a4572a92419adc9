// launcher.hpp -- what the variables of a launcher tell about the job of this process.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tarry {

/// The libraries of one ABI of MPI.
struct MpiFamily {
  const char* name;                    // in messages
  const char* transport;               // our library for it
  std::vector<const char*> libraries;  // files, the first that is found
};

struct Launch {
  int rank = 0;
  int processes = 0;                       // 0: the launcher does not tell
  std::vector<const MpiFamily*> families;  // that the launcher starts, the likely one first

  /// "Open MPI or MPICH".
  std::string libraries_in_words() const;
};

/// Nothing if no launcher started this process.
std::optional<Launch> find_launch();

}  // namespace tarry
