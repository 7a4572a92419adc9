// topologies.cpp -- the grids and graphs that members of communicators form.
#include "measure/mpi/topologies.hpp"

#include <vector>

#include "measure/core/runtime.hpp"

namespace tarry::measure {
namespace {

void define_cart(MPI_Comm comm, CommId id) {
  int count = 0;
  if (PMPI_Cartdim_get(comm, &count) != MPI_SUCCESS || count < 0) return;
  const auto size = static_cast<std::size_t>(count);
  std::vector<int> sizes(size), periods(size), own(size);
  if (PMPI_Cart_get(comm, count, sizes.data(), periods.data(), own.data()) != MPI_SUCCESS) return;
  CartTopology cart;
  cart.comm = id;
  for (std::size_t d = 0; d < size; ++d)
    cart.dimensions.push_back({StringId(), static_cast<std::uint32_t>(sizes[d]), periods[d] != 0});
  definitions().add_cart(cart, Interner());
}

// MPI_PROC_NULL is no process.
std::vector<std::uint32_t> ranks_of(const std::vector<int>& ranks) {
  std::vector<std::uint32_t> list;
  for (const int rank : ranks) list.push_back(rank < 0 ? 0xffffffffu : static_cast<std::uint32_t>(rank));
  return list;
}

void define_graph(MPI_Comm comm, Neighborhood own) {
  int count = 0;
  if (PMPI_Graph_neighbors_count(comm, static_cast<int>(own.rank), &count) != MPI_SUCCESS || count < 0) return;
  std::vector<int> neighbors(static_cast<std::size_t>(count));
  if (PMPI_Graph_neighbors(comm, static_cast<int>(own.rank), count, neighbors.data()) != MPI_SUCCESS) return;
  own.sources = own.destinations = ranks_of(neighbors);
  definitions().add_neighborhood(own);
}

void define_distributed_graph(MPI_Comm comm, Neighborhood own) {
  int in = 0, out = 0, is_weighted = 0;
  if (PMPI_Dist_graph_neighbors_count(comm, &in, &out, &is_weighted) != MPI_SUCCESS || in < 0 || out < 0) return;
  std::vector<int> sources(static_cast<std::size_t>(in)), source_weights(sources.size());
  std::vector<int> destinations(static_cast<std::size_t>(out)), destination_weights(destinations.size());
  if (PMPI_Dist_graph_neighbors(comm, in, sources.data(), source_weights.data(), out, destinations.data(),
                                destination_weights.data()) != MPI_SUCCESS)
    return;
  own.sources = ranks_of(sources);
  own.destinations = ranks_of(destinations);
  definitions().add_neighborhood(own);
}

}  // namespace

void define_topology(MPI_Comm comm, CommId id, int rank) {
  int topology = MPI_UNDEFINED;
  if (PMPI_Topo_test(comm, &topology) != MPI_SUCCESS) return;
  Neighborhood own;
  own.comm = id;
  own.rank = static_cast<std::uint32_t>(rank);
  if (topology == MPI_CART) define_cart(comm, id);
  if (topology == MPI_GRAPH) define_graph(comm, std::move(own));
  if (topology == MPI_DIST_GRAPH) define_distributed_graph(comm, std::move(own));
}

}  // namespace tarry::measure
