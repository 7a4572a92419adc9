// cubex_reader.cpp -- reads a .cubex file.
#include "report/cubex_reader.hpp"

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "report/call_path_tree.hpp"
#include "report/cubex_anchor_reader.hpp"
#include "report/cubex_inflate.hpp"
#include "report/cubex_tar.hpp"
#include "report/cubex_values.hpp"
#include "report/metric_tree.hpp"

namespace tarry {
namespace {

// What a gzip anchor may grow to. Real ones are 10 to 40 times as long as their compressed form.
constexpr std::uint64_t kMaxAnchorBytes = std::uint64_t{4} << 30;
constexpr std::uint64_t kSmallAnchorBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxAnchorGrowth = 256;

class CubexReader {
 public:
  CubexReader(std::span<const std::uint8_t> bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  Result<Report> read() {
    TARRY_TRY_ASSIGN(members, read_tar_directory(bytes_, path_));
    members_ = std::move(members);
    TARRY_TRY_ASSIGN(anchor, read_trees());
    members_.erase("anchor.xml");
    report_.structure = std::move(anchor.structure);
    report_.damage = std::move(anchor.damage);
    orders_[1] = report_.call_tree().sibling_block_order();
    orders_[0] = report_.call_tree().preorder();
    for (std::uint32_t metric = 0; metric < anchor.member_stems.size(); ++metric)
      read_metric(MetricId(metric), anchor.member_stems[metric]);
    keep_extra_files();
    return std::move(report_);
  }

 private:
  std::span<const std::uint8_t> data_of(const TarMember& member) const {
    return bytes_.subspan(static_cast<std::size_t>(member.offset), static_cast<std::size_t>(member.size));
  }

  Result<Anchor> read_trees() {
    const auto member = members_.find("anchor.xml");
    if (member == members_.end())
      return Error{path_, "is not a complete report: it has no anchor.xml", "write or copy the report again"};
    const auto bytes = data_of(member->second);
    if (!is_gzip(bytes)) return read_anchor({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path_);
    const std::uint64_t limit = std::clamp(bytes.size() * kMaxAnchorGrowth, kSmallAnchorBytes, kMaxAnchorBytes);
    TARRY_TRY_ASSIGN(text, inflate_gzip(bytes, limit, path_ + ": anchor.xml"));
    return read_anchor(text, path_);
  }

  void note(MetricId metric, const std::string& what) {
    report_.damage.push_back("metric '" + report_.structure.metrics[metric.value].unique_name + "': " + what);
  }

  void read_metric(MetricId metric, const std::string& stem) {
    ReportMetric& facts = report_.structure.metrics[metric.value];
    const auto index = members_.find(stem + ".index");
    const auto data = members_.find(stem + ".data");
    const bool has_values = index != members_.end() && data != members_.end();
    const bool is_impossible = facts.kind == MetricKind::kInclusive &&
                               (!is_additive(facts.type) || facts.type == ValueType::kTauAtomic ||
                                facts.type == ValueType::kHistogram);
    if (is_impossible) {
      note(metric, "this type has no inclusive values, left out");
      facts.is_void = true;
    } else if (has_values && !is_derived(facts.kind)) {
      read_values(metric, {data_of(index->second), data_of(data->second)});
      if (index->second.is_truncated || data->second.is_truncated) note(metric, "the file ends inside its values");
    }
    if ((index == members_.end()) != (data == members_.end()))
      note(metric, "one of its two members is missing, all values are zero");
    if (index != members_.end()) members_.erase(index);
    members_.erase(stem + ".data");
  }

  void read_values(MetricId metric, const ValueMembers& members) {
    const ReportMetric& facts = report_.structure.metrics[metric.value];
    const ValueFormat format = facts.format();
    const std::size_t columns = report_.structure.locations.size();
    const auto& order = orders_[facts.kind == MetricKind::kInclusive];
    const auto keep = [&](std::uint32_t row, const std::uint8_t* bytes, bool is_big_endian) {
      const std::size_t size = columns * format.bytes();
      if (is_neutral_zero(facts.type) && std::all_of(bytes, bytes + size, [](std::uint8_t byte) { return byte == 0; }))
        return;
      decode_values(format, bytes, is_big_endian, columns, report_.row(metric, CallPathId(order[row])).data());
    };
    const std::string trouble =
        decode_rows(members, columns * format.bytes(), static_cast<std::uint32_t>(order.size()), keep);
    if (!trouble.empty()) note(metric, trouble);
  }

  void keep_extra_files() {
    for (const auto& [name, member] : members_) {
      const auto bytes = data_of(member);
      report_.files.push_back({name, {bytes.begin(), bytes.end()}});
      if (member.is_truncated) report_.damage.push_back("the file ends inside member '" + name + "'");
    }
  }

  std::span<const std::uint8_t> bytes_;
  const std::string& path_;
  TarDirectory members_;
  Report report_;
  std::vector<std::uint32_t> orders_[2];  // rows of exclusive and of inclusive metrics
};

}  // namespace

Result<Report> read_cubex(std::span<const std::uint8_t> bytes, const std::string& path) {
  return CubexReader(bytes, path).read();
}

Result<Report> read_cubex(const std::string& path) {
  std::error_code ignored;
  const bool is_stream = path == "-" || std::filesystem::is_fifo(path, ignored);
  if (is_stream) {
    TARRY_TRY_ASSIGN(bytes, read_file(path));
    return read_cubex(bytes, path == "-" ? "standard input" : path);
  }
  TARRY_TRY_ASSIGN(mapped, MappedFile::open(path));
  return read_cubex(mapped.bytes(), path);
}

}  // namespace tarry
