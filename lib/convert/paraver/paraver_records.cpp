// paraver_records.cpp -- the records of a .prv, written in order.
#include "convert/paraver/paraver_records.hpp"

#include <algorithm>

namespace tarry {
namespace {

constexpr std::size_t kWriteAtOnce = 1 << 20;

/// Writes records in order; events of one moment and place share a line.
class RecordWriter {
 public:
  RecordWriter(const std::vector<std::string>& objects, const File& file, const std::string& path)
      : objects_(objects), file_(file), path_(path) {}

  Status write(const ParaverRecord& record) {
    const bool continues = record.type == kEventRecord && last_.type == kEventRecord && record.time == last_.time &&
                           record.location == last_.location;
    if (!continues) {
      if (last_.type != 0) text_ += '\n';
      append_number(text_, record.type);
      text_ += objects_[record.location];
      append(record.time);
    }
    switch (record.type) {
      case kStateRecord:
      case kEventRecord: append(record.more[0]), append(record.more[1]); break;
      default:
        append(record.more[0]);
        text_ += objects_[static_cast<std::size_t>(record.more[1])];
        for (int i = 2; i < 6; ++i) append(record.more[i]);
    }
    last_ = record;
    return text_.size() < kWriteAtOnce ? Status() : flush();
  }

  Status finish() {
    if (last_.type != 0) text_ += '\n';
    return flush();
  }

 private:
  void append(std::int64_t number) {
    text_ += ':';
    append_number(text_, static_cast<std::uint64_t>(number));
  }
  Status flush() {
    TARRY_TRY(write_all(file_, text_.data(), text_.size(), path_));
    text_.clear();
    return {};
  }

  const std::vector<std::string>& objects_;
  const File& file_;
  const std::string& path_;
  std::string text_;
  ParaverRecord last_;
};

Status write_records(const std::string& output, const ParaverObjects& objects, const std::string& header,
                     ExternalSorter<ParaverRecord>& sorter) {
  return write_file_with(output, [&](const File& file) -> Status {
    TARRY_TRY(write_all(file, header.data(), header.size(), output));
    RecordWriter writer(objects.texts(), file, output);
    for (;;) {
      TARRY_TRY_ASSIGN(record, sorter.next());
      if (!record) break;
      TARRY_TRY(writer.write(*record));
    }
    return writer.finish();
  });
}

// "run" of run.prv
std::string stem_of(const std::string& path) { return path.ends_with(".prv") ? path.substr(0, path.size() - 4) : path; }

}  // namespace

std::int64_t ParaverRecords::time(Ticks ticks) {
  const std::int64_t nanoseconds = std::max<std::int64_t>(time_of_(ticks), 0);
  last_time_ = std::max(last_time_, nanoseconds);
  return nanoseconds;
}

Status ParaverRecords::add(ParaverRecord record) {
  record.number = next_number_++;
  return sorter_.add(record);
}

Status ParaverRecords::write(const std::string& output, const Definitions& all, const std::string& pcf,
                             const std::vector<std::string>& labels) {
  TARRY_TRY(sorter_.finish());
  const ParaverObjects objects(all);
  const std::string stem = stem_of(output);
  TARRY_TRY(write_file(stem + ".pcf", std::string_view(pcf)));
  TARRY_TRY(write_file(stem + ".row", std::string_view(objects.row_file(labels))));
  return write_records(output, objects, objects.header(last_time_, all.clock), sorter_);
}

}  // namespace tarry
