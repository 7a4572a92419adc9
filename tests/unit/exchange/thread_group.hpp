// thread_group.hpp -- threads that work together as the processes of a parallel tool do, without MPI.
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "exchange/exchange.hpp"
#include "exchange/transport.hpp"

namespace tarry {

/// What threads have sent to one another and not received yet.
class ThreadGroup {
 public:
  explicit ThreadGroup(int size) : size_(size), mail_(static_cast<std::size_t>(size * size)) {}

  /// Calls job(exchange) in each of `size` threads; returns when all are done.
  template <class Job>
  static void run(int size, Job job) {
    ThreadGroup group(size);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size; ++rank)
      threads.emplace_back([&group, &job, rank] {
        current_ = {&group, rank};
        Exchange exchange(transport());
        job(exchange);
      });
    for (std::thread& thread : threads) thread.join();
  }

 private:
  using Bytes = std::vector<std::uint8_t>;
  struct Place {
    ThreadGroup* group;
    int rank;
  };

  static const Transport& transport() {
    static const Transport functions = {start, [] {}, swap_numbers, transfer, broadcast, sum};
    return functions;
  }

  static void start(int*, char***, int* rank, int* size) {
    *rank = current_.rank;
    *size = current_.group->size_;
  }

  static void swap_numbers(const std::uint64_t* outgoing, std::uint64_t* incoming) {
    for (int p = 0; p < current_.group->size_; ++p) current_.group->send(p, &outgoing[p], sizeof *outgoing);
    for (int p = 0; p < current_.group->size_; ++p) current_.group->receive(p, &incoming[p], sizeof *incoming);
  }

  static void transfer(const Piece* incoming, std::size_t incoming_count, const Piece* outgoing,
                       std::size_t outgoing_count) {
    for (std::size_t i = 0; i < outgoing_count; ++i)
      current_.group->send(outgoing[i].process, outgoing[i].data, outgoing[i].size);
    for (std::size_t i = 0; i < incoming_count; ++i)
      current_.group->receive(incoming[i].process, incoming[i].data, incoming[i].size);
  }

  static std::uint64_t broadcast(std::uint64_t value) { return numbers_of_all(value)[0]; }

  static std::uint64_t sum(std::uint64_t own) {
    std::uint64_t total = 0;
    for (const std::uint64_t number : numbers_of_all(own)) total += number;
    return total;
  }

  static std::vector<std::uint64_t> numbers_of_all(std::uint64_t own) {
    const std::vector<std::uint64_t> outgoing(static_cast<std::size_t>(current_.group->size_), own);
    std::vector<std::uint64_t> incoming(outgoing.size());
    swap_numbers(outgoing.data(), incoming.data());
    return incoming;
  }

  std::deque<Bytes>& mail(int from, int to) { return mail_[static_cast<std::size_t>(from * size_ + to)]; }

  void send(int to, const void* data, std::uint64_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    const std::lock_guard lock(mutex_);
    mail(current_.rank, to).emplace_back(bytes, bytes + size);
    arrived_.notify_all();
  }

  void receive(int from, void* data, std::uint64_t size) {
    std::unique_lock lock(mutex_);
    std::deque<Bytes>& letters = mail(from, current_.rank);
    arrived_.wait(lock, [&] { return !letters.empty(); });
    if (size > 0) std::memcpy(data, letters.front().data(), size);
    letters.pop_front();
  }

  static inline thread_local Place current_{};
  const int size_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::deque<Bytes>> mail_;  // by sender and receiver
};

}  // namespace tarry
