// worker_pool.hpp -- runs independent jobs on a fixed number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace tarry {

/// Runs job(0) ... job(count - 1), each once, on up to `workers` threads (the caller is one of them), in any order.
/// Returns when all are done. Jobs write to places of their own, so results do not depend on `workers`. Within a job,
/// or while another thread of the program is in here, the caller does all by itself. The threads stay until the program
/// ends.
void run_parallel(unsigned workers, std::size_t count, const std::function<void(std::size_t)>& job);

/// The number of processors this process may use.
unsigned available_processors();

}  // namespace tarry
