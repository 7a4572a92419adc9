// value_rows.cpp -- rows of values over threads, made when they are first asked for.
#include "analysis/value_rows.hpp"

#include <utility>

namespace tarry {
namespace {

// Puts `made` into `row` if that is empty, and returns what the row holds then. Another thread may have been faster.
template <class Owner, class Pointer>
Pointer settle_owned(std::atomic<Pointer>& place, Owner made) {
  Pointer found = nullptr;
  if (place.compare_exchange_strong(found, made.get(), std::memory_order_acq_rel)) return made.release();
  return found;
}

}  // namespace

ValueRows::ValueRows(std::size_t paths, std::size_t columns)
    : paths_(paths), columns_(columns), metrics_(new std::atomic<Cell*>[kMetricCount]()) {}

ValueRows::ValueRows(ValueRows&& other) noexcept { *this = std::move(other); }

ValueRows& ValueRows::operator=(ValueRows&& other) noexcept {
  std::swap(paths_, other.paths_);
  std::swap(columns_, other.columns_);
  std::swap(metrics_, other.metrics_);
  return *this;
}

ValueRows::~ValueRows() {
  for (std::size_t m = 0; metrics_ && m < kMetricCount; ++m) drop(static_cast<Metric>(m));
}

double* ValueRows::make_row(Metric metric, PathIndex path) {
  Cell* cells = cells_of(metric);
  if (!cells) cells = settle_owned(metrics_[static_cast<std::size_t>(metric)], std::make_unique<Cell[]>(paths_));
  return settle_owned(cells[path], std::make_unique<double[]>(columns_));
}

void ValueRows::add_row(Metric part, Metric whole, PathIndex path, double factor) {
  const double* from = find(part, path);
  if (!from) return;
  double* into = row(whole, path);
  for (std::size_t column = 0; column < columns_; ++column) into[column] += factor * from[column];
}

std::unique_ptr<double[]> ValueRows::take(Metric metric, PathIndex path) {
  Cell* cells = cells_of(metric);
  return std::unique_ptr<double[]>(cells ? cells[path].exchange(nullptr) : nullptr);
}

void ValueRows::drop(Metric metric) {
  for (PathIndex path = 0; has(metric) && path < paths_; ++path) take(metric, path);
  delete[] metrics_[static_cast<std::size_t>(metric)].exchange(nullptr);
}

}  // namespace tarry
