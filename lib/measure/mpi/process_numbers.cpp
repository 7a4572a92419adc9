// process_numbers.cpp -- the numbers that processes have in the archive, and who is behind a group of MPI.
#include "measure/mpi/process_numbers.hpp"

#include <algorithm>
#include <numeric>

#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/world_comm.hpp"

namespace tarry::measure {
namespace {

WorldRank g_first{0}, g_own{0};

WorldRank at_rank(WorldRank first, int rank) { return WorldRank(first.value + static_cast<std::uint32_t>(rank)); }

// Processes of other worlds.
struct Met {
  MPI_Group group;
  std::vector<WorldRank> numbers;  // of its members
};

RecorderLock g_numbers_lock;

// Never destroyed: MPI may be called while the program ends.
std::vector<Met>& all_met() {
  static auto* const met = new std::vector<Met>;
  return *met;
}

// Ranks in the second group of all members of the first, which has `size`.
void translate(MPI_Group group, int size, MPI_Group into, std::vector<int>& ranks) {
  const auto count = static_cast<std::size_t>(size);
  ranks.resize(2 * count);
  std::iota(ranks.begin() + size, ranks.end(), 0);
  if (size > 0) PMPI_Group_translate_ranks(group, size, ranks.data() + count, into, ranks.data());
  ranks.resize(count);
}

// False if there are some left without a number.
bool add_met_numbers(MPI_Group group, const Met& met, std::vector<WorldRank>& numbers, std::vector<int>& ranks) {
  translate(group, static_cast<int>(numbers.size()), met.group, ranks);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!numbers[i].is_valid() && ranks[i] != MPI_UNDEFINED)
      numbers[i] = met.numbers[static_cast<std::size_t>(ranks[i])];
  return std::ranges::all_of(numbers, &WorldRank::is_valid);
}

}  // namespace

void number_own_world(WorldRank first, int rank) {
  g_first = first;
  g_own = at_rank(first, rank);
}

WorldRank own_number() { return g_own; }

void numbers_of(MPI_Group group, std::vector<WorldRank>& numbers) {
  static __thread std::vector<int>* scratch = nullptr;
  if (!scratch) scratch = new std::vector<int>;
  int size = 0;
  PMPI_Group_size(group, &size);
  translate(group, size, world_group(), *scratch);
  numbers.clear();
  for (const int rank : *scratch) numbers.push_back(rank == MPI_UNDEFINED ? WorldRank() : at_rank(g_first, rank));
  if (std::ranges::all_of(numbers, &WorldRank::is_valid)) return;
  const CallLock lock(g_numbers_lock);
  std::vector<Met>& met = all_met();
  // The latest first: MPI may give what stood for a process that has gone to another one.
  for (std::size_t i = met.size(); i > 0; --i)
    if (add_met_numbers(group, met[i - 1], numbers, *scratch)) return;
}

void note_remote_numbers(MPI_Comm inter, std::vector<WorldRank> numbers) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_remote_group(inter, &group);
  std::vector<WorldRank> known;
  numbers_of(group, known);
  if (known == numbers) {
    PMPI_Group_free(&group);
    return;
  }
  const CallLock lock(g_numbers_lock);
  all_met().push_back({group, std::move(numbers)});
}

WorldRank number_of_first(MPI_Group group) {
  const int first = 0;
  MPI_Group one = MPI_GROUP_NULL;
  std::vector<WorldRank> number;
  PMPI_Group_incl(group, 1, &first, &one);
  numbers_of(one, number);
  PMPI_Group_free(&one);
  PMPI_Group_free(&group);
  return number[0];
}

bool is_in_own_world(MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> ranks;
  translate(group, size, world_group(), ranks);
  PMPI_Group_free(&group);
  return std::find(ranks.begin(), ranks.end(), MPI_UNDEFINED) == ranks.end();
}

void forget_met_processes() {
  const CallLock lock(g_numbers_lock);
  for (Met& met : all_met()) PMPI_Group_free(&met.group);
  all_met().clear();
}

}  // namespace tarry::measure
