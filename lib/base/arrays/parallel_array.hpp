// parallel_array.hpp -- an array whose elements are made and released by all threads.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/processes/worker_pool.hpp"

namespace tarry {

/// An array of fixed size for thousands of elements that hold memory of their own. One thread alone takes long to get
/// that memory from the system page by page, and to give it back. That is longer than all threads take to pass over it.
template <class T>
class ParallelArray {
 public:
  ParallelArray() = default;
  /// `count` elements, each as T(arguments...) has it, made by up to `workers` threads.
  template <class... Arguments>
  ParallelArray(unsigned workers, std::size_t count, const Arguments&... arguments)
      : workers_(workers), size_(count), elements_(std::allocator<T>().allocate(count)) {
    static_assert(std::is_nothrow_constructible_v<T, const Arguments&...>);
    run_parallel(workers_, size_, [&](std::size_t i) { std::construct_at(elements_ + i, arguments...); });
  }
  ParallelArray(ParallelArray&& other) noexcept { swap(other); }
  ParallelArray& operator=(ParallelArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ParallelArray() {
    if (!elements_) return;
    run_parallel(workers_, size_, [this](std::size_t i) { std::destroy_at(elements_ + i); });
    std::allocator<T>().deallocate(elements_, size_);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return elements_; }
  const T* data() const { return elements_; }
  T* begin() { return elements_; }
  T* end() { return elements_ + size_; }
  const T* begin() const { return elements_; }
  const T* end() const { return elements_ + size_; }
  T& operator[](std::size_t i) { return elements_[i]; }
  const T& operator[](std::size_t i) const { return elements_[i]; }

 private:
  void swap(ParallelArray& other) {
    std::swap(workers_, other.workers_);
    std::swap(size_, other.size_);
    std::swap(elements_, other.elements_);
  }

  unsigned workers_ = 1;
  std::size_t size_ = 0;
  T* elements_ = nullptr;
};

}  // namespace tarry
