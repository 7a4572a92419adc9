// launcher.cpp -- the variables by which mpirun, mpiexec and srun tell processes of their job.
#include "exchange/launcher.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace tarry {
namespace {

const MpiFamily kOpenMpi = {"Open MPI", "libtarry-exchange-openmpi.so", {"libmpi.so.40"}};
// Debian's name is first: there the other one could be any library.
const MpiFamily kMpich = {"MPICH", "libtarry-exchange-mpich.so", {"libmpich.so.12", "libmpi.so.12"}};

struct Launcher {
  const char* rank;
  const char* processes;
  std::vector<const MpiFamily*> families;
};

// Open MPI's mpirun sets the variables of PMIx besides; srun sets those of the PMI that it was asked for. Whoever asks
// for PMIx may have either library.
const Launcher kLaunchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", {&kOpenMpi}},
    {"PMI_RANK", "PMI_SIZE", {&kMpich}},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", {&kOpenMpi, &kMpich}},
};

int number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  int number = 0;
  if (text) std::from_chars(text, text + std::strlen(text), number);
  return number;
}

}  // namespace

std::string Launch::libraries_in_words() const {
  std::string words;
  for (const MpiFamily* family : families) words += (words.empty() ? "" : " or ") + std::string(family->name);
  return words;
}

std::optional<Launch> find_launch() {
  for (const Launcher& launcher : kLaunchers)
    if (std::getenv(launcher.rank))
      return Launch{number_in(launcher.rank), number_in(launcher.processes), launcher.families};
  return std::nullopt;
}

}  // namespace tarry
