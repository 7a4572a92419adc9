// mpi_transport.cpp -- the exchange's functions by MPI; compiled once for each ABI, into libtarry-exchange-ABI.so.
//
// MPI's functions and objects are found in the MPI library that was loaded before. Its file has another name in each
// distribution, so none is linked.
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "exchange/transport.hpp"

namespace tarry {
namespace {

constexpr int kTag = 1;
constexpr std::uint64_t kMostAtOnce = std::uint64_t{1} << 30;  // MPI counts are ints

void start(int* argc, char*** argv, int* rank, int* size) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
}

void end() { MPI_Finalize(); }

void swap_numbers(const std::uint64_t* outgoing, std::uint64_t* incoming) {
  MPI_Alltoall(outgoing, 1, MPI_UINT64_T, incoming, 1, MPI_UINT64_T, MPI_COMM_WORLD);
}

template <class Post>
void post_in_parts(const Piece& piece, std::vector<MPI_Request>& requests, Post post) {
  for (std::uint64_t at = 0; at < piece.size; at += kMostAtOnce) {
    const int count = static_cast<int>(std::min(kMostAtOnce, piece.size - at));
    post(static_cast<char*>(piece.data) + at, count, MPI_BYTE, piece.process, kTag, MPI_COMM_WORLD,
         &requests.emplace_back());
  }
}

void transfer(const Piece* incoming, std::size_t incoming_count, const Piece* outgoing, std::size_t outgoing_count) {
  std::vector<MPI_Request> requests;
  for (std::size_t i = 0; i < incoming_count; ++i) post_in_parts(incoming[i], requests, MPI_Irecv);
  for (std::size_t i = 0; i < outgoing_count; ++i) post_in_parts(outgoing[i], requests, MPI_Isend);
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

std::uint64_t broadcast(std::uint64_t value) {
  MPI_Bcast(&value, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return value;
}

std::uint64_t sum(std::uint64_t own) {
  std::uint64_t total = 0;
  MPI_Allreduce(&own, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return total;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const Transport tarry_mpi_transport;
const Transport tarry_mpi_transport = {start, end, swap_numbers, transfer, broadcast, sum};

}  // namespace tarry
