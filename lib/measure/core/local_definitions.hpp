// local_definitions.hpp -- what the numbers in this process's events mean, as it is being recorded.
//
// Every definition is appended to a block of the spool at once, so that the events of a killed process can be read. The
// same bytes are kept here and go to the container, brought up to date, at the end.
//
// Calls: may block.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes/bytes.hpp"
#include "defs/definition_codec.hpp"
#include "defs/definitions.hpp"
#include "measure/core/block_pool.hpp"
#include "measure/core/recorder_lock.hpp"

namespace tarry::measure {

/// Names of a region and its place in the source, as found at the end.
struct RegionTexts {
  std::string name;
  std::string mangled_name;
  std::string file;
  std::uint32_t line = 0;
};

/// The place of a call, as found at the end.
struct SiteTexts {
  std::string file;
  std::uint32_t line = 0;
  std::string code_file;  // the program or library; empty: not to be kept
  std::uint64_t code_address = 0;
};

class LocalDefinitions {
 public:
  void open(BlockPool& pool, WorldRank process);

  // Each returns the number the definition has in the events of this process.
  RegionId add_region(std::string_view name, std::string_view file, std::uint32_t line, Paradigm paradigm,
                      RegionRole role);
  /// The same, also in a signal handler. There it may fail, and may be tried again.
  /// Calls: handler-safe.
  std::optional<RegionId> try_add_region(std::string_view name, std::string_view file, std::uint32_t line,
                                         Paradigm paradigm, RegionRole role);
  /// A region as it is called from one place; `site` and `line` as in Region. In a signal handler as above.
  /// Calls: handler-safe.
  std::optional<RegionId> try_add_region_at(RegionId region, std::string_view site, std::uint32_t line = 0);
  SystemNodeId add_system_node(std::string_view name, std::string_view class_name, SystemNodeId parent);
  CommId add_communicator(std::string_view name, const Communicator& comm);
  GroupId add_group(std::string_view name, std::span<const WorldRank> members);
  WindowId add_window(std::string_view name, CommId comm);
  /// Names that the program gives later. A program may give very many: what is beyond 10,000 is passed over.
  void name_communicator(CommId comm, std::string_view name);
  void name_window(WindowId window, std::string_view name);
  IoHandleId add_io_handle(std::string_view name, CommId comm);
  /// A file that the program opens itself; in a signal handler as above.
  /// Calls: handler-safe.
  std::optional<IoHandleId> try_add_io_handle(std::string_view name);
  CounterId add_counter(const CounterRecord& counter);
  /// The same, also in a signal handler; in one as above.
  /// Calls: handler-safe.
  std::optional<CounterId> try_add_counter(const CounterRecord& counter);
  LocationId add_location(std::uint32_t thread);
  /// The queue of an accelerator; both names are for people.
  LocationId add_queue(std::uint32_t number, std::string_view name, std::string_view device);

  void add_cart(const CartTopology& cart, const Interner& strings);

  /// Nothing if it would not fit into a block.
  void add_neighborhood(const Neighborhood& neighborhood);

  void add_process(std::string_view name, WorldRank rank, SystemNodeId node);

  /// The program ends as it should from here on, even if the process is killed now.
  void mark_complete();

  /// What was found out later about a region: takes the place of what add_region() was told.
  void describe_region(RegionId region, RegionTexts texts);

  /// What a region was described as; "unknown" if it was not.
  /// Calls: at end only.
  std::string described_name(RegionId region) const;

  /// The same of the place from which a region is called.
  void describe_site(RegionId region, SiteTexts texts);

  void set_clock(const Clock& clock);
  void add_clock_offset(Ticks at, Ticks offset);
  void add_property(std::string_view key, std::string_view value);

  /// All definitions for the container. `is_complete`: the program ended as it should.
  /// Calls: at end only.
  std::vector<std::uint8_t> finish(bool is_complete);

 private:
  void append_process(bool is_complete);
  bool has_room_for(std::size_t bytes);
  void append(const ByteWriter& record);
  LocationId append_location(Location location, std::string_view name, std::string_view device);
  void append_name(const ByteWriter& record);
  void apply_descriptions(Definitions& all);

  RecorderLock lock_;
  BlockPool* pool_ = nullptr;
  Block* block_ = nullptr;
  std::size_t block_used_ = 0;
  WorldRank process_{0};
  std::string process_name_;
  SystemNodeId process_node_;
  std::uint32_t block_sequence_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::pair<RegionId, RegionTexts>> descriptions_;
  std::vector<std::pair<RegionId, SiteTexts>> sites_;
  std::uint32_t region_count_ = 0;
  std::uint32_t node_count_ = 0;
  std::uint32_t comm_count_ = 0;
  std::uint32_t name_count_ = 0;
  std::uint32_t group_count_ = 0;
  std::uint32_t window_count_ = 0;
  std::uint32_t io_handle_count_ = 0;
  std::uint32_t location_count_ = 0;
  std::uint32_t counter_count_ = 0;
};

}  // namespace tarry::measure
