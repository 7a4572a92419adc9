// collective_bytes.hpp -- bytes sent and received in a collective operation.
//
// The rules are Score-P's, so that reports can be compared: the size of a contribution counts once for each member that
// it goes to or comes from, the process itself included; what MPI_IN_PLACE leaves where it is does not count.
#pragma once

#include "base/units.hpp"
#include "measure/mpi/comm_table.hpp"

namespace tarry::measure {

struct CollectiveBytes {
  Bytes sent = 0;
  Bytes received = 0;
};

inline CollectiveBytes no_bytes() { return {}; }

CollectiveBytes bcast_bytes(const CommInfo& comm, int root, int count, MPI_Datatype type);
CollectiveBytes scatter_bytes(const CommInfo& comm, int root, int send_count, MPI_Datatype send_type, const void* receive_buffer,
                              int receive_count, MPI_Datatype receive_type);
CollectiveBytes scatterv_bytes(const CommInfo& comm, int root, const int send_counts[], MPI_Datatype send_type,
                               const void* receive_buffer, int receive_count, MPI_Datatype receive_type);
CollectiveBytes gather_bytes(const CommInfo& comm, int root, const void* send_buffer, int send_count, MPI_Datatype send_type,
                             int receive_count, MPI_Datatype receive_type);
CollectiveBytes gatherv_bytes(const CommInfo& comm, int root, const void* send_buffer, int send_count, MPI_Datatype send_type,
                              const int receive_counts[], MPI_Datatype receive_type);
CollectiveBytes reduce_bytes(const CommInfo& comm, int root, const void* send_buffer, int count, MPI_Datatype type);
CollectiveBytes allgather_bytes(const CommInfo& comm, const void* send_buffer, int send_count, MPI_Datatype send_type,
                                int receive_count, MPI_Datatype receive_type);
CollectiveBytes allgatherv_bytes(const CommInfo& comm, const void* send_buffer, int send_count, MPI_Datatype send_type,
                                 const int receive_counts[], MPI_Datatype receive_type);
CollectiveBytes alltoall_bytes(const CommInfo& comm, const void* send_buffer, int send_count, MPI_Datatype send_type,
                               int receive_count, MPI_Datatype receive_type);
CollectiveBytes alltoallv_bytes(const CommInfo& comm, const void* send_buffer, const int send_counts[], MPI_Datatype send_type,
                                const int receive_counts[], MPI_Datatype receive_type);
CollectiveBytes alltoallw_bytes(const CommInfo& comm, const void* send_buffer, const int send_counts[],
                                const MPI_Datatype send_types[], const int receive_counts[],
                                const MPI_Datatype receive_types[]);
CollectiveBytes allreduce_bytes(const CommInfo& comm, int count, MPI_Datatype type);
CollectiveBytes reduce_scatter_bytes(const CommInfo& comm, const void* send_buffer, const int receive_counts[], MPI_Datatype type);
CollectiveBytes reduce_scatter_block_bytes(const CommInfo& comm, const void* send_buffer, int receive_count, MPI_Datatype type);
CollectiveBytes scan_bytes(const CommInfo& comm, const void* send_buffer, int count, MPI_Datatype type);
CollectiveBytes exscan_bytes(const CommInfo& comm, const void* send_buffer, int count, MPI_Datatype type);

// Neighbourhood collectives: once for each neighbour in the communicator's topology.
CollectiveBytes neighbor_allgather_bytes(MPI_Comm comm, int send_count, MPI_Datatype send_type, int receive_count,
                                         MPI_Datatype receive_type);
CollectiveBytes neighbor_allgatherv_bytes(MPI_Comm comm, int send_count, MPI_Datatype send_type, const int receive_counts[],
                                          MPI_Datatype receive_type);
CollectiveBytes neighbor_alltoallv_bytes(MPI_Comm comm, const int send_counts[], MPI_Datatype send_type,
                                         const int receive_counts[], MPI_Datatype receive_type);
CollectiveBytes neighbor_alltoallw_bytes(MPI_Comm comm, const int send_counts[], const MPI_Datatype send_types[],
                                         const int receive_counts[], const MPI_Datatype receive_types[]);

/// How many neighbours this process receives from in a communicator with a topology.
int source_count(MPI_Comm comm);

/// Bytes of `count` elements of a datatype (the data, not the extent).
Bytes bytes_of(int count, MPI_Datatype type);

}  // namespace tarry::measure
