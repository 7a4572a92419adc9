// launcher_job.hpp -- whether a launcher has started this process as one of several, and which one it is.
//
// In `mpirun -np 4 tarry measure -- ./app` there are four of these processes. Each learns from the variables of its
// launcher which job it belongs to, so that all of them record into one archive. So do processes without MPI.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tarry {

/// The place of this process in the job of a launcher.
struct LauncherJob {
  std::string id;  // the same in all processes of the job, and in no other job; usable in a file name; empty: unknown
  std::uint32_t rank = 0;
  std::uint32_t size = 1;
};

/// A variable of the environment; empty if it is not there.
using FindVariable = std::function<std::string(const char* name)>;

/// Of this process, without the function of the program.
std::string find_own_variable(const char* name);

/// Where Hydra's proxies report to: "HOST:PORT", which no other job of that time has. Hydra has no variable for it.
using FindControlPort = std::function<std::string()>;

/// From the command line of the nearest proxy among the processes above this one; empty if there is none.
std::string find_control_port();

/// Of the innermost launcher that these variables tell of; none if no launcher has started this process. The batch
/// script of a job is no rank of it.
std::optional<LauncherJob> find_launcher_job(const FindVariable& find = find_own_variable,
                                             const FindControlPort& find_port = find_control_port);

}  // namespace tarry
