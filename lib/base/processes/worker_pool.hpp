// worker_pool.hpp -- runs independent jobs on a fixed number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

namespace tarry {

/// Runs job(0) ... job(count - 1), each once, on up to `workers` threads (the caller is one of them), in any order.
/// Returns when all are done. Jobs write to places of their own, so results do not depend on `workers`. An exception of
/// a job leaves here when no other job runs any more. Within a job, or while another thread of the program is in here,
/// the caller does all by itself. The threads stay until the program ends.
void run_parallel(unsigned workers, std::size_t count, const std::function<void(std::size_t)>& job);

/// Starts one more thread; false if the system allows no more. Those that there are have to do.
bool add_thread(std::vector<std::thread>& threads, const std::function<void()>& work);

/// The result of work() in time: on a thread of its own, or where the system allows none, when it is asked for.
template <class Work>
auto in_background(const Work& work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, work);
  }
}

/// The number of processors this process may use.
unsigned available_processors();

}  // namespace tarry
