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
/// holds the same bits. Packs of four are what processors add up at once; they may lie anywhere.
class Variants {
 public:
  static constexpr std::size_t kCount = 16;

  Variants() = default;
  explicit Variants(double all) {
    for (std::size_t i = 0; i < kPacks; ++i) packs_[i] = Pack{all, all, all, all};
  }

  double operator[](std::size_t variant) const { return packs_[variant / kPack][variant % kPack]; }
  void set(std::size_t variant, double value) { packs_[variant / kPack][variant % kPack] = value; }

  Variants& operator+=(const Variants& other) {
    for (std::size_t i = 0; i < kPacks; ++i) packs_[i] += other.packs_[i];
    return *this;
  }
  Variants& operator-=(const Variants& other) {
    for (std::size_t i = 0; i < kPacks; ++i) packs_[i] -= other.packs_[i];
    return *this;
  }
  Variants& operator*=(double factor) {
    for (std::size_t i = 0; i < kPacks; ++i) packs_[i] *= factor;
    return *this;
  }
  Variants& operator+=(double same) {
    for (std::size_t i = 0; i < kPacks; ++i) packs_[i] += same;
    return *this;
  }
  friend Variants operator+(Variants a, const Variants& b) { return a += b; }
  friend Variants operator+(Variants a, double b) { return a += b; }
  friend Variants operator-(Variants a, const Variants& b) { return a -= b; }
  friend Variants operator-(Variants a, double b) { return a += -b; }
  friend Variants operator*(Variants a, double factor) { return a *= factor; }

  friend Variants later(Variants a, const Variants& b) {
    for (std::size_t i = 0; i < kPacks; ++i) a.packs_[i] = a.packs_[i] < b.packs_[i] ? b.packs_[i] : a.packs_[i];
    return a;
  }
  friend Variants earlier(Variants a, const Variants& b) {
    for (std::size_t i = 0; i < kPacks; ++i) a.packs_[i] = b.packs_[i] < a.packs_[i] ? b.packs_[i] : a.packs_[i];
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
  static constexpr std::size_t kPack = 4, kPacks = kCount / kPack;
  // A reference to one would promise that it lies at a multiple of 32 bytes.
  typedef double Pack __attribute__((vector_size(kPack * sizeof(double)), aligned(8)));

  Pack packs_[kPacks];
};

}  // namespace tarry
