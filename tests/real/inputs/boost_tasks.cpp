// boost_tasks.cpp -- Boost.MPI: a master hands out numbers, receives with test_any, and broadcasts what was found.
#include <boost/mpi.hpp>
#include <boost/serialization/vector.hpp>
#include <cmath>
#include <cstdio>
#include <vector>
namespace mpi = boost::mpi;

static double work(int k) {
  double sum = 0;
  for (int i = 1; i < 200000; ++i) sum += std::sin(i * 1e-3 * k);
  return sum;
}

int main(int argc, char** argv) {
  mpi::environment environment(argc, argv);
  mpi::communicator world;
  double total = 0;
  const int tasks = 40;
  if (world.rank() == 0) {
    std::vector<mpi::request> open;
    std::vector<double> results(tasks);
    for (int k = 0; k < tasks; ++k) {
      const int worker = 1 + k % (world.size() - 1);
      world.send(worker, 1, std::vector<int>{k, k + 1});
      open.push_back(world.irecv(worker, 2 + k, results[k]));
    }
    while (!open.empty())
      if (auto done = mpi::test_any(open.begin(), open.end())) open.erase(done->second);
    for (int worker = 1; worker < world.size(); ++worker) world.send(worker, 1, std::vector<int>{});
    for (double each : results) total += each;
  } else {
    for (;;) {
      std::vector<int> task;
      world.recv(0, 1, task);
      if (task.empty()) break;
      world.send(0, 2 + task[0], work(task[1]));
    }
  }
  mpi::broadcast(world, total, 0);
  if (world.rank() == world.size() - 1) std::printf("total %.6f\n", total);
}
