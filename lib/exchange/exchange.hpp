// exchange.hpp -- how the processes of a parallel tool talk: a few large collective transfers per pass, never one
// message per event.
//
// Tools link no MPI. Where a launcher started several processes, the tool loads the launcher's MPI library. With it
// comes the small library of ours that was built for its ABI (lib/exchange/mpi).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "exchange/message_buffer.hpp"

namespace tarry {

struct Piece;
struct Transport;

/// The group of processes that work together. Until it joins a job it is this process alone.
class Exchange {
 public:
  Exchange() = default;
  /// Joins a job whose transport is known, as that of a test. The transport must outlive this object.
  explicit Exchange(const Transport& transport);
  ~Exchange();
  Exchange(const Exchange&) = delete;

  /// Starts MPI if a launcher (mpirun, mpiexec, srun) started this process and others. Fails if their MPI library
  /// cannot be loaded, or finds less processes than were started; rank() is the launcher's then. To be called once.
  Status join_job(int* argc, char*** argv);

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// buffers[p] goes to process p; returns what came from each. Collective. Sizes above 2 GiB are sent in pieces.
  std::vector<MessageBuffer> all_to_all(std::vector<MessageBuffer> buffers);

  /// All buffers arrive at process 0 (in order of rank); elsewhere the result is empty. Collective.
  std::vector<MessageBuffer> gather(MessageBuffer buffer);

  /// Every process gets a copy of each process's buffer, in order of rank. Collective.
  std::vector<MessageBuffer> share(MessageBuffer buffer);

  /// The same for one plain value of each process.
  template <class T>
  std::vector<T> share_value(const T& own) {
    MessageBuffer buffer;
    buffer.put(own);
    std::vector<T> values;
    for (MessageBuffer& from : share(std::move(buffer))) values.push_back(from.template get<T>());
    return values;
  }

  /// Bytes for one process, of any size; arrive in the order in which they were sent. Not counted as messages of a
  /// pass.
  void send(int to, std::vector<std::uint8_t> bytes);
  std::vector<std::uint8_t> receive(int from);

  /// True if `own` is true at all processes. Collective.
  bool all_of(bool own);

  /// The same value at all processes: process 0's. Collective.
  std::uint64_t broadcast(std::uint64_t value);

  /// Point-to-point messages between the processes so far, over all of them (an all_to_all and a share count each
  /// non-empty buffer that crosses a process boundary). Collective.
  std::uint64_t total_messages();

 private:
  std::vector<MessageBuffer> arrange_arrivals(const std::vector<std::uint64_t>& incoming,
                                              std::vector<Piece>& receives) const;

  int rank_ = 0;
  int size_ = 1;
  const Transport* transport_ = nullptr;  // null: MPI was not started
  std::uint64_t messages_ = 0;
};

}  // namespace tarry
