// neighbor_table.cpp -- from which neighbours processes receive in neighbourhood collectives.
#include "replay/matching/neighbor_table.hpp"

#include "defs/cart_grid.hpp"

namespace tarry {

void NeighborLists::add(const std::vector<std::uint32_t>* sources) {
  is_known_.push_back(sources);
  if (sources) sources_.insert(sources_.end(), sources->begin(), sources->end());
  first_.push_back(sources_.size());
}

NeighborTable::NeighborTable(const Definitions& definitions) : definitions_(definitions) {
  for (const CartTopology& cart : definitions.carts)
    if (cart.comm.value < definitions.comms.size()) carts_.emplace(cart.comm, &cart);
  for (const Neighborhood& neighborhood : definitions.neighborhoods)
    if (neighborhood.comm.value < definitions.comms.size()) graphs_[neighborhood.comm].push_back(&neighborhood);
}

const NeighborLists* NeighborTable::find(CommId comm) const {
  if (!carts_.contains(comm) && !graphs_.contains(comm)) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto known = lists_.find(comm);
  return known != lists_.end() ? &known->second : &lists_.emplace(comm, lists_of(comm)).first->second;
}

NeighborLists NeighborTable::lists_of(CommId comm) const {
  const GroupId group = definitions_.comms[comm.value].group;
  const std::size_t size =
      group.value < definitions_.groups.size() ? definitions_.groups[group.value].members.size() : 0;
  NeighborLists lists;
  if (const auto cart = carts_.find(comm); cart != carts_.end()) {
    const CartGrid grid(*cart->second);
    for (std::uint32_t rank = 0; rank < size; ++rank) {
      const std::vector<std::uint32_t> neighbors = grid.neighbors(rank);
      lists.add(grid.coordinates_of(rank) ? &neighbors : nullptr);
    }
    return lists;
  }
  std::vector<const std::vector<std::uint32_t>*> of_rank(size, nullptr);
  for (const Neighborhood* each : graphs_.at(comm))
    if (each->rank < size) of_rank[each->rank] = &each->sources;
  for (const auto* sources : of_rank) lists.add(sources);
  return lists;
}

}  // namespace tarry
