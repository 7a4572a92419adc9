// environment.hpp -- the environment the measured command runs in: preloading, and reaching ranks on other nodes.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// "NAME=value" strings, as environ holds them.
using Environment = std::vector<std::string>;

/// Environment of this process.
Environment current_environment();

/// Value of a variable, or empty.
std::string value_of(const Environment& environment, const std::string& name);
void set_variable(Environment& environment, const std::string& name, const std::string& value);

/// libtarry-mpi.so of this installation or build tree, looked for beside this executable.
Result<std::string> find_preload_library();

/// The libraries beside it that are put in front of the allocator, for heap counters, and of the functions of files.
Result<std::string> find_heap_library(const std::string& preload_library);
Result<std::string> find_file_library(const std::string& preload_library);

/// The one that comes between a program and the drivers of OpenCL. Fails if it was not built.
Result<std::string> find_opencl_library(const std::string& preload_library);

/// Makes OpenCL's loader load it, in front of the user's own layers.
void add_opencl_layer(Environment& environment, const std::string& library);

/// The one that records CUDA. Fails if it was not built.
Result<std::string> find_cuda_library(const std::string& preload_library);

/// Makes CUDA's driver load it. It loads one library: false if the user has another tool there, which stays.
bool add_cuda_library(Environment& environment, const std::string& library);

/// The one that hears the program's annotations.
Result<std::string> find_annotations_library(const std::string& preload_library);

/// Makes the interfaces on the list load it ("nvtx,kokkos,itt"). Each loads one library: returns the variables, and the
/// words of the command, that name another one, which stays.
std::vector<std::string> add_annotations_library(Environment& environment, const std::string& library,
                                                 const std::string& interfaces,
                                                 const std::vector<std::string>& command);

/// Preloads what hears the interfaces on the list whose functions come before those of their own libraries. It is in
/// the folder of `library`. Fails as preload().
Status preload_for_annotations(Environment& environment, const std::string& library, const std::string& interfaces);

/// Puts `library` in front of whatever the user preloads. Fails if its path cannot be written in LD_PRELOAD.
Status preload(Environment& environment, const std::string& library);

/// How the variables reach ranks that a launcher starts on other nodes.
enum class Forwarding {
  kLaunchAgent,   // Open MPI starts its daemons there through `env`
  kVariableList,  // Open MPI's own list of variables to pass on; cannot be combined with -x
  kNone,          // the command rules out both
};

/// Makes Open MPI's launcher hand LD_PRELOAD and all TARRY_* variables to its remote ranks, leaving the command line as
/// it is. Launchers that pass the whole environment on (srun, Hydra) need nothing.
Forwarding forward_to_nodes(Environment& environment, const std::vector<std::string>& command);

/// The word of the command line by which Slurm sets LD_PRELOAD anew ("--export=ALL,LD_PRELOAD=other.so"), and so undoes
/// preload(); empty if there is none. Other launchers execute their ranks themselves, with the recorder in them.
std::string find_own_preload(const std::vector<std::string>& command);

}  // namespace tarry
