// indexed.hpp -- arrays whose elements have typed indices (ids.hpp), and such indices one after another.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

#include "base/arrays/ids.hpp"

namespace tarry {

/// The ids from 0 up to a number, for a range-based loop.
template <class Id>
class IdRange {
 public:
  class Iterator {
   public:
    using value_type = Id;
    using reference = Id;
    using pointer = const Id*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    constexpr explicit Iterator(Id id) : id_(id) {}
    constexpr Id operator*() const { return id_; }
    constexpr Iterator& operator++() {
      ++id_.value;
      return *this;
    }
    constexpr Iterator operator++(int) { return Iterator(Id(id_.value++)); }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    Id id_;
  };

  constexpr explicit IdRange(std::size_t count) : end_(count) {}
  constexpr Iterator begin() const { return Iterator(Id(0)); }
  constexpr Iterator end() const { return Iterator(end_); }

 private:
  Id end_;
};

/// An array as Container has it, whose elements are named by ids of one type. A plain number does as well, but no other
/// id.
template <class Id, class Container>
class Indexed : public Container {
 public:
  using Container::Container;
  using Container::operator[];
  Indexed() = default;
  Indexed(Container&& all) noexcept : Container(std::move(all)) {}

  decltype(auto) operator[](Id id) { return Container::operator[](id.value); }
  decltype(auto) operator[](Id id) const { return Container::operator[](id.value); }

  bool has(Id id) const { return id.value < Container::size(); }

  /// The ids of all elements, and the one of an element that is put behind them.
  IdRange<Id> ids() const { return IdRange<Id>(Container::size()); }
  Id next_id() const { return Id(Container::size()); }
};

/// Ids that are kept as plain numbers: a view of them.
template <class Id>
class IdView {
  using Numbers = std::span<const decltype(Id::value)>;

 public:
  class Iterator {
   public:
    using value_type = Id;
    using reference = Id;
    using pointer = const Id*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    explicit Iterator(typename Numbers::iterator at) : at_(at) {}
    Id operator*() const { return Id(*at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    typename Numbers::iterator at_;
  };

  IdView() = default;
  IdView(Numbers numbers) : numbers_(numbers) {}

  std::size_t size() const { return numbers_.size(); }
  bool empty() const { return numbers_.empty(); }
  Id operator[](std::size_t i) const { return Id(numbers_[i]); }
  Iterator begin() const { return Iterator(numbers_.begin()); }
  Iterator end() const { return Iterator(numbers_.end()); }
  Numbers numbers() const { return numbers_; }

 private:
  Numbers numbers_;
};

}  // namespace tarry
