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
  if (!t_requests) [[unlikely]] t_requests = add_thread();
  return *t_requests;
}

ThreadRequests* all_requests() { return g_all_requests.load(std::memory_order_acquire); }

RequestId next_request_id() {
  static std::atomic<RequestId> next{0};
  return next.fetch_add(1, std::memory_order_relaxed);
}

void remember_request(const TrackedRequest& tracked, const MPI_Request* place, int outcome) {
  if (outcome != MPI_SUCCESS || *place == MPI_REQUEST_NULL) return;
  ThreadRequests& mine = own_requests();
  const CallLock lock(mine.mutex);
  TrackedRequest& entry = mine.table.add(*place);
  entry = tracked;
  entry.place = place;
}

}  // namespace tarry::measure
