// small_templates.cpp -- C++ with containers and functors as templates: many small functions that a compiler makes one.
//
// usage: small_templates [STEPS]      (60)
//
// Each step sums over a matrix through an index operator, a functor and a fold. None of them takes longer than some
// nanoseconds; factorise() takes a third of the time and is called once a step.
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

template <class T>
class Matrix {
 public:
  explicit Matrix(int size) : size_(size), values_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {}
  T& operator()(int row, int column) { return values_[static_cast<std::size_t>(row * size_ + column)]; }
  int size() const { return size_; }

 private:
  int size_;
  std::vector<T> values_;
};

template <class T>
struct Damped {
  T factor;
  T operator()(T value, T other) const { return value * factor + other; }
};

template <class T, class Fold>
T fold_row(Matrix<T>& matrix, int row, Fold fold) {
  T sum = 0;
  for (int column = 0; column < matrix.size(); ++column) sum = fold(sum, matrix(row, column));
  return sum;
}

template <class T>
[[gnu::noinline]] void factorise(Matrix<T>& matrix) {
  T* const first = &matrix(0, 0);
  const int size = matrix.size();
  for (int pass = 0; pass < 40; ++pass)
    for (int i = 1; i < size * size; ++i) first[i] = first[i] * T(0.999) + first[i - 1] * T(0.001);
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 60;
  Matrix<double> matrix(150);
  for (int i = 0; i < matrix.size(); ++i) matrix(i, i) = 1 + i;
  double sum = 0;
  for (int step = 0; step < steps; ++step) {
    factorise(matrix);
    for (int row = 0; row < matrix.size(); ++row) sum += fold_row(matrix, row, Damped<double>{0.99});
  }
  std::printf("%.12g\n", sum);
  return 0;
}
