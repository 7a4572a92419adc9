// files_output.cpp -- writes the table of files.
#include "files_output.hpp"

#include <algorithm>

#include "base/text/csv.hpp"
#include "base/text/format.hpp"
#include "base/text/json.hpp"
#include "base/text/printable.hpp"

namespace tarry {

static constexpr std::size_t kFilesShown = 30;
static constexpr int kFilesVersion = 1;

static std::string row_of(const FileUse& file) {
  return pad_left(format_seconds(file.seconds), 10) + pad_left(std::to_string(file.processes), 10) +
         pad_left(std::to_string(file.opens), 8) + pad_left(std::to_string(file.reads), 10) +
         pad_left(std::to_string(file.bytes_read), 15) + pad_left(std::to_string(file.writes), 10) +
         pad_left(std::to_string(file.bytes_written), 15) + "  " + file.name;
}

// "20 bytes read, 5 bytes written, ". A program that only names files moves none.
static std::string transfers_text(const FileUse& total) {
  if (total.bytes_read + total.bytes_written == 0) return "nothing read or written, ";
  return (total.bytes_read ? format_count(total.bytes_read, "byte") + " read, " : "") +
         (total.bytes_written ? format_count(total.bytes_written, "byte") + " written, " : "");
}

std::string files_text(FileTable table) {
  FileUse total;
  for (const FileUse& file : table) {
    total.bytes_read += file.bytes_read;
    total.bytes_written += file.bytes_written;
    total.seconds += file.seconds;
  }
  std::string text;
  add_line(text, format_count(table.size(), "file") + ": " + transfers_text(total) + format_seconds(total.seconds) +
                     " of all processes together");
  add_line(text, "      time processes   opens     reads     bytes read    writes  bytes written  file");
  std::ranges::stable_sort(table,
                           [](const FileUse& left, const FileUse& right) { return left.seconds > right.seconds; });
  for (std::size_t i = 0; i < std::min(kFilesShown, table.size()); ++i) add_line(text, row_of(table[i]));
  if (table.size() > kFilesShown)
    add_line(text,
             "... and " + format_count(table.size() - kFilesShown, "more file", "more files") + " (--csv, --json)");
  return text;
}

std::string files_csv(const FileTable& table) {
  CsvWriter csv("file,processes,opens,reads,bytes_read,writes,bytes_written,seconds");
  for (const FileUse& file : table) {
    csv.add(file.name).add(file.processes).add(file.opens).add(file.reads).add(file.bytes_read);
    csv.add(file.writes).add(file.bytes_written).add(file.seconds);
    csv.end_row();
  }
  return csv.take();
}

std::string files_json(const FileTable& table) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kLines).member("version", kFilesVersion);
  json.name("files").begin_array(JsonWriter::Layout::kLines);
  for (const FileUse& file : table) {
    json.begin_object().member("file", file.name).member("processes", file.processes).member("opens", file.opens);
    json.member("reads", file.reads).member("bytes_read", file.bytes_read).member("writes", file.writes);
    json.member("bytes_written", file.bytes_written).member("seconds", file.seconds).end();
  }
  json.end().end();
  return json.take();
}

}  // namespace tarry
