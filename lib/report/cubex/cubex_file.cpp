// cubex_file.cpp -- an open .cubex file.
#include "report/cubex/cubex_file.hpp"

#include <algorithm>

#include "base/files/input_file.hpp"
#include "report/cubex/cubex_anchor_reader.hpp"
#include "report/cubex/cubex_inflate.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

// What a gzip anchor may grow to. Real ones are 10 to 40 times as long as their compressed form.
constexpr std::uint64_t kMaxAnchorBytes = std::uint64_t{4} << 30;
constexpr std::uint64_t kSmallAnchorBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxAnchorGrowth = 256;

// Pages of rows that may stay in memory.
constexpr std::size_t kKeptBytes = std::size_t{16} << 20;

// No row of tuples is this long in practice; a damaged size of a tuple would make it so.
constexpr std::size_t kMaxTupleRow = std::size_t{64} << 20;

bool has_no_inclusive_values(const ReportMetric& metric) {
  return metric.kind == MetricKind::kInclusive &&
         (!is_additive(metric.type) || metric.type == ValueType::kTauAtomic || metric.type == ValueType::kHistogram);
}

std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> places(order.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) places[order[place]] = place;
  return places;
}

}  // namespace

Result<std::unique_ptr<CubexFile>> CubexFile::open(const std::string& path) {
  auto file = std::make_unique<CubexFile>();
  const bool is_stream = path == "-" || is_pipe(path);
  const std::string name = path == "-" ? "standard input" : path;
  const auto check = [&name](std::span<const std::uint8_t> beginning) { return check_is_tar(beginning, name); };
  TARRY_TRY_ASSIGN(mapped, is_stream ? MappedFile::from_stream(path, check) : MappedFile::open(path));
  file->mapped_ = std::move(mapped);
  TARRY_TRY(file->open_bytes(file->mapped_.bytes(), name));
  return file;
}

Result<std::unique_ptr<CubexFile>> CubexFile::open(std::span<const std::uint8_t> bytes, const std::string& path) {
  auto file = std::make_unique<CubexFile>();
  TARRY_TRY(file->open_bytes(bytes, path));
  return file;
}

Status CubexFile::open_bytes(std::span<const std::uint8_t> bytes, const std::string& path) {
  bytes_ = bytes;
  TARRY_TRY_ASSIGN(members, read_tar_directory(bytes, path));
  members_ = std::move(members);
  std::vector<std::string> stems;
  TARRY_TRY(read_trees(path, stems));
  members_.erase("anchor.xml");
  call_tree_ = std::make_unique<CallPathTree>(structure_.call_paths);
  row_numbers_[0] = inverse(call_tree_->preorder());
  row_numbers_[1] = inverse(call_tree_->sibling_block_order());
  values_.resize(stems.size());
  is_noted_.resize(stems.size());
  for (std::uint32_t metric = 0; metric < stems.size(); ++metric) open_metric(MetricId(metric), stems[metric]);
  keep_extra_files();
  mapped_.forget(mapped_.bytes());
  return {};
}

std::span<const std::uint8_t> CubexFile::data_of(const TarMember& member) const {
  return bytes_.subspan(static_cast<std::size_t>(member.offset), static_cast<std::size_t>(member.size));
}

Status CubexFile::read_trees(const std::string& path, std::vector<std::string>& stems) {
  const auto member = members_.find("anchor.xml");
  if (member == members_.end())
    return Error{path, "is not a complete report: it has no anchor.xml", "write or copy the report again"};
  const auto bytes = data_of(member->second);
  std::string inflated;
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (is_gzip(bytes)) {
    const std::uint64_t limit = std::clamp(bytes.size() * kMaxAnchorGrowth, kSmallAnchorBytes, kMaxAnchorBytes);
    TARRY_TRY_ASSIGN(whole, inflate_gzip(bytes, limit, path + ": anchor.xml"));
    inflated = std::move(whole);
    text = inflated;
  }
  TARRY_TRY_ASSIGN(anchor, read_anchor(text, path));
  structure_ = std::move(anchor.structure);
  damage_ = std::move(anchor.damage);
  stems = std::move(anchor.member_stems);
  return {};
}

void CubexFile::note(MetricId metric, const std::string& what) const {
  damage_.push_back("metric '" + structure_.metrics[metric.value].unique_name + "': " + what);
}

void CubexFile::open_metric(MetricId metric, const std::string& stem) {
  ReportMetric& facts = structure_.metrics[metric.value];
  const auto index = members_.find(stem + ".index");
  const auto data = members_.find(stem + ".data");
  const bool has_values = index != members_.end() && data != members_.end();
  if (has_no_inclusive_values(facts)) {
    note(metric, "this type has no inclusive values, left out");
    facts.is_void = true;
  } else if (has_values && !is_derived(facts.kind)) {
    open_values(metric, {data_of(index->second), data_of(data->second)});
    if (index->second.is_truncated || data->second.is_truncated) note(metric, "the file ends inside its values");
  }
  if ((index == members_.end()) != (data == members_.end()))
    note(metric, "one of its two members is missing, all values are zero");
  if (index != members_.end()) members_.erase(index);
  members_.erase(stem + ".data");
}

void CubexFile::open_values(MetricId metric, const ValueMembers& members) {
  const ReportMetric& facts = structure_.metrics[metric.value];
  const std::size_t row_bytes = structure_.locations.size() * facts.format().bytes();
  if (facts.format().components() > 1 && row_bytes > kMaxTupleRow) return note(metric, "its rows are absurdly long");
  Values& values = values_[metric.value];
  values.is_inclusive = facts.kind == MetricKind::kInclusive;
  const std::string trouble =
      values.rows.open(members, row_bytes, static_cast<std::uint32_t>(structure_.call_paths.size()));
  if (!trouble.empty()) note(metric, trouble);
}

void CubexFile::keep_extra_files() {
  for (const auto& [name, member] : members_) {
    const auto bytes = data_of(member);
    files_.push_back({name, {bytes.begin(), bytes.end()}});
    if (member.is_truncated) damage_.push_back("the file ends inside member '" + name + "'");
  }
}

std::optional<std::uint32_t> CubexFile::find(MetricId metric, CallPathId path) const {
  const Values& values = values_[metric.value];
  return values.rows.count() ? values.rows.find(row_numbers_[values.is_inclusive][path.value]) : std::nullopt;
}

bool CubexFile::has_row(MetricId metric, CallPathId path) const { return find(metric, path).has_value(); }

void CubexFile::read_row(MetricId metric, CallPathId path, std::span<double> row) const {
  const ValueFormat format = structure_.metrics[metric.value].format();
  const StoredRows& rows = values_[metric.value].rows;
  const auto k = find(metric, path);
  bool is_damaged = false;
  const std::uint8_t* bytes = k ? rows.bytes(*k, inflated_, is_damaged) : nullptr;
  if (bytes) {
    decode_values(format, bytes, rows.is_big_endian(), structure_.locations.size(), row.data());
  } else {
    fill_neutral(format, row);
  }
  if (is_damaged && !is_noted_[metric.value]) {
    is_noted_[metric.value] = true;
    note(metric, "a compressed row is damaged");
  }
  touched_ += row.size() * sizeof(double);
  if (touched_ < kKeptBytes) return;
  mapped_.forget(mapped_.bytes());
  touched_ = 0;
}

}  // namespace tarry
