// request_table.cpp -- the requests of this process that are not complete.
#include "measure/mpi/request_table.hpp"

#include <atomic>

namespace tarry::measure {
namespace {

std::atomic<ThreadRequests*> g_all_requests = nullptr;
__thread ThreadRequests* t_requests __attribute__((tls_model("initial-exec"))) = nullptr;

ThreadRequests* add_thread() {
  auto* mine = new ThreadRequests;
  mine->next = g_all_requests.load();
  while (!g_all_requests.compare_exchange_weak(mine->next, mine)) continue;
  return mine;
}

}  // namespace

ThreadRequests& own_requests() {
  if (!t_requests) [[unlikely]]
    t_requests = add_thread();
  return *t_requests;
}

ThreadRequests* all_requests() { return g_all_requests.load(std::memory_order_acquire); }

RequestId next_request_id() {
  static std::atomic<RequestId> next{0};
  if (g_has_concurrent_calls) return next.fetch_add(1, std::memory_order_relaxed);
  // Without the lock of the bus, which costs as much as all else that is recorded of a request.
  const RequestId id = next.load(std::memory_order_relaxed);
  next.store(id + 1, std::memory_order_relaxed);
  return id;
}

}  // namespace tarry::measure
