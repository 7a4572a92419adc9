// measured_child.hpp -- seconds and peak memory of a job in a process of its own.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <functional>

#include "require.hpp"

namespace tarry {

struct Cost {
  double seconds = 0, megabytes = 0;
};

/// Runs `job` in a child, so that its memory can be told from that of other jobs.
inline Cost measure(const std::function<void()>& job) {
  const auto begin = std::chrono::steady_clock::now();
  std::fflush(stdout);
  const pid_t child = ::fork();
  require(child >= 0, "fork");
  if (child == 0) {
    job();
    ::_exit(0);
  }
  int status = 0;
  struct rusage usage {};
  require(::wait4(child, &status, 0, &usage) == child && status == 0, "a child");
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  return {time.count(), static_cast<double>(usage.ru_maxrss) / 1024};
}

}  // namespace tarry
