// structure_codec.cpp -- the facts of a report's trees that have no column of their own.
#include "store/structure_codec.hpp"

#include <algorithm>

#include "base/bytes/bytes.hpp"
#include "store/packed_bytes.hpp"

namespace tarry {
namespace {

using TextPairs = std::vector<std::pair<std::string, std::string>>;

void write_pairs(ByteWriter& writer, const TextPairs& pairs) {
  writer.varint(pairs.size());
  for (const auto& [name, value] : pairs) {
    writer.text(name);
    writer.text(value);
  }
}

TextPairs read_pairs(ByteReader& reader) {
  TextPairs pairs;
  for (std::uint64_t left = reader.varint(); left > 0 && !reader.failed(); --left) {
    std::string name(reader.text());
    pairs.emplace_back(std::move(name), reader.text());
  }
  return pairs;
}

// True if all are zeros: nothing has anything to say.
bool is_blank(const ByteWriter& writer) {
  return std::all_of(writer.bytes().begin(), writer.bytes().end(), [](std::uint8_t byte) { return byte == 0; });
}

std::vector<std::uint8_t> packed_details(const ByteWriter& writer) {
  if (is_blank(writer)) return {};
  return pack_bytes(writer.bytes());
}

Status end_of(const ByteReader& reader) {
  if (!reader.failed() && reader.left() == 0) return {};
  return Error{"store", "holds damaged details", "see 'tarry store verify'"};
}

enum MetricFlag : std::uint8_t {
  kGhostFlag = 1,
  kVoidFlag = 2,
  kNotConvertibleFlag = 4,
  kNotCacheableFlag = 8,
  kNotRowwiseFlag = 16,
};

template <class Item>
void write_attributes(ByteWriter& writer, const std::vector<Item>& items) {
  const auto has_some = [](const Item& item) { return !item.attributes.empty(); };
  writer.varint(static_cast<std::uint64_t>(std::count_if(items.begin(), items.end(), has_some)));
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].attributes.empty()) continue;
    writer.varint(i);
    write_pairs(writer, items[i].attributes);
  }
}

template <class Item>
void read_attributes(ByteReader& reader, std::vector<Item>& items) {
  for (std::uint64_t left = reader.varint(); left > 0 && !reader.failed(); --left) {
    const std::uint64_t item = reader.varint();
    TextPairs pairs = read_pairs(reader);
    if (item < items.size()) items[item].attributes = std::move(pairs);
  }
}

ReportTopology read_topology(ByteReader& reader) {
  ReportTopology topology;
  topology.name = reader.text();
  for (std::uint64_t left = reader.varint(); left > 0 && !reader.failed(); --left) {
    ReportTopology::Dimension& dimension = topology.dimensions.emplace_back();
    dimension.name = reader.text();
    dimension.size = unzigzag(reader.varint());
    dimension.is_periodic = reader.u8() != 0;
  }
  for (std::uint64_t left = reader.varint(); left > 0 && !reader.failed(); --left) {
    std::vector<std::int64_t>& coordinates = topology.coordinates[reader.varint32()];
    for (std::size_t d = 0; d < topology.dimensions.size(); ++d) coordinates.push_back(unzigzag(reader.varint()));
  }
  return topology;
}

}  // namespace

std::vector<std::uint8_t> metric_details(const ReportMetric& metric) {
  ByteWriter writer;
  writer.u8(static_cast<std::uint8_t>((metric.is_ghost ? kGhostFlag : 0) | (metric.is_void ? kVoidFlag : 0) |
                                      (metric.is_convertible ? 0 : kNotConvertibleFlag) |
                                      (metric.is_cacheable ? 0 : kNotCacheableFlag) |
                                      (metric.is_rowwise ? 0 : kNotRowwiseFlag)));
  writer.text(metric.url);
  writer.text(metric.expression);
  writer.text(metric.init_expression);
  write_pairs(writer, metric.aggregations);
  write_pairs(writer, metric.attributes);
  return packed_details(writer);
}

Status read_metric_details(std::span<const std::uint8_t> bytes, ReportMetric& metric) {
  if (bytes.empty()) return {};
  TARRY_TRY_ASSIGN(plain, unpack_bytes(bytes));
  ByteReader reader(plain);
  const std::uint8_t flags = reader.u8();
  metric.is_ghost = flags & kGhostFlag;
  metric.is_void = flags & kVoidFlag;
  metric.is_convertible = !(flags & kNotConvertibleFlag);
  metric.is_cacheable = !(flags & kNotCacheableFlag);
  metric.is_rowwise = !(flags & kNotRowwiseFlag);
  metric.url = reader.text();
  metric.expression = reader.text();
  metric.init_expression = reader.text();
  metric.aggregations = read_pairs(reader);
  metric.attributes = read_pairs(reader);
  return end_of(reader);
}

std::vector<std::uint8_t> region_details(const ReportRegion& region) {
  ByteWriter writer;
  writer.text(region.url);
  writer.text(region.description);
  write_pairs(writer, region.attributes);
  return packed_details(writer);
}

Status read_region_details(std::span<const std::uint8_t> bytes, ReportRegion& region) {
  if (bytes.empty()) return {};
  TARRY_TRY_ASSIGN(plain, unpack_bytes(bytes));
  ByteReader reader(plain);
  region.url = reader.text();
  region.description = reader.text();
  region.attributes = read_pairs(reader);
  return end_of(reader);
}

std::vector<std::uint8_t> call_path_details(const ReportCallPath& path) {
  ByteWriter writer;
  write_pairs(writer, path.numeric_parameters);
  write_pairs(writer, path.string_parameters);
  write_pairs(writer, path.attributes);
  return packed_details(writer);
}

Status read_call_path_details(std::span<const std::uint8_t> bytes, ReportCallPath& path) {
  if (bytes.empty()) return {};
  TARRY_TRY_ASSIGN(plain, unpack_bytes(bytes));
  ByteReader reader(plain);
  path.numeric_parameters = read_pairs(reader);
  path.string_parameters = read_pairs(reader);
  path.attributes = read_pairs(reader);
  return end_of(reader);
}

std::vector<std::uint8_t> topology_bytes(const std::vector<ReportTopology>& topologies) {
  ByteWriter writer;
  writer.varint(topologies.size());
  for (const ReportTopology& topology : topologies) {
    writer.text(topology.name);
    writer.varint(topology.dimensions.size());
    for (const ReportTopology::Dimension& dimension : topology.dimensions) {
      writer.text(dimension.name);
      writer.varint(zigzag(dimension.size));
      writer.u8(dimension.is_periodic ? 1 : 0);
    }
    writer.varint(topology.coordinates.size());
    for (const auto& [location, coordinates] : topology.coordinates) {
      writer.varint(location);
      for (std::size_t d = 0; d < topology.dimensions.size(); ++d)
        writer.varint(zigzag(d < coordinates.size() ? coordinates[d] : 0));
    }
  }
  return packed_details(writer);
}

Result<std::vector<ReportTopology>> read_topologies(std::span<const std::uint8_t> bytes) {
  std::vector<ReportTopology> topologies;
  if (bytes.empty()) return topologies;
  TARRY_TRY_ASSIGN(plain, unpack_bytes(bytes));
  ByteReader reader(plain);
  for (std::uint64_t left = reader.varint(); left > 0 && !reader.failed(); --left)
    topologies.push_back(read_topology(reader));
  TARRY_TRY(end_of(reader));
  return topologies;
}

std::vector<std::uint8_t> run_details(const ReportStructure& structure) {
  ByteWriter writer;
  writer.varint(structure.mirrors.size());
  for (const std::string& mirror : structure.mirrors) writer.text(mirror);
  write_attributes(writer, structure.system_nodes);
  write_attributes(writer, structure.processes);
  write_attributes(writer, structure.locations);
  return packed_details(writer);
}

Status read_run_details(std::span<const std::uint8_t> bytes, ReportStructure& structure) {
  if (bytes.empty()) return {};
  TARRY_TRY_ASSIGN(plain, unpack_bytes(bytes));
  ByteReader reader(plain);
  for (std::uint64_t left = reader.varint(); left > 0 && !reader.failed(); --left)
    structure.mirrors.emplace_back(reader.text());
  read_attributes(reader, structure.system_nodes);
  read_attributes(reader, structure.processes);
  read_attributes(reader, structure.locations);
  return end_of(reader);
}

}  // namespace tarry
