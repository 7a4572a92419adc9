// otf2_definition_writer.cpp -- writes global definitions of an OTF2 trace.
#include "trace/otf2/otf2_definition_writer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>

#include "defs/cart_grid.hpp"
#include "trace/otf2/otf2_definitions.hpp"
#include "trace/otf2/otf2_record_codec.hpp"
#include "trace/otf2/otf2_records.hpp"

// Records that OTF2 advises against are copied nevertheless where a trace has them.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tarry {
namespace {

constexpr std::uint32_t kMissingRank = 0xffffffffu;

/// Remembers the first failure, so that a sequence of definitions is asked once.
class Outcome {
 public:
  Outcome& operator=(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS && is_fine_) {
      is_fine_ = false;
      why_ = last_otf2_message();
    }
    return *this;
  }
  Status status() const { return is_fine_ ? Status() : Error{"definitions", why_, ""}; }

 private:
  bool is_fine_ = true;
  std::string why_;
};

std::uint64_t length_of(std::uint64_t begin, const Otf2Totals& totals) {
  return totals.last_time > begin ? totals.last_time - begin : 0;
}

class OwnDefinitions {
 public:
  OwnDefinitions(OTF2_GlobalDefWriter* writer, const Otf2WriteModel& model, const Otf2Totals& totals)
      : writer_(writer), model_(model), all_(*model.definitions), totals_(totals) {}

  Status write() {
    write_clock();
    write_strings();
    write_system_tree();
    write_locations();
    write_regions();
    write_groups();
    write_comms();
    write_carts();
    write_neighborhoods();
    write_io_handles();
    write_counters();
    write_contexts();
    write_attributes();
    write_own_kinds();
    return outcome_.status();
  }

 private:
  static OTF2_StringRef text(StringId id) { return id.is_valid() ? id.value : 0; }
  OTF2_StringRef new_string(const std::string& text) {
    outcome_ = OTF2_GlobalDefWriter_WriteString(writer_, next_string_, text.c_str());
    return next_string_++;
  }

  void write_clock() {
    const auto origin = static_cast<std::uint64_t>(all_.clock.origin + model_.shift);
    outcome_ = OTF2_GlobalDefWriter_WriteClockProperties(
        writer_, static_cast<std::uint64_t>(std::llround(all_.clock.ticks_per_second)), origin,
        length_of(origin, totals_), all_.clock.epoch_ns == 0 ? OTF2_UNDEFINED_TIMESTAMP : all_.clock.epoch_ns);
  }

  void write_strings() {
    for (std::size_t i = 0; i < all_.strings.size(); ++i)
      outcome_ = OTF2_GlobalDefWriter_WriteString(writer_, static_cast<OTF2_StringRef>(i),
                                                  std::string(all_.text(StringId(i))).c_str());
    next_string_ = static_cast<OTF2_StringRef>(all_.strings.size());
    outcome_ =
        OTF2_GlobalDefWriter_WriteParadigm(writer_, OTF2_PARADIGM_MPI, new_string("MPI"), OTF2_PARADIGM_CLASS_PROCESS);
    if (std::ranges::find(all_.regions, Paradigm::kShmem, &Region::paradigm) != all_.regions.end())
      outcome_ = OTF2_GlobalDefWriter_WriteParadigm(writer_, OTF2_PARADIGM_SHMEM, new_string("SHMEM"),
                                                    OTF2_PARADIGM_CLASS_PROCESS);
  }

  void write_system_tree() {
    for (std::size_t i = 0; i < all_.system_nodes.size(); ++i) {
      const SystemNode& node = all_.system_nodes[i];
      outcome_ = OTF2_GlobalDefWriter_WriteSystemTreeNode(
          writer_, static_cast<OTF2_SystemTreeNodeRef>(i), text(node.name), text(node.class_name),
          node.parent.is_valid() ? node.parent.value : OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    }
  }

  void write_locations() {
    OTF2_StringRef incomplete = OTF2_UNDEFINED_STRING;
    for (std::size_t i = 0; i < all_.processes.size(); ++i) {
      const Process& process = all_.processes[i];
      const auto self = static_cast<OTF2_LocationGroupRef>(i);
      outcome_ = OTF2_GlobalDefWriter_WriteLocationGroup(
          writer_, self, text(process.name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
          process.node.is_valid() ? process.node.value : OTF2_UNDEFINED_SYSTEM_TREE_NODE,
          OTF2_UNDEFINED_LOCATION_GROUP);
      if (process.is_complete) continue;
      if (incomplete == OTF2_UNDEFINED_STRING) incomplete = new_string(kIncompleteProperty);
      outcome_ =
          OTF2_GlobalDefWriter_WriteLocationGroupProperty(writer_, self, incomplete, OTF2_TYPE_UINT8, value_of_bits(1));
    }
    const std::vector<OTF2_LocationGroupRef> groups = write_devices();
    for (std::size_t i = 0; i < all_.locations.size(); ++i)
      outcome_ =
          OTF2_GlobalDefWriter_WriteLocation(writer_, model_.references.locations[i], text(all_.locations[i].name),
                                             type_of(all_.locations[i].kind), totals_.event_counts[i], groups[i]);
  }

  static OTF2_LocationType type_of(LocationKind kind) {
    if (kind == LocationKind::kThread) return OTF2_LOCATION_TYPE_CPU_THREAD;
    return kind == LocationKind::kQueue ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM : OTF2_LOCATION_TYPE_METRIC;
  }

  /// The group that each location belongs to: its process, or its accelerator.
  std::vector<OTF2_LocationGroupRef> write_devices() {
    std::vector<OTF2_LocationGroupRef> groups;
    std::map<std::pair<ProcessId, StringId>, OTF2_LocationGroupRef> devices;
    for (const Location& location : all_.locations) {
      groups.push_back(location.process.value);
      if (!location.device.is_valid()) continue;
      const auto self = static_cast<OTF2_LocationGroupRef>(all_.processes.size() + devices.size());
      const auto [device, is_new] = devices.emplace(std::pair(location.process, location.device), self);
      groups.back() = device->second;
      const SystemNodeId node = all_.processes[location.process.value].node;
      if (is_new)
        outcome_ = OTF2_GlobalDefWriter_WriteLocationGroup(
            writer_, self, text(location.device), OTF2_LOCATION_GROUP_TYPE_ACCELERATOR,
            node.is_valid() ? node.value : OTF2_UNDEFINED_SYSTEM_TREE_NODE, location.process.value);
    }
    return groups;
  }

  void write_regions() {
    for (std::size_t i = 0; i < all_.regions.size(); ++i) {
      const Region& region = all_.regions[i];
      const auto [role, flags] = otf2_role_of(region.role);
      outcome_ = OTF2_GlobalDefWriter_WriteRegion(writer_, static_cast<OTF2_RegionRef>(i), text(region.name),
                                                  text(region.mangled_name), 0, role, otf2_paradigm_of(region.paradigm),
                                                  flags, text(region.file), region.begin_line, region.end_line);
    }
  }

  void write_contexts() {
    const auto nodes = model_.contexts.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i)
      outcome_ = OTF2_GlobalDefWriter_WriteCallingContext(
          writer_, static_cast<OTF2_CallingContextRef>(i), nodes[i].region.value, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
          nodes[i].parent == Otf2ContextNode::kNone ? OTF2_UNDEFINED_CALLING_CONTEXT : nodes[i].parent);
  }

  /// The list of all processes by rank, those that left nothing as undefined, and our groups in their order. A member
  /// whose rank is unknown is the last one of the list.
  void write_groups() {
    std::vector<std::uint64_t> masters;
    for (std::size_t i = 0; i < all_.locations.size(); ++i) {
      if (all_.locations[i].thread != 0) continue;
      const std::uint32_t rank = all_.processes[all_.locations[i].process.value].rank;
      if (rank >= masters.size()) masters.resize(rank + 1, OTF2_UNDEFINED_LOCATION);
      masters[rank] = model_.references.locations[i];
    }
    masters.push_back(OTF2_UNDEFINED_LOCATION);
    const auto unknown = static_cast<std::uint64_t>(masters.size() - 1);
    const bool is_unknown_used = std::any_of(all_.groups.begin(), all_.groups.end(), [](const Group& group) {
      return std::find(group.members.begin(), group.members.end(), kMissingRank) != group.members.end();
    });
    if (!is_unknown_used) masters.pop_back();
    write_group(0, new_string(kMastersName), OTF2_GROUP_TYPE_COMM_LOCATIONS, masters);
    const auto lists = write_location_lists();
    for (std::size_t i = 0; i < all_.groups.size(); ++i) {
      if (all_.groups[i].has_locations()) {
        write_location_group(i, lists.at(all_.groups[i].paradigm));
        continue;
      }
      const auto& ranks = all_.groups[i].members;
      std::vector<std::uint64_t> members(ranks.begin(), ranks.end());
      std::replace(members.begin(), members.end(), std::uint64_t{kMissingRank}, unknown);
      write_group(static_cast<OTF2_GroupRef>(model_.references.groups[i]), text(all_.groups[i].name),
                  OTF2_GROUP_TYPE_COMM_GROUP, members);
    }
  }

  using LocationList = std::vector<std::uint32_t>;  // ascending

  /// All locations that are in a group of an accelerator's paradigm.
  std::map<Paradigm, LocationList> write_location_lists() {
    std::map<Paradigm, LocationList> lists;
    for (const Group& group : all_.groups)
      if (group.has_locations())
        lists[group.paradigm].insert(lists[group.paradigm].end(), group.members.begin(), group.members.end());
    OTF2_GroupRef self = 1;
    for (auto& [paradigm, list] : lists) {
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
      std::vector<std::uint64_t> members;
      for (const std::uint32_t location : list)
        members.push_back(location < all_.locations.size() ? model_.references.locations[location]
                                                           : OTF2_UNDEFINED_LOCATION);
      outcome_ = OTF2_GlobalDefWriter_WriteParadigm(writer_, otf2_paradigm_of(paradigm),
                                                    new_string(std::string(name_of(paradigm))),
                                                    OTF2_PARADIGM_CLASS_ACCELERATOR);
      write_group(self++, new_string(kMastersName), OTF2_GROUP_TYPE_COMM_LOCATIONS, members, paradigm);
    }
    return lists;
  }

  void write_location_group(std::size_t group, const LocationList& list) {
    std::vector<std::uint64_t> members;
    for (const std::uint32_t location : all_.groups[group].members)
      members.push_back(static_cast<std::uint64_t>(std::ranges::lower_bound(list, location) - list.begin()));
    write_group(static_cast<OTF2_GroupRef>(model_.references.groups[group]), text(all_.groups[group].name),
                OTF2_GROUP_TYPE_COMM_GROUP, members, all_.groups[group].paradigm);
  }

  void write_group(OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type,
                   const std::vector<std::uint64_t>& members, Paradigm paradigm = Paradigm::kMpi) {
    outcome_ =
        OTF2_GlobalDefWriter_WriteGroup(writer_, self, name, type, otf2_paradigm_of(paradigm), OTF2_GROUP_FLAG_NONE,
                                        static_cast<std::uint32_t>(members.size()), members.data());
  }

  void write_comms() {
    const auto group = [this](GroupId id) {
      return id.is_valid() ? static_cast<OTF2_GroupRef>(model_.references.groups[id.value]) : OTF2_UNDEFINED_GROUP;
    };
    const auto comm = [](CommId id) { return id.is_valid() ? id.value : OTF2_UNDEFINED_COMM; };
    for (std::size_t i = 0; i < all_.comms.size(); ++i) {
      const Communicator& each = all_.comms[i];
      const auto self = static_cast<OTF2_CommRef>(i);
      if (each.is_inter)
        outcome_ =
            OTF2_GlobalDefWriter_WriteInterComm(writer_, self, text(each.name), group(each.group),
                                                group(each.remote_group), comm(each.parent), OTF2_COMM_FLAG_NONE);
      else
        outcome_ = OTF2_GlobalDefWriter_WriteComm(writer_, self, text(each.name), group(each.group), comm(each.parent),
                                                  OTF2_COMM_FLAG_NONE);
    }
    for (std::size_t i = 0; i < all_.windows.size(); ++i)
      outcome_ = OTF2_GlobalDefWriter_WriteRmaWin(writer_, static_cast<OTF2_RmaWinRef>(i), text(all_.windows[i].name),
                                                  comm(all_.windows[i].comm), OTF2_RMA_WIN_FLAG_NONE);
  }

  void write_carts() {
    std::uint32_t next_dimension = 0;
    OTF2_CartTopologyRef next = 0;
    for (const CartTopology& cart : all_.carts) {
      if (!cart.comm.is_valid() || cart.dimensions.size() > 0xff) continue;
      std::vector<OTF2_CartDimensionRef> dimensions;
      for (const CartTopology::Dimension& each : cart.dimensions) {
        outcome_ = OTF2_GlobalDefWriter_WriteCartDimension(
            writer_, next_dimension, text(each.name), each.size,
            each.is_periodic ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE);
        dimensions.push_back(next_dimension++);
      }
      const OTF2_CartTopologyRef self = next++;
      const auto count = static_cast<std::uint8_t>(dimensions.size());
      const StringId name = name_of_grid(all_, cart);
      outcome_ =
          OTF2_GlobalDefWriter_WriteCartTopology(writer_, self, text(name), cart.comm.value, count, dimensions.data());
      const CartGrid grid(cart);
      for (std::uint32_t rank = 0; rank < size_of(cart.comm); ++rank)
        if (const auto at = grid.coordinates_of(rank))
          outcome_ = OTF2_GlobalDefWriter_WriteCartCoordinate(writer_, self, rank, count, at->data());
    }
  }

  const std::vector<std::uint32_t>& members_of(CommId comm) const {
    static const std::vector<std::uint32_t> kNobody;
    const GroupId group = all_.comms[comm.value].group;
    return group.is_valid() ? all_.groups[group.value].members : kNobody;
  }
  std::size_t size_of(CommId comm) const { return members_of(comm).size(); }

  void write_neighborhoods() {
    if (all_.neighborhoods.empty()) return;
    std::unordered_map<std::uint32_t, OTF2_LocationGroupRef> process_of;  // by world rank
    for (std::size_t i = 0; i < all_.processes.size(); ++i)
      process_of.emplace(all_.processes[i].rank, static_cast<OTF2_LocationGroupRef>(i));
    std::unordered_map<std::uint32_t, OTF2_StringRef> names;  // by communicator
    for (const Neighborhood& each : all_.neighborhoods) {
      if (!each.comm.is_valid() || each.rank >= size_of(each.comm)) continue;
      const auto process = process_of.find(members_of(each.comm)[each.rank]);
      if (process == process_of.end()) continue;
      const auto [name, is_new] = names.emplace(each.comm.value, 0);
      if (is_new) name->second = new_string(std::string(kNeighborhoodProperty) + std::to_string(each.comm.value));
      std::string numbers = std::to_string(each.rank) + " " + std::to_string(each.sources.size());
      for (const auto* list : {&each.sources, &each.destinations})
        for (const std::uint32_t rank : *list) numbers += " " + std::to_string(rank);
      OTF2_AttributeValue value = value_of_bits(0);
      value.stringRef = new_string(numbers);
      outcome_ = OTF2_GlobalDefWriter_WriteLocationGroupProperty(writer_, process->second, name->second,
                                                                 OTF2_TYPE_STRING, value);
    }
  }

  // Files of MPI have a communicator; those that the program opens itself have none.
  void write_io_handles() {
    const auto is_of_mpi = [](const IoHandle& handle) { return handle.comm.is_valid(); };
    const bool has_mpi = std::ranges::any_of(all_.io_handles, is_of_mpi);
    const bool has_own = !std::ranges::all_of(all_.io_handles, is_of_mpi);
    const OTF2_IoParadigmRef mpi = 0, own = has_mpi ? 1 : 0;  // numbered without gaps
    if (has_mpi) write_io_paradigm(mpi, "MPI-IO", "MPI I/O", OTF2_IO_PARADIGM_CLASS_PARALLEL);
    if (has_own) write_io_paradigm(own, "POSIX", "POSIX I/O", OTF2_IO_PARADIGM_CLASS_SERIAL);
    for (std::size_t i = 0; i < all_.io_handles.size(); ++i) {
      const IoHandle& each = all_.io_handles[i];
      const auto self = static_cast<std::uint32_t>(i);
      outcome_ =
          OTF2_GlobalDefWriter_WriteIoRegularFile(writer_, self, text(each.name), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
      outcome_ = OTF2_GlobalDefWriter_WriteIoHandle(
          writer_, self, text(each.name), self, is_of_mpi(each) ? mpi : own, OTF2_IO_HANDLE_FLAG_NONE,
          is_of_mpi(each) ? each.comm.value : OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE);
    }
  }

  void write_io_paradigm(OTF2_IoParadigmRef self, const char* identification, const char* name,
                         OTF2_IoParadigmClass kind) {
    const OTF2_StringRef id = new_string(identification), text = new_string(name);
    outcome_ = OTF2_GlobalDefWriter_WriteIoParadigm(writer_, self, id, text, kind, OTF2_IO_PARADIGM_FLAG_NONE, 0,
                                                    nullptr, nullptr, nullptr);
  }

  void write_counters() {
    for (std::size_t i = 0; i < all_.counters.size(); ++i) {
      const Counter& each = all_.counters[i];
      outcome_ = OTF2_GlobalDefWriter_WriteMetricMember(writer_, static_cast<OTF2_MetricMemberRef>(i), text(each.name),
                                                        text(each.description), otf2_metric_type_of(each.source),
                                                        otf2_mode_of(each.mode), otf2_type_of(each.type),
                                                        OTF2_BASE_DECIMAL, 0, text(each.unit));
    }
    const auto classes = model_.metric_classes.all();
    for (std::size_t i = 0; i < classes.size(); ++i)
      outcome_ = OTF2_GlobalDefWriter_WriteMetricClass(writer_, static_cast<OTF2_MetricRef>(i),
                                                       static_cast<std::uint8_t>(classes[i].size()), classes[i].data(),
                                                       OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU);
  }

  /// Parameters are numbered as kinds are; readers want the numbers before them, too.
  void write_own_kinds() {
    const auto is_used = [](const std::atomic<bool>& used) { return used.load(); };
    const auto last = std::find_if(model_.own_kinds.rbegin(), model_.own_kinds.rend(), is_used);
    const auto count = static_cast<int>(model_.own_kinds.rend() - last);
    for (int code = 0; code < count; ++code) {
      const std::string name = std::string(kOwnPrefix) + std::string(info_of(static_cast<std::uint8_t>(code)).name);
      outcome_ = OTF2_GlobalDefWriter_WriteParameter(writer_, static_cast<OTF2_ParameterRef>(code), new_string(name),
                                                     OTF2_PARAMETER_TYPE_UINT64);
    }
    if (count == 0) return;
    auto reference = static_cast<OTF2_AttributeRef>(model_.attributes.size());
    for (const std::string_view field : own_field_names()) {
      const OTF2_StringRef name = new_string(std::string(kOwnPrefix) + std::string(field));
      outcome_ = OTF2_GlobalDefWriter_WriteAttribute(writer_, reference++, name, 0, OTF2_TYPE_UINT64);
    }
  }

  void write_attributes() {
    OTF2_AttributeRef reference = 0;
    for (const Otf2Attribute& each : model_.attributes) {
      const OTF2_StringRef name = new_string(each.name), description = new_string(each.description);
      outcome_ = OTF2_GlobalDefWriter_WriteAttribute(writer_, reference++, name, description, each.type);
    }
  }

  OTF2_GlobalDefWriter* writer_;
  const Otf2WriteModel& model_;
  const Definitions& all_;
  const Otf2Totals& totals_;
  OTF2_StringRef next_string_ = 0;
  Outcome outcome_;
};

/// Hands the fields of a definition to its writer, after `change` had a look at them.
template <class Writer>
struct DefinitionCopy;

template <class... Args>
struct DefinitionCopy<OTF2_ErrorCode (*)(OTF2_GlobalDefWriter*, Args...)> {
  template <OTF2_ErrorCode (*kWriter)(OTF2_GlobalDefWriter*, Args...), class Change>
  static bool write(OTF2_GlobalDefWriter* writer, ByteReader& in, Change&& change) {
    return decode_otf2_fields<Args...>(in, [&](auto... args) {
      change(args...);
      return kWriter(writer, args...);
    });
  }
};

class DefinitionCopier {
 public:
  DefinitionCopier(OTF2_GlobalDefWriter* writer, const Otf2Facts& facts, const Otf2Totals& totals)
      : writer_(writer), facts_(facts), totals_(totals) {
    for (std::size_t i = 0; i < facts.references.locations.size() && i < totals.event_counts.size(); ++i)
      counts_.emplace(facts.references.locations[i], totals.event_counts[i]);
  }

  Status write() {
    ByteReader in(facts_.definitions);
    while (in.left() > 0) {
      const std::uint64_t code = in.varint();
      ByteReader fields(in.take(in.varint()));
      if (in.failed() || !write_definition(code, fields))
        return Error{"definitions", in.failed() ? "cannot be decoded" : last_otf2_message(), ""};
    }
    return {};
  }

 private:
  bool write_definition(std::uint64_t code, ByteReader& in) {
    switch (code) {
#define TARRY_OTF2_DEFINITION(code, name)                                                                         \
  case code:                                                                                                      \
    return DefinitionCopy<decltype(&OTF2_GlobalDefWriter_Write##name)>::write<&OTF2_GlobalDefWriter_Write##name>( \
        writer_, in, [this](auto&... fields) { change<code>(fields...); });
#include "trace/otf2/otf2_kinds.def"
#undef TARRY_OTF2_DEFINITION
      default: return true;  // of a newer version
    }
  }

  static constexpr int kClockProperties = 1, kLocation = 9;

  template <int kCode, class... Fields>
  void change(Fields&... fields) {
    if constexpr (kCode == kClockProperties) change_clock(fields...);
    if constexpr (kCode == kLocation) change_location(fields...);
  }
  void change_clock(std::uint64_t&, std::uint64_t& begin, std::uint64_t& length, std::uint64_t&) {
    if (totals_.last_time == 0) return;
    if (totals_.first_time < begin) {  // corrected times may be earlier
      length += begin - totals_.first_time;
      begin = totals_.first_time;
    }
    length = std::max(length, length_of(begin, totals_));
  }
  /// Locations that were not written, for they were not asked for or are no threads, have no events.
  void change_location(OTF2_LocationRef& self, OTF2_StringRef&, OTF2_LocationType&, std::uint64_t& count,
                       OTF2_LocationGroupRef&) {
    const auto found = counts_.find(self);
    count = found == counts_.end() ? 0 : found->second;
  }

  OTF2_GlobalDefWriter* writer_;
  const Otf2Facts& facts_;
  const Otf2Totals& totals_;
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;  // by reference of the location
};

}  // namespace

Status write_own_definitions(OTF2_GlobalDefWriter* writer, const Otf2WriteModel& model, const Otf2Totals& totals) {
  return OwnDefinitions(writer, model, totals).write();
}

Status copy_definitions(OTF2_GlobalDefWriter* writer, const Otf2Facts& facts, const Otf2Totals& totals) {
  return DefinitionCopier(writer, facts, totals).write();
}

std::set<Paradigm> paradigms_with_locations(const Definitions& definitions) {
  std::set<Paradigm> paradigms;
  for (const Group& group : definitions.groups)
    if (group.has_locations()) paradigms.insert(group.paradigm);
  return paradigms;
}

}  // namespace tarry
