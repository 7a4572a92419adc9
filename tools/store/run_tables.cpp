// run_tables.cpp -- tables and objects of runs.
#include "run_tables.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/file.hpp"
#include "base/format.hpp"
#include "base/printable.hpp"

namespace tarry {

TextTable::TextTable(std::vector<std::string> header, std::vector<std::size_t> numbers)
    : header_(std::move(header)), is_number_(header_.size()) {
  for (const std::size_t column : numbers) is_number_[column] = true;
}

void TextTable::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = printable(cell);
  rows_.push_back(std::move(row));
}

std::string TextTable::line_of(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (widths[i] == 0) continue;
    if (!line.empty()) line += "  ";
    line += is_number_[i] ? pad_left(row[i], widths[i]) : pad_right(row[i], widths[i]);
  }
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(header_.size());
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  for (std::size_t i = 0; i < widths.size(); ++i)
    if (widths[i] > 0 || rows_.empty()) widths[i] = std::max(widths[i], header_[i].size());
  std::string text = line_of(header_, widths);
  for (const auto& row : rows_) text += line_of(row, widths);
  return text;
}

void add_run_object(JsonWriter& json, const StoredRun& run) {
  json.begin_object().member("run", run.id).member("program", run.program).member("commit", run.commit);
  json.member("kind", run.kind).member("nodes", run.nodes).member("ranks", run.ranks);
  json.member("locations", run.locations).member("date", run.date).name("wall_seconds");
  run.wall_seconds ? json.add(*run.wall_seconds) : json.add_null();
  json.name("parameters").begin_object();
  for (const auto& [name, value] : run.parameters) json.member(name, value);
  json.end().name("tags").begin_array();
  for (const std::string& tag : run.tags) json.add(tag);
  json.end().member("machine", run.machine).member("creator", run.creator).member("command", run.command);
  json.member("source", run.source).member("incomplete", run.incomplete).member("flags", run.flags);
  json.member("modules", run.modules).member("added", run.added).member("report_bytes", run.report_bytes);
  json.member("key", run.key).end();
}

Status print_text(std::string_view text) {
  errno = 0;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (is_written || is_reader_gone(STDOUT_FILENO)) return {};
  return Error{"standard output", system_error(), "results are incomplete"};
}

}  // namespace tarry
