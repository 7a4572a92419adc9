// variants.hpp -- a time on several machines at once: what a simulation adds up for one, it adds up for all of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tarry {

/// The later one.
inline double later(double a, double b) { return std::max(a, b); }
inline bool is_unknown(double time) { return std::isnan(time); }
inline bool is_nothing(double share) { return share == 0; }

/// One number for each of some machines. Each variant goes through the same operations as a number of its own, so it
/// holds the same bits. Pairs are what processors add up at once; they may lie anywhere.
class Variants {
 public:
  static constexpr std::size_t kCount = 16;

  Variants() = default;
  explicit Variants(double all) {
    for (std::size_t i = 0; i < kPairs; ++i) pairs_[i] = Pair{all, all};
  }

  double operator[](std::size_t variant) const { return pairs_[variant / 2][variant % 2]; }
  void set(std::size_t variant, double value) { pairs_[variant / 2][variant % 2] = value; }

  Variants& operator+=(const Variants& other) {
    for (std::size_t i = 0; i < kPairs; ++i) pairs_[i] += other.pairs_[i];
    return *this;
  }
  Variants& operator-=(const Variants& other) {
    for (std::size_t i = 0; i < kPairs; ++i) pairs_[i] -= other.pairs_[i];
    return *this;
  }
  Variants& operator*=(double factor) {
    for (std::size_t i = 0; i < kPairs; ++i) pairs_[i] *= factor;
    return *this;
  }
  Variants& operator+=(double same) { return *this += Variants(same); }
  friend Variants operator+(Variants a, const Variants& b) { return a += b; }
  friend Variants operator+(Variants a, double b) { return a += b; }
  friend Variants operator-(Variants a, const Variants& b) { return a -= b; }
  friend Variants operator-(Variants a, double b) { return a -= Variants(b); }
  friend Variants operator*(Variants a, double factor) { return a *= factor; }

  friend Variants later(Variants a, const Variants& b) {
    for (std::size_t i = 0; i < kPairs; ++i) a.pairs_[i] = a.pairs_[i] < b.pairs_[i] ? b.pairs_[i] : a.pairs_[i];
    return a;
  }
  friend Variants earlier(Variants a, const Variants& b) {
    for (std::size_t i = 0; i < kPairs; ++i) a.pairs_[i] = b.pairs_[i] < a.pairs_[i] ? b.pairs_[i] : a.pairs_[i];
    return a;
  }
  /// What is known on one machine is known on all: they differ in times alone.
  friend bool is_unknown(const Variants& times) { return std::isnan(times[0]); }

  /// On all machines.
  friend bool is_nothing(const Variants& shares) {
    for (std::size_t i = 0; i < kCount; ++i)
      if (shares[i] != 0) return false;
    return true;
  }

 private:
  // A reference to one would promise that it lies at a multiple of 16 bytes.
  typedef double Pair __attribute__((vector_size(16), aligned(8)));
  static constexpr std::size_t kPairs = kCount / 2;

  Pair pairs_[kPairs];
};

}  // namespace tarry
