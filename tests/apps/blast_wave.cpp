// blast_wave.cpp -- a point explosion in a gas, in the style of LULESH: C++ with classes, templates and lambdas.
//
// usage: blast_wave [STEPS]
//
// The gas is cut into slabs, one for each process, of any number. In each step neighbours exchange the outermost layers
// of three fields, and all agree on the next time step. Prints one line: the total energy, which stays the same.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

constexpr int kWidth = 24, kLayers = 6;
constexpr double kGamma = 1.4;

template <class T>
class Field {
 public:
  explicit Field(T value) : cells_(static_cast<size_t>(kWidth * kWidth * (kLayers + 2)), value) {}
  T& at(int x, int y, int z) { return cells_[static_cast<size_t>((z * kWidth + y) * kWidth + x)]; }
  T* layer(int z) { return &at(0, 0, z); }

 private:
  std::vector<T> cells_;
};

template <class Body>
void for_each_cell(Body body) {
  for (int z = 1; z <= kLayers; ++z)
    for (int y = 0; y < kWidth; ++y)
      for (int x = 0; x < kWidth; ++x) body(x, y, z);
}

struct Neighbours {
  int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
};

// Starts the exchange of one field; the object's end waits for it.
template <class T>
class Exchange {
 public:
  Exchange(Field<T>& field, const Neighbours& next, int tag) {
    receive(field.layer(0), next.below, tag);
    receive(field.layer(kLayers + 1), next.above, tag);
    send(field.layer(1), next.below, tag);
    send(field.layer(kLayers), next.above, tag);
  }
  ~Exchange() { MPI_Waitall(count_, requests_, MPI_STATUSES_IGNORE); }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

 private:
  static constexpr int kBytes = kWidth * kWidth * static_cast<int>(sizeof(T));
  void receive(T* layer, int from, int tag) {
    MPI_Irecv(layer, kBytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, &requests_[count_++]);
  }
  void send(T* layer, int to, int tag) {
    MPI_Isend(layer, kBytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &requests_[count_++]);
  }
  MPI_Request requests_[4];
  int count_ = 0;
};

// What limits the time step: several kinds, asked in turns.
class Limit {
 public:
  virtual ~Limit() = default;
  virtual double longest() = 0;

 protected:
  static double least_of_all(double mine) {
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    return all;
  }
};

template <int kPower>
class SpeedLimit final : public Limit {
 public:
  explicit SpeedLimit(Field<double>& energy) : energy_(energy) {}
  double longest() override {
    double fastest = 1e-9;
    for_each_cell([&](int x, int y, int z) {
      fastest = std::max(fastest, std::pow(kGamma * energy_.at(x, y, z), 1.0 / kPower));
    });
    return least_of_all(0.1 / fastest);
  }

 private:
  Field<double>& energy_;
};

class Gas {
 public:
  Gas(int rank, int processes) {
    if (rank > 0) next_.below = rank - 1;
    if (rank + 1 < processes) next_.above = rank + 1;
    if (rank == processes / 2) energy_.at(kWidth / 2, kWidth / 2, kLayers / 2) = 100;
    limits_.push_back(std::make_unique<SpeedLimit<2>>(energy_));
    limits_.push_back(std::make_unique<SpeedLimit<3>>(energy_));
  }

  void advance(int steps) {
    for (int step = 0; step < steps; ++step) {
      exchange_all(step);
      diffuse(next_step());
      if (step % 5 == 4) checkpoint();
    }
  }

  double total() {
    double mine = 0, all = 0;
    for_each_cell([&](int x, int y, int z) { mine += energy_.at(x, y, z); });
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
  }

 private:
  void exchange_all(int step) {
    const Exchange<double> energy(energy_, next_, 1);
    if (step % 2) const Exchange<float> pressure(pressure_, next_, 2);
    const Exchange<int> material(material_, next_, 3);
  }

  double next_step() {
    double step = 0.1;
    for (const auto& limit : limits_) step = std::min(step, limit->longest());
    return step;
  }

  // What one cell gives, its neighbour gets: also across processes.
  void diffuse(double step) {
    Field<double> next = energy_;
    const auto flow = [&](int x, int y, int z, int fx, int fy, int fz) {
      const bool is_outside = fx < 0 || fy < 0 || fx == kWidth || fy == kWidth ||
                              (fz == 0 && next_.below == MPI_PROC_NULL) ||
                              (fz == kLayers + 1 && next_.above == MPI_PROC_NULL);
      if (!is_outside) next.at(x, y, z) += step * (energy_.at(fx, fy, fz) - energy_.at(x, y, z));
    };
    for_each_cell([&](int x, int y, int z) {
      flow(x, y, z, x - 1, y, z), flow(x, y, z, x + 1, y, z), flow(x, y, z, x, y - 1, z);
      flow(x, y, z, x, y + 1, z), flow(x, y, z, x, y, z - 1), flow(x, y, z, x, y, z + 1);
    });
    energy_ = next;
  }

  // A look at the clock inside an exception's way out, and a call through std::function.
  void checkpoint() {
    const std::function<void(int)> descend = [&](int depth) {
      if (depth == 0) throw std::runtime_error("no disk");
      descend(depth - 1);
      MPI_Barrier(MPI_COMM_WORLD);
    };
    try {
      descend(4);
    } catch (const std::exception&) {
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }

  Neighbours next_;
  Field<double> energy_{0};
  Field<float> pressure_{0};
  Field<int> material_{1};
  std::vector<std::unique_ptr<Limit>> limits_;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, processes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  Gas gas(rank, processes);
  gas.advance(argc > 1 ? std::atoi(argv[1]) : 100);
  const double energy = gas.total();
  if (rank == 0) std::printf("energy %.6f\n", energy);
  MPI_Finalize();
}
