// file_table.cpp -- the table of files, to bytes and back.
#include "report/tables/file_table.hpp"

#include <algorithm>
#include <iterator>

#include "base/bytes/bytes.hpp"
#include "base/arrays/sum_equal.hpp"
#include "report/tables/file_end.hpp"

namespace tarry {
namespace {

constexpr char kTableName[] = "files.table", kOtherFiles[] = "other files";
constexpr std::uint64_t kTableVersion = 1;
constexpr std::size_t kMostListed = std::size_t{1} << 16;

}  // namespace

void FileTableBuilder::merge_names(std::vector<NamedCount>& files) {
  sum_equal(files, &NamedCount::name, [](NamedCount& sum, const NamedCount& file) {
    sum.processes += file.processes;
    sum.count += file.count;
  });
}

FileUse FileTableBuilder::use_of(const NamedCount& file) const {
  const double ticks_per_second = definitions_.clock.ticks_per_second;
  return {.name = file.name,
          .processes = file.processes,
          .opens = file.count.opens,
          .reads = file.count.reads,
          .writes = file.count.writes,
          .bytes_read = file.count.bytes_read,
          .bytes_written = file.count.bytes_written,
          .seconds = static_cast<double>(file.count.time) / (ticks_per_second > 0 ? ticks_per_second : 1e9)};
}

void FileTableBuilder::add_process(std::span<const FileCount> files) {
  std::vector<NamedCount> named;
  for (const FileCount& count : files) {
    const bool is_known = count.file < definitions_.io_handles.size();
    const StringId name = is_known ? definitions_.io_handles[count.file].name : StringId();
    named.push_back({.name = is_known ? std::string(definitions_.text(name)) : kOtherFiles, .count = count});
  }
  merge_names(named);
  for (NamedCount& file : named) file.processes = 1;
  std::ranges::move(named, std::back_inserter(all_));
  if (all_.size() < 2 * std::max(merged_, kMostListed)) return;
  merge_names(all_);
  merged_ = all_.size();
}

FileTable FileTableBuilder::take() {
  merge_names(all_);
  if (all_.size() > kMostListed) {
    std::ranges::stable_sort(all_, std::ranges::greater(), [](const NamedCount& file) { return file.count.time; });
    for (std::size_t i = kMostListed; i < all_.size(); ++i) all_[i].name = kOtherFiles;
    merge_names(all_);
  }
  FileTable table;
  for (const NamedCount& file : all_) table.push_back(use_of(file));
  return table;
}

void add_file_table(const FileTable& table, std::vector<ReportFile>& files) {
  if (table.empty()) return;
  ByteWriter out;
  out.varint(kTableVersion);
  for (const FileUse& use : table) {
    out.text(use.name);
    out.varint(use.processes);
    out.varint(use.opens);
    out.varint(use.reads);
    out.varint(use.writes);
    out.varint(use.bytes_read);
    out.varint(use.bytes_written);
    out.f64(use.seconds);
  }
  files.push_back({kTableName, out.bytes()});
}

Result<FileTable> read_file_table(const std::vector<ReportFile>& files) {
  const auto file = std::ranges::find(files, kTableName, &ReportFile::name);
  if (file == files.end()) return FileTable();
  ByteReader in(file->bytes);
  if (in.varint() != kTableVersion)
    return Error{kTableName, "has a form that this version does not know", "use the version that wrote the report"};
  FileTable table;
  while (!is_at_end(in, *file) && !in.failed()) {
    FileUse use;
    use.name = in.text();
    use.processes = in.varint();
    use.opens = in.varint();
    use.reads = in.varint();
    use.writes = in.varint();
    use.bytes_read = in.varint();
    use.bytes_written = in.varint();
    use.seconds = in.f64();
    table.push_back(std::move(use));
  }
  if (in.failed() || !std::ranges::is_sorted(table, {}, &FileUse::name)) return Error{kTableName, "is malformed", ""};
  return table;
}

}  // namespace tarry
