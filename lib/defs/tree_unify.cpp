// tree_unify.cpp -- unification over a tree of processes.
#include "defs/tree_unify.hpp"

#include <algorithm>
#include <unordered_map>

namespace tarry {

// The members from `rank` on in a range: itself, then the left half of the others, then the right half.
TreePlace find_place(std::uint32_t rank, std::uint32_t size) {
  TreePlace place;
  std::uint32_t root = 0, end = size;
  while (true) {
    const std::uint32_t others = end - root - 1, middle = root + 1 + (others + 1) / 2;
    if (rank == root) {
      if (others > 0) place.left = root + 1;
      if (middle < end) place.right = middle;
      return place;
    }
    place.parent = root;
    ++place.depth;
    if (rank < middle) {
      end = middle;
      root = root + 1;
    } else {
      root = middle;
    }
  }
}

// ---- sequence definitions -------------------------------------------------------------------------------------------

std::vector<Sequence> SequenceMember::up(GroupTransport& group, const Sequence& own) {
  const TreePlace place = find_place(group.rank(), group.size());
  std::vector<Sequence> kinds{own};
  if (place.left != TreePlace::kNobody) add_child(group.receive(place.left), kinds, left_);
  const std::vector<Sequence> own_and_left = kinds;
  if (place.right != TreePlace::kNobody) add_child(group.receive(place.right), kinds, right_);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const std::uint64_t copies_before = k < own_and_left.size() ? own_and_left[k].copies : 0;
    kinds_.push_back({kinds[k].units(), copies_before - (k == 0 ? own.copies : 0), kinds[k].copies});
  }
  if (place.parent == TreePlace::kNobody) return kinds;
  ByteWriter out;
  encode_sequences(out, kinds);
  group.send(place.parent, std::move(out.bytes()));
  return {};
}

void SequenceMember::add_child(Message message, std::vector<Sequence>& kinds, std::vector<std::uint16_t>& kind_of) {
  ByteReader in(message);
  auto theirs = decode_sequences(in);
  if (!theirs.ok()) return;
  for (const Sequence& sequence : *theirs) kind_of.push_back(static_cast<std::uint16_t>(add_kind(kinds, sequence)));
}

// Both messages have a number for each kind of the receiver's list: that of its first copy there.
std::uint64_t SequenceMember::down(GroupTransport& group, std::uint64_t first) {
  const TreePlace place = find_place(group.rank(), group.size());
  std::vector<std::uint64_t> next;
  if (place.parent == TreePlace::kNobody) {
    for (const Kind& kind : kinds_) {
      next.push_back(first);
      first += kind.copies * kind.units;
    }
  } else {
    const Message message = group.receive(place.parent);
    ByteReader in(message);
    for (std::size_t k = 0; k < kinds_.size(); ++k) next.push_back(in.varint());
  }
  if (place.left != TreePlace::kNobody) group.send(place.left, numbers_for(left_, next, false));
  if (place.right != TreePlace::kNobody) group.send(place.right, numbers_for(right_, next, true));
  return next[0];
}

Message SequenceMember::numbers_for(const std::vector<std::uint16_t>& kind_of, const std::vector<std::uint64_t>& next,
                                    bool behind_left) const {
  ByteWriter out;
  for (const std::uint16_t k : kind_of) {
    const std::uint64_t before = (k == 0 ? 1 : 0) + (behind_left ? kinds_[k].copies_left : 0);
    out.varint(next[k] + before * kinds_[k].units);
  }
  return std::move(out.bytes());
}

std::size_t SequenceMember::bytes() const {
  return sizeof *this + kinds_.size() * sizeof(Kind) + (left_.size() + right_.size()) * sizeof(std::uint16_t);
}

// ---- tables ---------------------------------------------------------------------------------------------------------

std::vector<std::string> TableMember::up(GroupTransport& group, const std::vector<std::string>& own) {
  const TreePlace place = find_place(group.rank(), group.size());
  std::vector<std::string> table;
  std::unordered_map<std::string, std::uint32_t> known;
  const auto number_of = [&](std::string entry) {
    const auto [found, is_new] = known.emplace(std::move(entry), static_cast<std::uint32_t>(table.size()));
    if (is_new) table.push_back(found->first);
    return found->second;
  };
  const auto add_child = [&](std::uint32_t child, std::vector<std::uint32_t>& numbers) {
    if (child == TreePlace::kNobody) return;
    const Message message = group.receive(child);
    ByteReader in(message);
    for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left)
      numbers.push_back(number_of(std::string(in.text())));
  };
  for (const std::string& entry : own) number_of(entry);
  own_ = static_cast<std::uint32_t>(table.size());
  add_child(place.left, left_);
  add_child(place.right, right_);
  all_ = static_cast<std::uint32_t>(table.size());
  if (place.parent == TreePlace::kNobody) return table;
  ByteWriter out;
  out.varint(table.size());
  for (const std::string& entry : table) out.text(entry);
  group.send(place.parent, std::move(out.bytes()));
  return {};
}

std::vector<std::uint32_t> TableMember::down(GroupTransport& group) {
  const TreePlace place = find_place(group.rank(), group.size());
  std::vector<std::uint32_t> global(all_);
  if (place.parent == TreePlace::kNobody) {
    for (std::uint32_t i = 0; i < all_; ++i) global[i] = i;
  } else {
    const Message message = group.receive(place.parent);
    ByteReader in(message);
    for (std::uint32_t& number : global) number = in.varint32();
  }
  const auto hand_down = [&](std::uint32_t child, const std::vector<std::uint32_t>& numbers) {
    if (child == TreePlace::kNobody) return;
    ByteWriter out;
    for (const std::uint32_t number : numbers) out.varint(global[number]);
    group.send(child, std::move(out.bytes()));
  };
  hand_down(place.left, left_);
  hand_down(place.right, right_);
  global.resize(own_);
  return global;
}

std::size_t TableMember::bytes() const { return sizeof *this + (left_.size() + right_.size()) * sizeof(std::uint32_t); }

// ---- groups ---------------------------------------------------------------------------------------------------------

std::vector<std::vector<std::uint32_t>> split_by_name(const std::vector<std::uint32_t>& members,
                                                      const std::function<std::string(std::uint32_t)>& name_of,
                                                      const std::function<std::uint64_t(const std::string&)>& hash,
                                                      std::uint32_t* rounds) {
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> of_colour;
  for (const std::uint32_t member : members) of_colour[hash(name_of(member))].push_back(member);
  std::vector<std::vector<std::uint32_t>> groups;
  std::uint32_t most = 1;
  for (auto& [colour, open] : of_colour)
    for (std::uint32_t round = 1; !open.empty(); ++round) {
      const std::string first = name_of(open.front());
      const auto others = std::stable_partition(open.begin(), open.end(),
                                                [&](std::uint32_t member) { return name_of(member) == first; });
      groups.emplace_back(open.begin(), others);
      open.erase(open.begin(), others);
      most = std::max(most, round);
    }
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.front() < b.front(); });
  if (rounds) *rounds = most;
  return groups;
}

}  // namespace tarry
