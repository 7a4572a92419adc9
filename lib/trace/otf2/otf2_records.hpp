// otf2_records.hpp -- the global definition records of an OTF2 trace as they are in the file, references unresolved.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace tarry {

struct Otf2Node {
  std::uint32_t self, name, class_name, parent;
};
struct Otf2LocationGroup {
  std::uint32_t self, name, node, creator;
  OTF2_LocationGroupType type;
};
struct Otf2Location {
  std::uint64_t self, event_count;
  std::uint32_t name, process;
  OTF2_LocationType type;
};
struct Otf2Region {
  std::uint32_t self, name, canonical_name, file, begin_line, end_line;
  OTF2_RegionRole role;
  OTF2_Paradigm paradigm;
  OTF2_RegionFlag flags;
};
struct Otf2Group {
  std::uint32_t self, name;
  OTF2_GroupType type;
  OTF2_Paradigm paradigm;
  OTF2_GroupFlag flags;
  std::vector<std::uint64_t> members;
};
struct Otf2Comm {
  std::uint32_t self, name, group, remote_group, parent;
  bool is_inter;
};
struct Otf2Window {
  std::uint32_t self, name, comm;
};
struct Otf2Context {
  std::uint32_t self, region, parent;
};
struct Otf2Named {
  std::uint32_t self, name;
};
struct Otf2CartDimension {
  std::uint32_t self, name, size;
  bool is_periodic;
};
struct Otf2Cart {
  std::uint32_t self, name, comm;
  std::vector<std::uint32_t> dimensions;
};
struct Otf2CartPlace {
  std::uint32_t cart, rank;
  std::vector<std::uint32_t> coordinates;
};
struct Otf2ProcessProperty {
  std::uint32_t process, name;
  std::uint32_t text;  // reference of a string; only of a property that is one
};
struct Otf2IoHandle {
  std::uint32_t self, name, file, comm;
};

struct Otf2MetricMember {
  std::uint32_t self, name, description, unit;
  OTF2_MetricType source;
  OTF2_MetricMode mode;
  OTF2_Type type;
  OTF2_Base base;
  std::int64_t exponent;
};
/// A class, or an instance of one: then `members` are those of `of`.
struct Otf2MetricClass {
  std::uint32_t self, of;
  std::vector<std::uint32_t> members;
};

struct Otf2Records {
  std::vector<std::pair<OTF2_StringRef, std::string>> strings;
  std::vector<Otf2Node> nodes;
  std::vector<Otf2LocationGroup> location_groups;
  std::vector<Otf2Location> locations;
  std::vector<Otf2Region> regions;
  std::vector<Otf2Group> groups;
  std::vector<Otf2Comm> comms;
  std::vector<Otf2Window> windows;
  std::vector<Otf2Context> contexts;
  std::vector<Otf2Named> parameters;
  std::vector<Otf2Named> io_files;  // and folders
  std::vector<Otf2IoHandle> io_handles;
  std::vector<Otf2MetricMember> metric_members;
  std::vector<Otf2MetricClass> metric_classes;
  std::vector<Otf2MetricClass> metric_instances;
  std::vector<Otf2Named> attributes;
  std::vector<Otf2ProcessProperty> process_properties;
  std::vector<Otf2CartDimension> cart_dimensions;
  std::vector<Otf2Cart> carts;
  std::vector<Otf2CartPlace> cart_places;
  std::uint64_t timer_resolution = 0;
  std::uint64_t global_offset = 0;
  std::uint64_t realtime = OTF2_UNDEFINED_TIMESTAMP;            // nanoseconds since 1970
  std::vector<std::pair<std::string, std::string>> properties;  // of the trace
};

struct Otf2ReaderCloser {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
using Otf2Handle = std::unique_ptr<OTF2_Reader, Otf2ReaderCloser>;

/// From now on OTF2's own messages do not reach stderr.
void silence_otf2();

/// Opens an anchor file. OTF2's own messages do not reach stderr; the last one is part of the error.
Result<Otf2Handle> open_otf2_handle(const std::string& anchor_path);

/// What OTF2 complained about last in this thread.
std::string last_otf2_message();

/// Key and value of a property that the anchor file has of the trace.
std::vector<std::pair<std::string, std::string>> read_otf2_properties(OTF2_Reader* reader);

/// Reads all global definitions; `anchor_path` is for the message.
Result<Otf2Records> read_otf2_records(OTF2_Reader* reader, const std::string& anchor_path);

}  // namespace tarry
