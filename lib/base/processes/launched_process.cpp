// launched_process.cpp -- the variables of Open MPI, of PMIx, of both PMI, of MVAPICH and of Slurm.
#include "base/processes/launched_process.hpp"

#include <cstdlib>

#include "base/processes/environment_value.hpp"

namespace tarry {

const char* launched_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "PMI_ID", "MPIRUN_RANK", "SLURM_PROCID"})
    if (const char* rank = environment_value(name)) return rank;
  return nullptr;
}

std::optional<long> launched_processes() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"})
    if (const char* size = environment_value(name)) return std::strtol(size, nullptr, 10);
  return std::nullopt;
}

}  // namespace tarry
