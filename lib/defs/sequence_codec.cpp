// sequence_codec.cpp -- the definitions of large runs to few bytes and back.
#include "defs/sequence_codec.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <utility>

#include "defs/sequence.hpp"

namespace tarry {
namespace {

// What one record may expand to: enough for two million processes, little enough for one that is damaged.
constexpr std::uint64_t kMostUnits = 10'000'000;
constexpr std::uint64_t kMostMembers = std::uint64_t{1} << 25;
constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 22;
constexpr std::uint64_t kMostRuns = std::uint64_t{1} << 23;
constexpr std::size_t kMostDigits = 18;

enum class ColumnForm : std::uint8_t { kDifferences, kRuns };

// `step` counts from the second number on.
struct NumberRun {
  std::uint64_t first = 0, step = 0, count = 1;
};

// What is not told is "one more than the last", so that a run of runs needs few bytes: steps and numbers wrap around.
std::vector<NumberRun> runs_of(std::span<const std::uint64_t> numbers) {
  std::vector<NumberRun> runs;
  for (const std::uint64_t number : numbers) {
    if (!runs.empty()) {
      NumberRun& last = runs.back();
      if (last.count == 1) last.step = number - last.first;
      if (number == last.first + last.step * last.count) {
        ++last.count;
        continue;
      }
    }
    runs.push_back({.first = number});
  }
  return runs;
}

std::uint64_t zigzagged(std::uint64_t difference) { return zigzag(static_cast<std::int64_t>(difference)); }
std::uint64_t unzigzagged(std::uint64_t stored) { return static_cast<std::uint64_t>(unzigzag(stored)); }

}  // namespace

// ---- columns --------------------------------------------------------------------------------------------------------

void encode_column(ByteWriter& out, std::span<const std::uint64_t> numbers) {
  ByteWriter differences, runs;
  std::uint64_t before = 0;
  for (const std::uint64_t number : numbers) {
    differences.varint(zigzagged(number - before));
    before = number;
  }
  before = 0;
  for (const NumberRun& run : runs_of(numbers)) {
    runs.varint(zigzagged(run.first - before));
    runs.varint(run.count);
    if (run.count > 1) runs.varint(zigzagged(run.step));
    before = run.first + run.step * (run.count - 1);
  }
  const bool uses_runs = runs.bytes().size() < differences.bytes().size();
  out.varint(numbers.size());
  out.u8(static_cast<std::uint8_t>(uses_runs ? ColumnForm::kRuns : ColumnForm::kDifferences));
  const std::vector<std::uint8_t>& bytes = (uses_runs ? runs : differences).bytes();
  out.raw(bytes.data(), bytes.size());
}

std::vector<std::uint64_t> decode_column(ByteReader& in, std::uint64_t most) {
  std::vector<std::uint64_t> numbers;
  const std::uint64_t size = in.varint();
  const std::uint8_t form = in.u8();
  if (size > most || form > static_cast<std::uint8_t>(ColumnForm::kRuns)) in.fail();
  std::uint64_t before = 0;
  while (numbers.size() < size && !in.failed()) {
    NumberRun run{.first = before + unzigzagged(in.varint())};
    if (form == static_cast<std::uint8_t>(ColumnForm::kRuns)) {
      run.count = in.varint();
      if (run.count == 0 || run.count > size - numbers.size()) in.fail();
      if (run.count > 1) run.step = unzigzagged(in.varint());
    }
    if (in.failed()) break;
    for (std::uint64_t i = 0; i < run.count; ++i) numbers.push_back(run.first + i * run.step);
    before = numbers.back();
  }
  return in.failed() ? std::vector<std::uint64_t>() : numbers;
}

// ---- names ----------------------------------------------------------------------------------------------------------

namespace {

// A name with its last number apart. `width`: digits that are written at least.
struct NameParts {
  std::string_view before, after;
  bool has_number = false;
  std::uint64_t number = 0, width = 0;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

NameParts parts_of(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && !is_digit(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1]) && end - begin < kMostDigits) --begin;
  NameParts parts{.before = name.substr(0, begin), .after = name.substr(end), .has_number = begin < end};
  if (!parts.has_number) return {.before = name, .after = {}};
  std::from_chars(name.data() + begin, name.data() + end, parts.number);
  parts.width = name[begin] == '0' && end - begin > 1 ? end - begin : 0;
  return parts;
}

std::string name_of_parts(const NameParts& parts) {
  std::string name(parts.before);
  if (parts.has_number) {
    const std::string digits = std::to_string(parts.number);
    if (digits.size() < parts.width) name.append(parts.width - digits.size(), '0');
    name += digits;
  }
  return name.append(parts.after);
}

}  // namespace

void encode_names(ByteWriter& out, std::span<const std::string_view> names) {
  using Around = std::pair<std::string, std::string>;
  std::map<std::pair<Around, bool>, std::uint64_t> known;
  std::vector<NameParts> patterns;
  std::vector<std::uint64_t> pattern, number, width;
  for (const std::string_view name : names) {
    const NameParts parts = parts_of(name);
    const auto [entry, is_new] = known.emplace(
        std::pair(Around(std::string(parts.before), std::string(parts.after)), parts.has_number), patterns.size());
    if (is_new) patterns.push_back(parts);
    pattern.push_back(entry->second);
    number.push_back(parts.number);
    width.push_back(parts.width);
  }
  out.varint(patterns.size());
  for (const NameParts& parts : patterns) {
    out.text(parts.before);
    out.u8(parts.has_number);
    out.text(parts.after);
  }
  encode_column(out, pattern);
  encode_column(out, number);
  encode_column(out, width);
}

std::vector<StringId> decode_names(ByteReader& in, Interner& strings, std::uint64_t most) {
  std::vector<NameParts> patterns;
  for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left) {
    NameParts& parts = patterns.emplace_back();
    parts.before = in.text();
    parts.has_number = in.u8() != 0;
    parts.after = in.text();
  }
  const std::vector<std::uint64_t> pattern = decode_column(in, most);
  const std::vector<std::uint64_t> number = decode_column(in, most);
  const std::vector<std::uint64_t> width = decode_column(in, most);
  if (number.size() != pattern.size() || width.size() != pattern.size()) in.fail();
  std::vector<StringId> names;
  for (std::size_t i = 0; i < pattern.size() && !in.failed(); ++i) {
    if (pattern[i] >= patterns.size() || width[i] > kMostDigits) {
      in.fail();
      break;
    }
    NameParts parts = patterns[pattern[i]];
    parts.number = number[i];
    parts.width = width[i];
    names.push_back(strings.intern(name_of_parts(parts)));
  }
  return in.failed() ? std::vector<StringId>() : names;
}

// ---- the system -----------------------------------------------------------------------------------------------------

namespace {

// Units of a tree up to `most`, more if there are more.
std::uint64_t units_of(const std::vector<Sequence>& kinds, std::uint64_t most) {
  std::uint64_t units = 0;
  for (const Sequence& kind : kinds) {
    const std::uint64_t below = units_of(kind.children, most);
    if (below > most || kind.copies > most / (below + 1)) return most + 1;
    units += kind.copies * (below + 1);
    if (units > most) return most + 1;
  }
  return units;
}

// Units in which something is: nodes and processes.
struct WalkedUnit {
  StringId class_name;
  std::uint32_t parent = 0xffffffffu;  // place in the list
  std::uint32_t threads = 0;
};

// All nodes and processes in the order of a walk through the tree, as system_tree_of() counts.
class UnitList {
 public:
  UnitList(const std::vector<Sequence>& roots, Interner& strings) : strings_(strings) {
    add(roots, 0xffffffffu, false);
  }

  const std::vector<WalkedUnit>& all() const { return units_; }
  const std::vector<std::uint32_t>& nodes() const { return nodes_; }  // places in all()
  const std::vector<std::uint32_t>& processes() const { return processes_; }

 private:
  void add(const std::vector<Sequence>& kinds, std::uint32_t parent, bool is_in_process) {
    for (const Sequence& kind : kinds) {
      if (is_in_process && kind.class_name == kThreadClass) {
        units_[parent].threads += static_cast<std::uint32_t>(kind.copies);
        continue;
      }
      const StringId class_name = strings_.intern(kind.class_name);
      const bool is_process = kind.class_name == kProcessClass;
      for (std::uint64_t copy = 0; copy < kind.copies; ++copy) {
        const auto place = static_cast<std::uint32_t>(units_.size());
        (is_process ? processes_ : nodes_).push_back(place);
        units_.push_back({class_name, parent, 0});
        add(kind.children, place, is_process);
      }
    }
  }

  Interner& strings_;
  std::vector<WalkedUnit> units_;
  std::vector<std::uint32_t> nodes_, processes_;
};

// The place of each number among all of them.
std::vector<std::uint64_t> places_of(const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> sorted = numbers, places;
  std::sort(sorted.begin(), sorted.end());
  for (const std::uint64_t number : numbers)
    places.push_back(
        static_cast<std::uint64_t>(std::lower_bound(sorted.begin(), sorted.end(), number) - sorted.begin()));
  return places;
}

template <class Entry, class Number>
void encode_column_of(ByteWriter& out, const std::vector<Entry>& entries, Number number) {
  std::vector<std::uint64_t> column;
  for (const Entry& entry : entries) column.push_back(number(entry));
  encode_column(out, column);
}

bool is_same_system(const Definitions& one, const Definitions& other) {
  const auto same_node = [&](const SystemNode& a, const SystemNode& b) {
    return one.text(a.class_name) == other.text(b.class_name) && a.parent == b.parent;
  };
  const auto same_process = [](const Process& a, const Process& b) {
    return a.rank == b.rank && a.node == b.node && a.is_complete == b.is_complete;
  };
  const auto same_location = [](const Location& a, const Location& b) {
    return a.process == b.process && a.thread == b.thread && a.event_count == b.event_count && a.kind == b.kind;
  };
  return std::ranges::equal(one.system_nodes, other.system_nodes, same_node) &&
         std::ranges::equal(one.processes, other.processes, same_process) &&
         std::ranges::equal(one.locations, other.locations, same_location);
}

// The order in which names of locations are alike: all masters, then all first threads, ...
std::vector<std::uint32_t> by_thread(const std::vector<Location>& locations) {
  std::vector<std::uint32_t> order(locations.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return locations[a].thread < locations[b].thread; });
  return order;
}

}  // namespace

bool encode_system(ByteWriter& out, const Definitions& all) {
  if (!has_system_tree(all)) return false;
  std::vector<std::uint64_t> process_units, node_units;
  const std::vector<Sequence> roots = system_tree_of(all, &process_units, &node_units);
  ByteWriter fields;
  encode_sequences(fields, roots);
  encode_column(fields, places_of(node_units));
  encode_column(fields, places_of(process_units));
  encode_column_of(fields, all.processes, [](const Process& process) { return process.rank; });
  encode_column_of(fields, all.processes, [](const Process& process) { return process.is_complete; });
  encode_column_of(fields, all.locations, [](const Location& location) { return location.event_count; });
  Definitions again;
  ByteReader in(fields.bytes());
  decode_system(in, again);
  if (in.failed() || !is_same_system(all, again)) return false;
  out.raw(fields.bytes().data(), fields.bytes().size());
  return true;
}

void decode_system(ByteReader& in, Definitions& into) {
  auto roots = decode_sequences(in);
  if (!roots.ok() || units_of(*roots, kMostUnits) > kMostUnits || !into.system_nodes.empty() ||
      !into.processes.empty() || !into.locations.empty()) {
    in.fail();
    return;
  }
  const UnitList units(*roots, into.strings);
  const std::size_t nodes = units.nodes().size(), processes = units.processes().size();
  const auto node_places = decode_column(in, nodes), process_places = decode_column(in, processes);
  const auto ranks = decode_column(in, processes), are_complete = decode_column(in, processes);
  const auto event_counts = decode_column(in, kMostUnits);
  if (ranks.size() != process_places.size() || are_complete.size() != process_places.size()) in.fail();
  if (in.failed()) return;

  into.locations.reserve(event_counts.size());
  std::vector<SystemNodeId> node_of(units.all().size());
  const auto node_above = [&](const WalkedUnit& unit) {
    return unit.parent < node_of.size() ? node_of[unit.parent] : SystemNodeId();
  };
  for (std::size_t n = 0; n < node_places.size(); ++n) {
    if (node_places[n] >= nodes) return void(in.fail());
    const std::uint32_t place = units.nodes()[node_places[n]];
    const WalkedUnit& unit = units.all()[place];
    node_of[place] = SystemNodeId(n);
    const std::string name = std::string(into.text(unit.class_name)) + " " + std::to_string(n);
    into.system_nodes.push_back({into.strings.intern(name), unit.class_name, node_above(unit)});
  }
  for (std::size_t p = 0; p < process_places.size(); ++p) {
    if (process_places[p] >= processes || ranks[p] > 0xffffffffu) return void(in.fail());
    const WalkedUnit* unit = &units.all()[units.processes()[process_places[p]]];
    const auto rank = static_cast<std::uint32_t>(ranks[p]);
    into.processes.push_back(
        {into.strings.intern("rank " + std::to_string(rank)), rank, node_above(*unit), are_complete[p] != 0});
    for (std::uint32_t t = 0; t < unit->threads; ++t) {
      const std::size_t place = into.locations.size();
      if (place >= event_counts.size()) return void(in.fail());
      into.locations.push_back(
          {into.strings.intern("thread " + std::to_string(t)), ProcessId(p), t, event_counts[place]});
    }
  }
  if (into.locations.size() != event_counts.size()) in.fail();
}

void encode_system_names(ByteWriter& out, const Definitions& all) {
  std::vector<std::string_view> nodes, processes, locations;
  for (const SystemNode& node : all.system_nodes) nodes.push_back(all.text(node.name));
  for (const Process& process : all.processes) processes.push_back(all.text(process.name));
  for (const std::uint32_t place : by_thread(all.locations)) locations.push_back(all.text(all.locations[place].name));
  encode_names(out, nodes);
  encode_names(out, processes);
  encode_names(out, locations);
}

void decode_system_names(ByteReader& in, Definitions& into) {
  const auto nodes = decode_names(in, into.strings, into.system_nodes.size());
  const auto processes = decode_names(in, into.strings, into.processes.size());
  const auto locations = decode_names(in, into.strings, into.locations.size());
  if (nodes.size() != into.system_nodes.size() || processes.size() != into.processes.size() ||
      locations.size() != into.locations.size())
    in.fail();
  if (in.failed()) return;
  for (std::size_t i = 0; i < nodes.size(); ++i) into.system_nodes[i].name = nodes[i];
  for (std::size_t i = 0; i < processes.size(); ++i) into.processes[i].name = processes[i];
  const std::vector<std::uint32_t> order = by_thread(into.locations);
  for (std::size_t i = 0; i < order.size(); ++i) into.locations[order[i]].name = locations[i];
}

// ---- groups and communicators ---------------------------------------------------------------------------------------

bool encode_group_table(ByteWriter& out, const Definitions& all) {
  std::uint64_t members = 0;
  std::vector<std::string_view> names;
  std::vector<std::uint64_t> runs, first, step, count;
  for (const Group& group : all.groups) {
    if (group.has_locations()) return false;
    names.push_back(all.text(group.name));
    const std::vector<NumberRun> found =
        runs_of(std::vector<std::uint64_t>(group.members.begin(), group.members.end()));
    members += group.members.size();
    runs.push_back(found.size());
    for (const NumberRun& run : found) {
      first.push_back(run.first);
      step.push_back(run.count > 1 ? run.step : 0);
      count.push_back(run.count);
    }
  }
  if (names.size() > kMostEntries || first.size() > kMostRuns || members > kMostMembers) return false;
  encode_names(out, names);
  for (const auto* column : {&runs, &first, &step, &count}) encode_column(out, *column);
  return true;
}

void decode_group_table(ByteReader& in, Definitions& into) {
  const auto names = decode_names(in, into.strings, kMostEntries);
  const auto runs = decode_column(in, kMostEntries), first = decode_column(in, kMostRuns),
             step = decode_column(in, kMostRuns), count = decode_column(in, kMostRuns);
  if (runs.size() != names.size() || step.size() != first.size() || count.size() != first.size()) in.fail();
  std::uint64_t left = kMostMembers;
  std::size_t at = 0;
  for (std::size_t g = 0; g < names.size() && !in.failed(); ++g) {
    Group group{.name = names[g], .members = {}};
    if (runs[g] > first.size() - at) return void(in.fail());
    for (const std::size_t end = at + runs[g]; at < end; ++at) {
      if (count[at] > left) return void(in.fail());
      left -= count[at];
      for (std::uint64_t i = 0; i < count[at]; ++i) {
        const std::uint64_t member = first[at] + i * step[at];
        if (member > 0xffffffffu) return void(in.fail());
        group.members.push_back(static_cast<std::uint32_t>(member));
      }
    }
    into.groups.push_back(std::move(group));
  }
  if (at != first.size()) in.fail();
}

bool encode_communicator_table(ByteWriter& out, const Definitions& all) {
  if (all.comms.size() > kMostEntries) return false;
  std::vector<std::string_view> names;
  for (const Communicator& comm : all.comms) names.push_back(all.text(comm.name));
  encode_names(out, names);
  const auto stored = [](auto id) { return id.is_valid() ? std::uint64_t{id.value} + 1 : 0; };
  encode_column_of(out, all.comms, [](const Communicator& comm) { return comm.uid; });
  encode_column_of(out, all.comms, [&](const Communicator& comm) { return stored(comm.group); });
  encode_column_of(out, all.comms, [&](const Communicator& comm) { return stored(comm.remote_group); });
  encode_column_of(out, all.comms, [&](const Communicator& comm) { return stored(comm.parent); });
  encode_column_of(out, all.comms, [](const Communicator& comm) { return comm.rank; });
  encode_column_of(out, all.comms, [](const Communicator& comm) { return comm.size; });
  encode_column_of(out, all.comms, [](const Communicator& comm) { return comm.is_inter; });
  return true;
}

void decode_communicator_table(ByteReader& in, Definitions& into) {
  const auto names = decode_names(in, into.strings, kMostEntries);
  const std::size_t size = names.size();
  const auto uids = decode_column(in, size), groups = decode_column(in, size), remote_groups = decode_column(in, size),
             parents = decode_column(in, size), ranks = decode_column(in, size), sizes = decode_column(in, size),
             are_inter = decode_column(in, size);
  for (const auto* column : {&uids, &groups, &remote_groups, &parents, &ranks, &sizes, &are_inter})
    if (column->size() != size) in.fail();
  const auto number = [&in](std::uint64_t value) {
    if (value > 0xffffffffu) in.fail();
    return static_cast<std::uint32_t>(value);
  };
  for (std::size_t c = 0; c < size && !in.failed(); ++c) {
    Communicator comm;
    comm.name = names[c];
    comm.uid = uids[c];
    if (groups[c] > 0) comm.group = GroupId(number(groups[c] - 1));
    if (remote_groups[c] > 0) comm.remote_group = GroupId(number(remote_groups[c] - 1));
    if (parents[c] > 0) comm.parent = CommId(number(parents[c] - 1));
    comm.rank = number(ranks[c]);
    comm.size = number(sizes[c]);
    comm.is_inter = are_inter[c] != 0;
    into.comms.push_back(comm);
  }
}

}  // namespace tarry
