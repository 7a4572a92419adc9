// collective_bytes.cpp -- bytes sent and received in a collective operation.
#include "measure/mpi/collective_bytes.hpp"

namespace tarry::measure {
namespace {

// An error of PMPI_Type_size_x would reach the program's handler: where MPI ignores a datatype, any handle is allowed.
Bytes size_of(MPI_Datatype type) {
  if (!type || type == MPI_DATATYPE_NULL) return 0;
  MPI_Count size = 0;
  PMPI_Type_size_x(type, &size);
  return size > 0 ? static_cast<Bytes>(size) : 0;
}

Bytes sum(CountList counts, int members) {
  Bytes total = 0;
  for (int i = 0; i < members; ++i) total += static_cast<Bytes>(counts[i]);
  return total;
}

Bytes sum(CountList counts, const MPI_Datatype types[], int members) {
  Bytes total = 0;
  for (int i = 0; i < members; ++i) total += bytes_of(counts[i], types[i]);
  return total;
}

// True on the process that data comes from or goes to: in an inter-communicator the one that passes MPI_ROOT.
bool is_root(const CommInfo& comm, int root) { return comm.is_inter ? root == MPI_ROOT : root == comm.rank; }

// In an inter-communicator the root's group takes no other part than the root's.
bool is_leaf(const CommInfo& comm, int root) { return !comm.is_inter || root >= 0; }

Bytes peers(const CommInfo& comm) { return static_cast<Bytes>(comm.peers()); }

struct Degrees {
  int in = 0;
  int out = 0;
};

Degrees degrees_of(MPI_Comm comm) {
  Degrees degrees;
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    int dimensions = 0;
    PMPI_Cartdim_get(comm, &dimensions);
    degrees.in = degrees.out = 2 * dimensions;
  } else if (topology == MPI_GRAPH) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &degrees.in);
    degrees.out = degrees.in;
  } else if (topology == MPI_DIST_GRAPH) {
    int is_weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &degrees.in, &degrees.out, &is_weighted);
  }
  return degrees;
}

}  // namespace

int source_count(MPI_Comm comm) { return degrees_of(comm).in; }

Bytes bytes_of(MPI_Count count, MPI_Datatype type) { return count > 0 ? static_cast<Bytes>(count) * size_of(type) : 0; }

CollectiveBytes bcast_bytes(const CommInfo& comm, int root, MPI_Count count, MPI_Datatype type) {
  if (!is_root(comm, root) && !is_leaf(comm, root)) return {};
  const Bytes own = bytes_of(count, type);
  return {is_root(comm, root) ? peers(comm) * own : 0, is_leaf(comm, root) ? own : 0};
}

CollectiveBytes scatter_bytes(const CommInfo& comm, int root, MPI_Count send_count, MPI_Datatype send_type,
                              const void* receive_buffer, MPI_Count receive_count, MPI_Datatype receive_type) {
  const bool is_in_place = receive_buffer == MPI_IN_PLACE;
  CollectiveBytes bytes;
  if (is_root(comm, root)) bytes.sent = (peers(comm) - is_in_place) * bytes_of(send_count, send_type);
  if (is_leaf(comm, root) && !is_in_place) bytes.received = bytes_of(receive_count, receive_type);
  return bytes;
}

CollectiveBytes scatterv_bytes(const CommInfo& comm, int root, CountList send_counts, MPI_Datatype send_type,
                               const void* receive_buffer, MPI_Count receive_count, MPI_Datatype receive_type) {
  const bool is_in_place = receive_buffer == MPI_IN_PLACE;
  CollectiveBytes bytes;
  if (is_root(comm, root)) {
    bytes.sent = sum(send_counts, comm.peers()) * size_of(send_type);
    if (is_in_place) bytes.sent -= bytes_of(send_counts[comm.rank], send_type);
  }
  if (is_leaf(comm, root) && !is_in_place) bytes.received = bytes_of(receive_count, receive_type);
  return bytes;
}

CollectiveBytes gather_bytes(const CommInfo& comm, int root, const void* send_buffer, MPI_Count send_count,
                             MPI_Datatype send_type, MPI_Count receive_count, MPI_Datatype receive_type) {
  const bool is_in_place = send_buffer == MPI_IN_PLACE;
  CollectiveBytes bytes;
  if (is_leaf(comm, root) && !is_in_place) bytes.sent = bytes_of(send_count, send_type);
  if (is_root(comm, root)) bytes.received = (peers(comm) - is_in_place) * bytes_of(receive_count, receive_type);
  return bytes;
}

CollectiveBytes gatherv_bytes(const CommInfo& comm, int root, const void* send_buffer, MPI_Count send_count,
                              MPI_Datatype send_type, CountList receive_counts, MPI_Datatype receive_type) {
  const bool is_in_place = send_buffer == MPI_IN_PLACE;
  CollectiveBytes bytes;
  if (is_leaf(comm, root) && !is_in_place) bytes.sent = bytes_of(send_count, send_type);
  if (is_root(comm, root)) {
    bytes.received = sum(receive_counts, comm.peers()) * size_of(receive_type);
    if (is_in_place) bytes.received -= bytes_of(receive_counts[comm.rank], receive_type);
  }
  return bytes;
}

CollectiveBytes reduce_bytes(const CommInfo& comm, int root, const void* send_buffer, MPI_Count count,
                             MPI_Datatype type) {
  return gather_bytes(comm, root, send_buffer, count, type, count, type);
}

CollectiveBytes allgather_bytes(const CommInfo& comm, const void* send_buffer, MPI_Count send_count,
                                MPI_Datatype send_type, MPI_Count receive_count, MPI_Datatype receive_type) {
  const Bytes received = bytes_of(receive_count, receive_type);
  if (send_buffer == MPI_IN_PLACE) return {(peers(comm) - 1) * received, (peers(comm) - 1) * received};
  return {peers(comm) * bytes_of(send_count, send_type), peers(comm) * received};
}

CollectiveBytes allgatherv_bytes(const CommInfo& comm, const void* send_buffer, MPI_Count send_count,
                                 MPI_Datatype send_type, CountList receive_counts, MPI_Datatype receive_type) {
  const Bytes received = sum(receive_counts, comm.peers()) * size_of(receive_type);
  if (send_buffer != MPI_IN_PLACE) return {peers(comm) * bytes_of(send_count, send_type), received};
  const Bytes own = bytes_of(receive_counts[comm.rank], receive_type);
  return {(peers(comm) - 1) * own, received - own};
}

CollectiveBytes alltoall_bytes(const CommInfo& comm, const void* send_buffer, MPI_Count send_count,
                               MPI_Datatype send_type, MPI_Count receive_count, MPI_Datatype receive_type) {
  return allgather_bytes(comm, send_buffer, send_count, send_type, receive_count, receive_type);
}

CollectiveBytes alltoallv_bytes(const CommInfo& comm, const void* send_buffer, CountList send_counts,
                                MPI_Datatype send_type, CountList receive_counts, MPI_Datatype receive_type) {
  const Bytes received = sum(receive_counts, comm.peers()) * size_of(receive_type);
  if (send_buffer != MPI_IN_PLACE) return {sum(send_counts, comm.peers()) * size_of(send_type), received};
  const Bytes others = received - bytes_of(receive_counts[comm.rank], receive_type);
  return {others, others};
}

CollectiveBytes alltoallw_bytes(const CommInfo& comm, const void* send_buffer, CountList send_counts,
                                const MPI_Datatype send_types[], CountList receive_counts,
                                const MPI_Datatype receive_types[]) {
  const Bytes received = sum(receive_counts, receive_types, comm.peers());
  if (send_buffer != MPI_IN_PLACE) return {sum(send_counts, send_types, comm.peers()), received};
  const Bytes others = received - bytes_of(receive_counts[comm.rank], receive_types[comm.rank]);
  return {others, others};
}

CollectiveBytes allreduce_bytes(const CommInfo& comm, MPI_Count count, MPI_Datatype type) {
  const Bytes all = peers(comm) * bytes_of(count, type);
  return {all, all};
}

CollectiveBytes reduce_scatter_bytes(const CommInfo& comm, const void* send_buffer, CountList receive_counts,
                                     MPI_Datatype type) {
  const Bytes is_in_place = send_buffer == MPI_IN_PLACE;
  const Bytes own = bytes_of(receive_counts[comm.rank], type);
  return {sum(receive_counts, comm.size) * size_of(type) - is_in_place * own, (peers(comm) - is_in_place) * own};
}

CollectiveBytes reduce_scatter_block_bytes(const CommInfo& comm, const void* send_buffer, MPI_Count receive_count,
                                           MPI_Datatype type) {
  const Bytes all = (peers(comm) - (send_buffer == MPI_IN_PLACE)) * bytes_of(receive_count, type);
  return {all, all};
}

CollectiveBytes scan_bytes(const CommInfo& comm, const void* send_buffer, MPI_Count count, MPI_Datatype type) {
  const Bytes own = bytes_of(count, type);
  const Bytes rank = static_cast<Bytes>(comm.rank), above = static_cast<Bytes>(comm.size) - rank, below = rank + 1;
  const Bytes is_in_place = send_buffer == MPI_IN_PLACE;
  return {(above - is_in_place) * own, (below - is_in_place) * own};
}

CollectiveBytes exscan_bytes(const CommInfo& comm, const void*, MPI_Count count, MPI_Datatype type) {
  const Bytes own = bytes_of(count, type);
  return {static_cast<Bytes>(comm.size - comm.rank - 1) * own, static_cast<Bytes>(comm.rank) * own};
}

CollectiveBytes neighbor_allgather_bytes(MPI_Comm comm, MPI_Count send_count, MPI_Datatype send_type,
                                         MPI_Count receive_count, MPI_Datatype receive_type) {
  const Degrees degrees = degrees_of(comm);
  return {static_cast<Bytes>(degrees.out) * bytes_of(send_count, send_type),
          static_cast<Bytes>(degrees.in) * bytes_of(receive_count, receive_type)};
}

CollectiveBytes neighbor_allgatherv_bytes(MPI_Comm comm, MPI_Count send_count, MPI_Datatype send_type,
                                          CountList receive_counts, MPI_Datatype receive_type) {
  const Degrees degrees = degrees_of(comm);
  return {static_cast<Bytes>(degrees.out) * bytes_of(send_count, send_type),
          sum(receive_counts, degrees.in) * size_of(receive_type)};
}

CollectiveBytes neighbor_alltoallv_bytes(MPI_Comm comm, CountList send_counts, MPI_Datatype send_type,
                                         CountList receive_counts, MPI_Datatype receive_type) {
  const Degrees degrees = degrees_of(comm);
  return {sum(send_counts, degrees.out) * size_of(send_type), sum(receive_counts, degrees.in) * size_of(receive_type)};
}

CollectiveBytes neighbor_alltoallw_bytes(MPI_Comm comm, CountList send_counts, const MPI_Datatype send_types[],
                                         CountList receive_counts, const MPI_Datatype receive_types[]) {
  const Degrees degrees = degrees_of(comm);
  return {sum(send_counts, send_types, degrees.out), sum(receive_counts, receive_types, degrees.in)};
}

}  // namespace tarry::measure
