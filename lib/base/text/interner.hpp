// interner.hpp -- equal strings stored once, named by a small index in order of first appearance.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/arrays/ids.hpp"

namespace tarry {

using StringId = StrongId<struct StringTag>;

/// Table of distinct strings. Index 0 is always the empty string. Views stay valid as long as the table lives.
class Interner {
 public:
  Interner() { intern(""); }
  Interner(const Interner& other) : Interner() {
    for (const std::string& text : other.texts_) intern(text);
  }
  Interner(Interner&&) = default;
  Interner& operator=(Interner other) {
    texts_.swap(other.texts_);
    index_.swap(other.index_);
    return *this;
  }

  StringId intern(std::string_view text) {
    if (const auto found = index_.find(text); found != index_.end()) return found->second;
    const StringId id(texts_.size());
    texts_.emplace_back(text);
    index_.emplace(texts_.back(), id);
    return id;
  }

  /// The text of `id`; empty for an id that names nothing.
  std::string_view text(StringId id) const {
    return id.value < texts_.size() ? std::string_view(texts_[id.value]) : std::string_view();
  }

  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, StringId> index_;
};

}  // namespace tarry
