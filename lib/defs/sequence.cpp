// sequence.cpp -- sequence definitions: a system tree in constant size where the system is regular.
#include "defs/sequence.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

namespace tarry {
namespace {

constexpr int kDeepest = 64;
constexpr std::uint32_t kNone = 0xffffffffu;

Result<std::vector<Sequence>> decode_level(ByteReader& in, int depth) {
  if (depth > kDeepest) return Error{"sequence definitions", "are too deep", ""};
  std::vector<Sequence> kinds;
  for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left) {
    Sequence sequence;
    sequence.class_name = in.text();
    sequence.copies = in.varint();
    TARRY_TRY_ASSIGN(children, decode_level(in, depth + 1));
    sequence.children = std::move(children);
    kinds.push_back(std::move(sequence));
  }
  if (in.failed()) return Error{"sequence definitions", "are cut off", ""};
  return kinds;
}

// One unit of the system, all of it in memory: for trees that are there already.
struct Unit {
  std::uint32_t process = kNone;
  std::uint32_t node = kNone;
  std::vector<std::uint32_t> children;
  std::vector<std::uint32_t> kind_of_child;
  std::uint64_t units = 0;  // of one copy
  Sequence sequence;
};

class UnitTree {
 public:
  explicit UnitTree(const Definitions& definitions) : definitions_(definitions) {
    units_.emplace_back();  // what the roots hang under
    std::vector<std::uint32_t> threads(definitions.processes.size(), 0);
    for (const Location& location : definitions.locations)
      if (location.process.value < threads.size()) ++threads[location.process.value];
    of_node_.assign(definitions.system_nodes.size(), kNone);
    for (std::uint32_t p = 0; p < definitions.processes.size(); ++p) {
      const std::uint32_t unit = add(unit_of_node(definitions.processes[p].node), std::string(kProcessClass));
      units_[unit].process = p;
      if (threads[p] > 0) units_[unit].sequence.children.push_back({std::string(kThreadClass), threads[p], {}});
    }
  }

  std::vector<Sequence> run(std::vector<std::uint64_t>* process_units, std::vector<std::uint64_t>* node_units) {
    find_sequences(0);
    process_units_.assign(definitions_.processes.size(), 0);
    node_units_.assign(definitions_.system_nodes.size(), 0);
    number_children(0, 0);
    if (process_units) *process_units = std::move(process_units_);
    if (node_units) *node_units = std::move(node_units_);
    return units_[0].sequence.children;
  }

 private:
  std::uint32_t add(std::uint32_t parent, std::string class_name) {
    const auto unit = static_cast<std::uint32_t>(units_.size());
    units_.emplace_back();
    units_[unit].sequence.class_name = std::move(class_name);
    units_[parent].children.push_back(unit);
    return unit;
  }

  std::uint32_t unit_of_node(SystemNodeId id) {
    if (id.value >= definitions_.system_nodes.size()) return 0;
    if (of_node_[id.value] != kNone) return of_node_[id.value];
    const SystemNode& node = definitions_.system_nodes[id.value];
    const std::uint32_t parent = node.parent.value < id.value ? unit_of_node(node.parent) : 0;
    const std::uint32_t unit = add(parent, std::string(definitions_.text(node.class_name)));
    units_[unit].node = id.value;
    return of_node_[id.value] = unit;
  }

  // Kinds are found by their bytes: there may be as many as units.
  void find_sequences(std::uint32_t unit) {
    std::unordered_map<std::string, std::uint32_t> known;
    Sequence& sequence = units_[unit].sequence;
    for (const std::uint32_t child : units_[unit].children) {
      find_sequences(child);
      ByteWriter bytes;
      encode_sequences(bytes, std::span(&units_[child].sequence, 1));
      const std::string key(bytes.bytes().begin(), bytes.bytes().end());
      const auto [entry, is_new] = known.emplace(key, static_cast<std::uint32_t>(sequence.children.size()));
      if (is_new) sequence.children.push_back(units_[child].sequence);
      else sequence.children[entry->second].copies += 1;
      units_[unit].kind_of_child.push_back(entry->second);
    }
    units_[unit].units = sequence.units();
  }

  void number_children(std::uint32_t unit, std::uint64_t next) {
    const Unit& here = units_[unit];
    std::vector<std::uint32_t> order(here.children.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return here.kind_of_child[a] < here.kind_of_child[b]; });
    for (const std::uint32_t i : order) {
      const Unit& child = units_[here.children[i]];
      if (child.process != kNone) process_units_[child.process] = next;
      if (child.node != kNone) node_units_[child.node] = next;
      number_children(here.children[i], next + 1);
      next += child.units;
    }
  }

  const Definitions& definitions_;
  std::vector<Unit> units_;
  std::vector<std::uint32_t> of_node_;
  std::vector<std::uint64_t> process_units_, node_units_;
};

}  // namespace

std::uint64_t Sequence::units() const {
  std::uint64_t sum = 1;
  for (const Sequence& child : children) sum += child.copies * child.units();
  return sum;
}

std::size_t add_kind(std::vector<Sequence>& kinds, const Sequence& sequence) {
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (kinds[k].is_same_kind(sequence)) {
      kinds[k].copies += sequence.copies;
      return k;
    }
  kinds.push_back(sequence);
  return kinds.size() - 1;
}

void encode_sequences(ByteWriter& out, std::span<const Sequence> kinds) {
  out.varint(kinds.size());
  for (const Sequence& sequence : kinds) {
    out.text(sequence.class_name);
    out.varint(sequence.copies);
    encode_sequences(out, sequence.children);
  }
}

Result<std::vector<Sequence>> decode_sequences(ByteReader& in) { return decode_level(in, 0); }

std::string describe(const Sequence& sequence) {
  std::string text = sequence.class_name;
  for (std::size_t k = 0; k < sequence.children.size(); ++k) {
    const Sequence& child = sequence.children[k];
    const std::string inner = describe(child);
    text += (k == 0 ? ": " : " + ") + std::to_string(child.copies) + " x " +
            (child.children.empty() ? inner : "(" + inner + ")");
  }
  return text;
}

bool has_system_tree(const Definitions& definitions) {
  constexpr std::uint32_t kDeepestNode = kDeepest - 4;  // processes and threads have levels, too
  const std::vector<SystemNode>& nodes = definitions.system_nodes;
  std::vector<std::uint32_t> depths;
  for (std::size_t id = 0; id < nodes.size(); ++id) {
    const std::uint32_t parent = nodes[id].parent.value;
    depths.push_back(parent < id ? depths[parent] + 1 : 0);
    if (depths.back() > kDeepestNode) return false;
  }
  return true;
}

std::vector<Sequence> system_tree_of(const Definitions& definitions, std::vector<std::uint64_t>* process_units,
                                     std::vector<std::uint64_t>* node_units) {
  return UnitTree(definitions).run(process_units, node_units);
}

}  // namespace tarry
