// collective_bytes.hpp -- bytes sent and received in a collective operation.
//
// The rules are Score-P's, so that reports can be compared. The size of a contribution counts once for each member that
// it goes to or comes from, the process itself included. Data that MPI_IN_PLACE leaves unmoved do not count.
//
// Calls: may block.
#pragma once

#include "base/units.hpp"
#include "measure/mpi/comm_table.hpp"

namespace tarry::measure {

struct CollectiveBytes {
  Bytes sent = 0;
  Bytes received = 0;
};

/// An array of counts as MPI takes them: of int, or of MPI_Count where the function's name ends with _c.
class CountList {
 public:
  CountList(const int* counts) : counts_(counts) {}
  CountList(const MPI_Count* counts) : large_counts_(counts) {}
  MPI_Count operator[](int i) const { return large_counts_ ? large_counts_[i] : counts_[i]; }

 private:
  const int* counts_ = nullptr;
  const MPI_Count* large_counts_ = nullptr;
};

inline CollectiveBytes no_bytes() { return {}; }

CollectiveBytes bcast_bytes(const CommInfo& comm, int root, MPI_Count count, MPI_Datatype type);
CollectiveBytes scatter_bytes(const CommInfo& comm, int root, MPI_Count send_count, MPI_Datatype send_type,
                              const void* receive_buffer, MPI_Count receive_count, MPI_Datatype receive_type);
CollectiveBytes scatterv_bytes(const CommInfo& comm, int root, CountList send_counts, MPI_Datatype send_type,
                               const void* receive_buffer, MPI_Count receive_count, MPI_Datatype receive_type);
CollectiveBytes gather_bytes(const CommInfo& comm, int root, const void* send_buffer, MPI_Count send_count,
                             MPI_Datatype send_type, MPI_Count receive_count, MPI_Datatype receive_type);
CollectiveBytes gatherv_bytes(const CommInfo& comm, int root, const void* send_buffer, MPI_Count send_count,
                              MPI_Datatype send_type, CountList receive_counts, MPI_Datatype receive_type);
CollectiveBytes reduce_bytes(const CommInfo& comm, int root, const void* send_buffer, MPI_Count count,
                             MPI_Datatype type);
CollectiveBytes allgather_bytes(const CommInfo& comm, const void* send_buffer, MPI_Count send_count,
                                MPI_Datatype send_type, MPI_Count receive_count, MPI_Datatype receive_type);
CollectiveBytes allgatherv_bytes(const CommInfo& comm, const void* send_buffer, MPI_Count send_count,
                                 MPI_Datatype send_type, CountList receive_counts, MPI_Datatype receive_type);
CollectiveBytes alltoall_bytes(const CommInfo& comm, const void* send_buffer, MPI_Count send_count,
                               MPI_Datatype send_type, MPI_Count receive_count, MPI_Datatype receive_type);
CollectiveBytes alltoallv_bytes(const CommInfo& comm, const void* send_buffer, CountList send_counts,
                                MPI_Datatype send_type, CountList receive_counts, MPI_Datatype receive_type);
CollectiveBytes alltoallw_bytes(const CommInfo& comm, const void* send_buffer, CountList send_counts,
                                const MPI_Datatype send_types[], CountList receive_counts,
                                const MPI_Datatype receive_types[]);
CollectiveBytes allreduce_bytes(const CommInfo& comm, MPI_Count count, MPI_Datatype type);
CollectiveBytes reduce_scatter_bytes(const CommInfo& comm, const void* send_buffer, CountList receive_counts,
                                     MPI_Datatype type);
CollectiveBytes reduce_scatter_block_bytes(const CommInfo& comm, const void* send_buffer, MPI_Count receive_count,
                                           MPI_Datatype type);
CollectiveBytes scan_bytes(const CommInfo& comm, const void* send_buffer, MPI_Count count, MPI_Datatype type);
CollectiveBytes exscan_bytes(const CommInfo& comm, const void* send_buffer, MPI_Count count, MPI_Datatype type);

// Neighbourhood collectives: once for each neighbour in the communicator's topology.
CollectiveBytes neighbor_allgather_bytes(MPI_Comm comm, MPI_Count send_count, MPI_Datatype send_type,
                                         MPI_Count receive_count, MPI_Datatype receive_type);
CollectiveBytes neighbor_allgatherv_bytes(MPI_Comm comm, MPI_Count send_count, MPI_Datatype send_type,
                                          CountList receive_counts, MPI_Datatype receive_type);
CollectiveBytes neighbor_alltoallv_bytes(MPI_Comm comm, CountList send_counts, MPI_Datatype send_type,
                                         CountList receive_counts, MPI_Datatype receive_type);
CollectiveBytes neighbor_alltoallw_bytes(MPI_Comm comm, CountList send_counts, const MPI_Datatype send_types[],
                                         CountList receive_counts, const MPI_Datatype receive_types[]);

/// How many neighbours this process receives from in a communicator with a topology.
int source_count(MPI_Comm comm);

/// Bytes of `count` elements of a datatype (the data, not the extent).
Bytes bytes_of(MPI_Count count, MPI_Datatype type);

}  // namespace tarry::measure
