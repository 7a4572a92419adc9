// launchers.cpp -- programs that start the processes of a parallel job.
#include "base/processes/launchers.hpp"

#include "base/text/text.hpp"

namespace tarry {

bool is_launcher(std::string_view program) {
  return is_one_of(program.substr(program.rfind('/') + 1),
                   {"mpirun",       "mpiexec",       "mpirun.openmpi", "mpiexec.openmpi",
                    "mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra",  "hydra_pmi_proxy",
                    "orterun",      "oshrun",        "shmemrun",       "orted",
                    "prterun",      "prte",          "prun",           "prted",
                    "srun",         "slurmstepd",    "aprun",          "jsrun",
                    "lrun"});
}

}  // namespace tarry
