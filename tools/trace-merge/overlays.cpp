// overlays.cpp -- what a replay found, as intervals on the time lines of locations.
#include "overlays.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include "base/file.hpp"
#include "base/format.hpp"

namespace tarry {
namespace {

/// The rows of a CSV file (RFC 4180) by the names in its first line.
class Table {
 public:
  static Result<Table> read(const std::string& path) {
    TARRY_TRY_ASSIGN(bytes, read_file(path));
    Table table;
    std::vector<std::string> row(1);
    bool is_quoted = false;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const char c = static_cast<char>(bytes[i]);
      if (is_quoted && c == '"' && i + 1 < bytes.size() && bytes[i + 1] == '"')
        row.back().push_back(static_cast<char>(bytes[++i]));
      else if (c == '"')
        is_quoted = !is_quoted;
      else if (c == ',' && !is_quoted)
        row.emplace_back();
      else if (c == '\n' && !is_quoted)
        table.rows_.push_back(std::exchange(row, {""}));
      else if (c != '\r' || is_quoted)
        row.back().push_back(c);
    }
    if (table.rows_.empty()) return Error{path, "is no table of 'tarry replay'", "make it again"};
    for (std::size_t i = 0; i < table.rows_[0].size(); ++i) table.columns_.emplace(table.rows_[0][i], i);
    table.rows_.erase(table.rows_.begin());
    return table;
  }

  Status require(const std::string& path, std::initializer_list<const char*> names) const {
    for (const char* name : names)
      if (!columns_.contains(name))
        return Error{path, std::string("has no column '") + name + "'", "make it again with 'tarry replay'"};
    return {};
  }

  std::size_t size() const { return rows_.size(); }
  const std::string& text(std::size_t row, const char* column) const {
    static const std::string kNone;
    const std::size_t at = columns_.find(column)->second;
    return at < rows_[row].size() ? rows_[row][at] : kNone;
  }
  double number(std::size_t row, const char* column) const { return std::strtod(text(row, column).c_str(), nullptr); }

 private:
  std::map<std::string, std::size_t> columns_;
  std::vector<std::vector<std::string>> rows_;
};

constexpr std::initializer_list<const char*> kInstanceColumns = {
    "metric", "number", "waiting", "rank", "thread", "enter", "exit", "delaying_rank", "delaying_thread",
    "delaying_callpath"};

Ticks to_ticks(const Clock& clock, double seconds) {
  return clock.origin + static_cast<Ticks>(std::llround(seconds * clock.ticks_per_second));
}

/// Letters and digits in lower case.
std::string plain(const std::string& text) {
  std::string letters;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)))
      letters.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  return letters;
}

bool is_kind(const std::string& metric, const std::string& asked) {
  const std::string name = plain(metric), wanted = plain(asked);
  return name == wanted || (name.starts_with("mpi") && name.substr(3) == wanted) ||
         (name.starts_with("omp") && name.substr(3) == wanted);
}

class OverlayReader {
 public:
  explicit OverlayReader(const Definitions& all) : all_(all) {
    for (std::size_t i = 0; i < all.locations.size(); ++i)
      locations_.emplace(std::pair(all.processes[all.locations[i].process.value].rank, all.locations[i].thread), i);
  }

  Status read_instances(const std::string& path) {
    TARRY_TRY_ASSIGN(table, Table::read(path));
    TARRY_TRY(table.require(path, kInstanceColumns));
    for (std::size_t row = 0; row < table.size(); ++row) add_instance(table, row);
    return {};
  }

  Status read_path(const std::string& path) {
    TARRY_TRY_ASSIGN(table, Table::read(path));
    TARRY_TRY(table.require(path, {"begin", "end", "rank", "thread", "callpath"}));
    for (std::size_t row = 0; row < table.size(); ++row) {
      const LocationId location = find(table, row, "rank", "thread");
      if (!location.is_valid()) continue;
      overlays_.intervals.push_back({OverlayLayer::kCriticalPath, 0, location,
                                     to_ticks(all_.clock, table.number(row, "begin")),
                                     to_ticks(all_.clock, table.number(row, "end")), table.text(row, "callpath")});
    }
    return {};
  }

  Overlays take() {
    std::stable_sort(overlays_.intervals.begin(), overlays_.intervals.end(), [](auto& left, auto& right) {
      return std::tuple(left.begin, left.location) < std::tuple(right.begin, right.location);
    });
    return std::move(overlays_);
  }

 private:
  LocationId find(const Table& table, std::size_t row, const char* rank, const char* thread) const {
    if (table.text(row, rank).empty()) return {};
    const auto found = locations_.find({static_cast<std::uint32_t>(table.number(row, rank)),
                                        static_cast<std::uint32_t>(table.number(row, thread))});
    return found == locations_.end() ? LocationId() : LocationId(found->second);
  }

  /// The wait begins with the operation; who causes it is marked at the same time.
  void add_instance(const Table& table, std::size_t row) {
    const LocationId location = find(table, row, "rank", "thread");
    if (!location.is_valid()) return;
    const std::string& metric = table.text(row, "metric");
    const auto known = std::find(overlays_.kinds.begin(), overlays_.kinds.end(), metric);
    const auto kind = static_cast<std::uint32_t>(known - overlays_.kinds.begin());
    if (known == overlays_.kinds.end()) overlays_.kinds.push_back(metric);
    const double enter = table.number(row, "enter"), waiting = table.number(row, "waiting");
    const Ticks begin = to_ticks(all_.clock, enter), end = to_ticks(all_.clock, enter + waiting);
    const std::string name = metric + " #" + table.text(row, "number") + ": " + format_seconds(waiting);
    const LocationId cause = find(table, row, "delaying_rank", "delaying_thread");
    std::string text = name;
    if (cause.is_valid())
      text += ", for rank " + table.text(row, "delaying_rank") + " in " + table.text(row, "delaying_callpath");
    overlays_.intervals.push_back({OverlayLayer::kWait, kind, location, begin, end, std::move(text)});
    if (cause.is_valid())
      overlays_.intervals.push_back({OverlayLayer::kDelayCause, kind, cause, begin, end,
                                     "causes " + name + " of rank " + table.text(row, "rank") + ", in " +
                                         table.text(row, "delaying_callpath")});
  }

  const Definitions& all_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> locations_;  // by rank and thread
  Overlays overlays_;
};

}  // namespace

OverlayFiles find_overlay_files(const std::string& archive) {
  OverlayFiles files;
  if (const std::string path = archive + "/analysis-instances.csv"; path_exists(path)) files.instances = path;
  if (const std::string path = archive + "/critical-path.csv"; path_exists(path)) files.critical_path = path;
  return files;
}

Result<Overlays> read_overlays(const OverlayFiles& files, const Definitions& all) {
  OverlayReader reader(all);
  if (!files.instances.empty()) TARRY_TRY(reader.read_instances(files.instances));
  if (!files.critical_path.empty()) TARRY_TRY(reader.read_path(files.critical_path));
  return reader.take();
}

Result<WaitContext> find_wait_context(const std::string& instances_file, const std::string& which,
                                      const Clock& clock) {
  if (instances_file.empty())
    return Error{"--around", "there is no table of waits", "make it with 'tarry replay --instances 10 ARCHIVE'"};
  const std::size_t mark = which.find('#');
  const std::string kind = which.substr(0, mark);
  const std::string number = mark == std::string::npos ? "1" : which.substr(mark + 1);
  TARRY_TRY_ASSIGN(table, Table::read(instances_file));
  TARRY_TRY(table.require(instances_file, kInstanceColumns));
  std::string kinds;
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::string& metric = table.text(row, "metric");
    if (table.text(row, "number") == "1") kinds += (kinds.empty() ? "" : ", ") + metric;
    if (!is_kind(metric, kind) || table.text(row, "number") != number) continue;
    const double enter = table.number(row, "enter"), exit = table.number(row, "exit");
    const double margin = 2 * (exit - enter);
    return WaitContext{to_ticks(clock, std::max(enter - margin, 0.0)), to_ticks(clock, exit + margin)};
  }
  return Error{"'" + which + "'", "is not in " + instances_file, "it has " + (kinds.empty() ? "no waits" : kinds)};
}

}  // namespace tarry
