// sequence.cpp -- sequence definitions: a system tree in constant size where the system is regular.
#include "defs/sequence.hpp"

#include <map>

namespace tarry {
namespace {

constexpr int kDeepest = 64;

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
  std::string class_name;
  std::uint32_t process = 0xffffffffu;
  std::vector<std::uint32_t> children;
  std::uint32_t kind = 0;  // of the parent's kinds
  Sequence sequence;
};

class UnitTree {
 public:
  explicit UnitTree(const Definitions& definitions) : definitions_(definitions) {
    units_.emplace_back();  // what the roots hang under
    std::vector<std::uint32_t> threads(definitions.processes.size(), 0);
    for (const Location& location : definitions.locations)
      if (location.process.value < threads.size()) ++threads[location.process.value];
    for (std::uint32_t p = 0; p < definitions.processes.size(); ++p) {
      const std::uint32_t unit = add(unit_of_node(definitions.processes[p].node), "process");
      units_[unit].process = p;
      if (threads[p] > 0) units_[unit].sequence.children.push_back({"thread", threads[p], {}});
    }
  }

  std::vector<Sequence> run(std::vector<std::uint64_t>* process_units) {
    find_sequences(0);
    if (process_units) {
      process_units->assign(definitions_.processes.size(), 0);
      std::uint64_t next = 0;
      number_children(0, next, *process_units);
    }
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
    if (const auto known = of_node_.find(id.value); known != of_node_.end()) return known->second;
    const SystemNode& node = definitions_.system_nodes[id.value];
    const std::uint32_t parent = node.parent.value < id.value ? unit_of_node(node.parent) : 0;
    return of_node_[id.value] = add(parent, std::string(definitions_.text(node.class_name)));
  }

  void find_sequences(std::uint32_t unit) {
    for (const std::uint32_t child : units_[unit].children) {
      find_sequences(child);
      units_[child].kind = static_cast<std::uint32_t>(add_kind(units_[unit].sequence.children, units_[child].sequence));
    }
  }

  void number_children(std::uint32_t unit, std::uint64_t& next, std::vector<std::uint64_t>& process_units) {
    const std::size_t kinds = units_[unit].sequence.children.size();
    for (std::size_t kind = 0; kind < kinds; ++kind)
      for (const std::uint32_t child : units_[unit].children) {
        if (units_[child].kind != kind) continue;
        const Unit& there = units_[child];
        if (there.process < process_units.size()) process_units[there.process] = next;
        std::uint64_t inner = next + 1;
        number_children(child, inner, process_units);
        next += there.sequence.units();
      }
  }

  const Definitions& definitions_;
  std::vector<Unit> units_;
  std::map<std::uint32_t, std::uint32_t> of_node_;
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

std::vector<Sequence> system_tree_of(const Definitions& definitions, std::vector<std::uint64_t>* process_units) {
  return UnitTree(definitions).run(process_units);
}

}  // namespace tarry
