// file_table.cpp -- the table of files, to bytes and back.
#include "report/file_table.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "report/file_end.hpp"

namespace tarry {
namespace {

constexpr char kTableName[] = "files.table", kOtherFiles[] = "other files";
constexpr std::uint64_t kTableVersion = 1;
constexpr std::size_t kMostListed = std::size_t{1} << 16;

void add_use(FileUse& sum, const FileUse& use) {
  sum.processes += use.processes;
  sum.opens += use.opens;
  sum.reads += use.reads;
  sum.writes += use.writes;
  sum.bytes_read += use.bytes_read;
  sum.bytes_written += use.bytes_written;
  sum.seconds += use.seconds;
}

void merge_names(std::vector<FileUse>& uses) {
  std::ranges::stable_sort(uses, {}, &FileUse::name);
  std::size_t kept = 0;
  for (FileUse& use : uses) {
    if (kept > 0 && uses[kept - 1].name == use.name) add_use(uses[kept - 1], use);
    else if (&uses[kept++] != &use) uses[kept - 1] = std::move(use);
  }
  uses.resize(kept);
}

}  // namespace

FileUse file_use(const Definitions& definitions, const FileCount& count) {
  const bool is_known = count.file < definitions.io_handles.size();
  const double ticks_per_second = definitions.clock.ticks_per_second;
  return {.name = is_known ? std::string(definitions.text(definitions.io_handles[count.file].name)) : kOtherFiles,
          .opens = count.opens,
          .reads = count.reads,
          .writes = count.writes,
          .bytes_read = count.bytes_read,
          .bytes_written = count.bytes_written,
          .seconds = static_cast<double>(count.time) / (ticks_per_second > 0 ? ticks_per_second : 1e9)};
}

void FileTableBuilder::add_process(std::vector<FileUse> files) {
  merge_names(files);
  for (FileUse& use : files) use.processes = 1;
  std::ranges::move(files, std::back_inserter(all_));
  if (all_.size() < 2 * std::max(merged_, kMostListed)) return;
  merge_names(all_);
  merged_ = all_.size();
}

FileTable FileTableBuilder::take() {
  merge_names(all_);
  if (all_.size() > kMostListed) {
    std::ranges::stable_sort(all_,
                             [](const FileUse& left, const FileUse& right) { return left.seconds > right.seconds; });
    for (std::size_t i = kMostListed; i < all_.size(); ++i) all_[i].name = kOtherFiles;
    merge_names(all_);
  }
  return std::move(all_);
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
