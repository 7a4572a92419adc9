// exchange.cpp -- how analysis processes talk; the only place outside the recorder that knows MPI.
#include "replay/exchange.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>

namespace tarry {
namespace {

constexpr int kTag = 1;
constexpr std::size_t kPiece = std::size_t{1} << 30;  // MPI counts are ints

bool is_launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

// Length of the piece that begins at `at`.
int piece_at(std::size_t size, std::size_t at) { return static_cast<int>(std::min(kPiece, size - at)); }

void post_pieces(std::vector<std::uint8_t>& bytes, int peer, bool is_send, std::vector<MPI_Request>& requests) {
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    const int count = piece_at(bytes.size(), at);
    MPI_Request& request = requests.emplace_back();
    if (is_send)
      MPI_Isend(bytes.data() + at, count, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, &request);
    else
      MPI_Irecv(bytes.data() + at, count, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, &request);
  }
}

}  // namespace

Exchange::Exchange(int* argc, char*** argv) {
  if (!is_launched()) return;
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  uses_mpi_ = true;
}

Exchange::~Exchange() {
  if (uses_mpi_) MPI_Finalize();
}

std::vector<Parcel> Exchange::all_to_all(std::vector<Parcel> parcels) {
  if (size_ == 1) return parcels;
  const auto processes = static_cast<std::size_t>(size_);
  std::vector<std::uint64_t> outgoing(processes), incoming(processes);
  for (std::size_t p = 0; p < processes; ++p) outgoing[p] = parcels[p].bytes().size();
  MPI_Alltoall(outgoing.data(), 1, MPI_UINT64_T, incoming.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
  std::vector<Parcel> arrived(processes);
  std::vector<MPI_Request> requests;
  for (int p = 0; p < size_; ++p) {
    Parcel& parcel = arrived[static_cast<std::size_t>(p)];
    if (p == rank_) {
      parcel = std::move(parcels[static_cast<std::size_t>(p)]);
      continue;
    }
    parcel.bytes().resize(incoming[static_cast<std::size_t>(p)]);
    post_pieces(parcel.bytes(), p, false, requests);
  }
  for (int p = 0; p < size_; ++p) {
    if (p == rank_ || parcels[static_cast<std::size_t>(p)].bytes().empty()) continue;
    post_pieces(parcels[static_cast<std::size_t>(p)].bytes(), p, true, requests);
    ++messages_;
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return arrived;
}

std::vector<Parcel> Exchange::gather(Parcel parcel) {
  std::vector<Parcel> parcels(static_cast<std::size_t>(size_));
  parcels[0] = std::move(parcel);
  std::vector<Parcel> arrived = all_to_all(std::move(parcels));
  if (rank_ != 0) arrived.clear();
  return arrived;
}

void Exchange::send(int to, std::span<const std::uint8_t> bytes) {
  std::uint64_t size = bytes.size();
  MPI_Send(&size, 1, MPI_UINT64_T, to, kTag, MPI_COMM_WORLD);
  for (std::size_t at = 0; at < bytes.size(); at += kPiece)
    MPI_Send(bytes.data() + at, piece_at(bytes.size(), at), MPI_BYTE, to, kTag, MPI_COMM_WORLD);
}

std::vector<std::uint8_t> Exchange::receive(int from) {
  std::uint64_t size = 0;
  MPI_Recv(&size, 1, MPI_UINT64_T, from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t at = 0; at < bytes.size(); at += kPiece)
    MPI_Recv(bytes.data() + at, piece_at(bytes.size(), at), MPI_BYTE, from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return bytes;
}

std::uint64_t Exchange::broadcast(std::uint64_t value) {
  if (size_ > 1) MPI_Bcast(&value, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return value;
}

bool Exchange::all_of(bool own) {
  int all = own;
  if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return all != 0;
}

std::uint64_t Exchange::total_messages() {
  std::uint64_t total = messages_;
  if (size_ > 1) MPI_Allreduce(&messages_, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return total;
}

}  // namespace tarry
