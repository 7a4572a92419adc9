// cubex_writer.cpp -- writes a report as a .cubex file.
#include "report/cubex/cubex_writer.hpp"

#include "base/bytes/bytes.hpp"
#include "base/tool/progress.hpp"
#include "base/processes/worker_pool.hpp"
#include "report/cubex/cubex_anchor_writer.hpp"
#include "report/cubex/cubex_layout.hpp"
#include "report/cubex/cubex_output.hpp"
#include "report/cubex/cubex_tar.hpp"
#include "report/cubex/cubex_values.hpp"

namespace tarry {
namespace {

constexpr std::string_view kAnchorName = "anchor.xml";

std::string_view text_of_bytes(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class CubexWriter {
 public:
  CubexWriter(const CubeSource& report, const CubexLayout& layout, CubexOutput& out)
      : report_(report), layout_(layout), out_(out) {}

  void write() {
    progress_.begin("writing rows");
    // With many processes it takes as long as the rows.
    auto anchor = in_background([this] { return anchor_text(report_.structure(), layout_); });
    for (const ReportFile& file : report_.files()) {
      begin_member(file.name, file.bytes.size());
      out_.append(text_of_bytes(file.bytes));
      end_member('\n');
    }
    for (std::size_t id = 0; id < layout_.metrics.size(); ++id) write_metric(id);
    const std::string text = anchor.get();
    begin_member(std::string(kAnchorName), text.size());
    out_.append(text);
    end_member('\n');
    out_.append_zeros(2 * kTarBlock);
  }

 private:
  void begin_member(const std::string& name, std::uint64_t size) {
    size_ = size;
    out_.append(tar_header(name, size + tar_filler(size)));
  }

  // `filler` is the byte that readers of this member do not mind at its end.
  void end_member(char filler) {
    if (tar_filler(size_)) out_.append({&filler, 1});
    out_.append_zeros(tar_padding(size_ + tar_filler(size_)));
  }

  void write_metric(std::size_t id) {
    const MetricId metric = layout_.metrics[id].metric;
    const ReportMetric& facts = report_.structure().metrics[metric.value];
    if (is_derived(facts.kind)) return;
    const auto& rows = facts.kind == MetricKind::kInclusive ? layout_.inclusive_rows : layout_.call_paths;
    std::vector<std::uint32_t> stored;
    for (std::uint32_t row = 0; row < rows.size(); ++row)
      if (report_.has_row(metric, CallPathId(rows[row]))) stored.push_back(row);
    // Missing members mean zeros, which is not what an empty minimum holds.
    if (stored.empty() && is_neutral_zero(facts.type)) return;
    const std::string stem = (facts.is_ghost ? "ghost_" : "") + std::to_string(id);
    write_data(stem + ".data", metric, rows, stored);
    write_index(stem + ".index", stored);
  }

  void write_data(const std::string& name, MetricId metric, const std::vector<std::uint32_t>& rows,
                  const std::vector<std::uint32_t>& stored) {
    const ValueFormat format = report_.structure().metrics[metric.value].format();
    const std::size_t columns = layout_.columns.size();
    begin_member(name, kPlainMagic.size() + std::uint64_t{columns * format.bytes()} * stored.size());
    out_.append(kPlainMagic);
    if (!stored.empty()) {
      std::vector<std::uint8_t> bytes;
      std::vector<double> values(columns * format.components()), moved;
      for (const std::uint32_t row : stored) {
        std::span<const double> ordered = report_.row_in_memory(metric, CallPathId(rows[row]));
        if (ordered.empty()) {
          report_.read_row(metric, CallPathId(rows[row]), values);
          ordered = values;
        }
        if (!layout_.is_identity) ordered = in_columns(ordered, format.components(), moved);
        out_.append(text_of_bytes(stored_bytes(format, ordered, bytes)));
        progress_.add(1);
      }
    }
    end_member('\0');
  }

  // A row over locations as a row over columns.
  const std::vector<double>& in_columns(std::span<const double> values, std::size_t width, std::vector<double>& moved) {
    moved.resize(values.size());
    for (std::size_t column = 0; column < layout_.columns.size(); ++column)
      for (std::size_t k = 0; k < width; ++k) moved[column * width + k] = values[layout_.columns[column] * width + k];
    return moved;
  }

  void write_index(const std::string& name, const std::vector<std::uint32_t>& stored) {
    ByteWriter index;
    index.raw(kIndexMagic.data(), kIndexMagic.size());
    index.u32(1);  // tells the byte order
    index.u16(0);
    index.u8(kSparse);
    index.u32(static_cast<std::uint32_t>(stored.size()));
    for (const std::uint32_t row : stored) index.u32(row);
    begin_member(name, index.bytes().size());
    out_.append(text_of_bytes(index.bytes()));
    end_member('\0');
  }

  const CubeSource& report_;
  const CubexLayout& layout_;
  CubexOutput& out_;
  std::uint64_t size_ = 0;  // of the current member
  Progress progress_;
};

Status check_files(const CubeSource& report, const std::string& path) {
  for (const ReportFile& file : report.files())
    if (file.name.empty() || file.name.size() > kMaxTarName || file.name == kAnchorName)
      return Error{path, "an extra file cannot be called '" + file.name + "'", ""};
  return {};
}

}  // namespace

Status write_cubex(const CubeSource& report, const std::string& path) {
  TARRY_TRY(check_files(report, path));
  TARRY_TRY_ASSIGN(layout, plan_cubex(report.structure(), path));
  return write_file_with(path, [&](const File& file) {
    CubexOutput out(file, output_name(path));
    CubexWriter(report, layout, out).write();
    return out.finish();
  });
}

Status write_cubex(const Report& report, const std::string& path) { return write_cubex(ReportCube(report), path); }

}  // namespace tarry
