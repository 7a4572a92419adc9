// overlays.cpp -- what a replay found, as intervals on the time lines of locations.
#include "convert/overlays.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text/csv.hpp"
#include "base/files/file.hpp"
#include "base/text/format.hpp"

namespace tarry {
namespace {

/// A table of 'tarry replay', which must have some columns.
Result<CsvTable> read_table(const std::string& path, std::initializer_list<const char*> columns) {
  TARRY_TRY_ASSIGN(bytes, read_file(path));
  if (bytes.empty()) return Error{path, "is no table of 'tarry replay'", "make it again"};
  CsvTable table = CsvTable::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  for (const char* name : columns)
    if (!table.has_column(name))
      return Error{path, std::string("has no column '") + name + "'", "make it again with 'tarry replay'"};
  return table;
}

/// 0 where there is no number.
double number_in(const CsvTable& table, std::size_t row, const char* column) {
  return table.number(row, column).value_or(0);
}

bool is_id(double number) { return number >= 0 && number < 4294967295.0; }

constexpr std::initializer_list<const char*> kInstanceColumns = {
    "metric",        "number",          "waiting",          "rank", "thread", "enter", "exit",
    "delaying_rank", "delaying_thread", "delaying_callpath"};

Ticks ticks_at(const Clock& clock, double seconds) {
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
    TARRY_TRY_ASSIGN(table, read_table(path, kInstanceColumns));
    for (std::size_t row = 0; row < table.size(); ++row) add_instance(table, row);
    return {};
  }

  Status read_path(const std::string& path) {
    TARRY_TRY_ASSIGN(table, read_table(path, {"begin", "end", "rank", "thread", "callpath"}));
    for (std::size_t row = 0; row < table.size(); ++row) {
      const LocationId location = find(table, row, "rank", "thread");
      if (!location.is_valid()) continue;
      overlays_.intervals.push_back({OverlayLayer::kCriticalPath, 0, location,
                                     ticks_at(all_.clock, number_in(table, row, "begin")),
                                     ticks_at(all_.clock, number_in(table, row, "end")), table.text(row, "callpath")});
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
  LocationId find(const CsvTable& table, std::size_t row, const char* rank, const char* thread) const {
    const auto at_rank = table.number(row, rank), at_thread = table.number(row, thread);
    if (!at_rank || !at_thread || !is_id(*at_rank) || !is_id(*at_thread)) return {};
    const auto found = locations_.find({static_cast<std::uint32_t>(*at_rank), static_cast<std::uint32_t>(*at_thread)});
    return found == locations_.end() ? LocationId() : LocationId(found->second);
  }

  /// The wait begins with the operation; who causes it is marked at the same time.
  void add_instance(const CsvTable& table, std::size_t row) {
    const LocationId location = find(table, row, "rank", "thread");
    if (!location.is_valid()) return;
    const std::string& metric = table.text(row, "metric");
    const auto known = std::find(overlays_.kinds.begin(), overlays_.kinds.end(), metric);
    const auto kind = static_cast<std::uint32_t>(known - overlays_.kinds.begin());
    if (known == overlays_.kinds.end()) overlays_.kinds.push_back(metric);
    const double enter = number_in(table, row, "enter"), waiting = number_in(table, row, "waiting");
    const Ticks begin = ticks_at(all_.clock, enter), end = ticks_at(all_.clock, enter + waiting);
    const std::string name = metric + " #" + table.text(row, "number") + ": " + format_seconds(waiting);
    const LocationId cause = find(table, row, "delaying_rank", "delaying_thread");
    std::string text = name;
    if (cause.is_valid())
      text += ", for rank " + table.text(row, "delaying_rank") + " in " + table.text(row, "delaying_callpath");
    overlays_.intervals.push_back({OverlayLayer::kWait, kind, location, begin, end, std::move(text)});
    if (cause.is_valid())
      overlays_.intervals.push_back(
          {OverlayLayer::kDelayCause, kind, cause, begin, end,
           "causes " + name + " of rank " + table.text(row, "rank") + ", in " + table.text(row, "delaying_callpath")});
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

Result<WaitContext> find_wait_context(const std::string& instances_file, const std::string& which, const Clock& clock) {
  if (instances_file.empty())
    return Error{"--around", "there is no table of waits", "make it with 'tarry replay --instances 10 ARCHIVE'"};
  const std::size_t mark = which.find('#');
  const std::string kind = which.substr(0, mark);
  const std::string number = mark == std::string::npos ? "1" : which.substr(mark + 1);
  TARRY_TRY_ASSIGN(table, read_table(instances_file, kInstanceColumns));
  std::string kinds;
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::string& metric = table.text(row, "metric");
    if (table.text(row, "number") == "1") kinds += (kinds.empty() ? "" : ", ") + metric;
    if (!is_kind(metric, kind) || table.text(row, "number") != number) continue;
    const double enter = number_in(table, row, "enter"), exit = number_in(table, row, "exit");
    const double margin = 2 * (exit - enter);
    return WaitContext{ticks_at(clock, std::max(enter - margin, 0.0)), ticks_at(clock, exit + margin)};
  }
  return Error{"'" + which + "'", "is not in " + instances_file, "it has " + (kinds.empty() ? "no waits" : kinds)};
}

}  // namespace tarry
