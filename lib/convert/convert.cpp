// convert.cpp -- opens the input, hands it to the writer of the format that is asked for, and reports what was skipped.
#include "convert/convert.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <mutex>

#include "archive/archive.hpp"
#include "archive/reading/open_source.hpp"
#include "base/tool/cli.hpp"
#include "base/text/format.hpp"
#include "base/tool/log.hpp"
#include "base/processes/worker_pool.hpp"
#include "convert/patterns/analysed_patterns.hpp"
#include "trace/fingerprint.hpp"

namespace tarry {
namespace {

std::uint64_t expected_events(const Definitions& all) {
  std::uint64_t events = 0;
  for (const Location& location : all.locations) events += location.event_count;
  return events;
}

struct Format {
  const char* name;
  Status (*write)(Conversion&);
};

constexpr Format kFormats[] = {
    {"otf2", write_otf2}, {"paraver", write_paraver}, {"perfetto", write_perfetto},
    {"csv", write_csv},   {"jsonl", write_jsonl},     {"tarry", write_archive},
};

const Format* find_format(const std::string& name) {
  return std::find_if(std::begin(kFormats), std::end(kFormats),
                      [&](const Format& format) { return format.name == name; });
}

/// Prints how many events the trace has and their fingerprint.
Status print_fingerprint(Conversion& conversion) {
  Fingerprint total;
  std::mutex mutex;
  const FingerprintTables tables(conversion.source.definitions());
  TARRY_TRY(for_each_location(conversion, [&](LocationId location) -> Status {
    const auto reader = conversion.source.open(location);
    LocationFingerprint one(tables, location);
    for (auto block = reader->next(); !block.empty(); block = reader->next()) {
      one.add(block);
      conversion.progress.add(block.size());
    }
    const std::lock_guard lock(mutex);
    total += one.sum();
    return {};
  }));
  conversion.progress.wipe();
  std::printf("%s\n", total.text().c_str());
  return {};
}

Status write_output(Conversion& conversion) {
  const MergeOptions& options = conversion.options;
  if (options.prints_fingerprint) return print_fingerprint(conversion);
  if (!options.from.empty()) return write_archive(conversion);
  if (options.has_only_patterns) return write_patterns(conversion);
  return find_format(options.to)->write(conversion);
}

}  // namespace

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  return names;
}

Status for_each_location(Conversion& conversion, const std::function<Status(LocationId)>& job) {
  const std::size_t count = conversion.source.definitions().locations.size();
  Status first;
  std::mutex mutex;
  std::atomic<bool> is_failed = false;
  run_parallel(conversion.workers, count, [&](std::size_t i) {
    if (is_failed) return;
    Status outcome = job(LocationId(i));
    if (outcome.ok()) return;
    const std::lock_guard lock(mutex);
    if (!is_failed.exchange(true)) first = std::move(outcome);
  });
  return first;
}

namespace {

/// An output that is one file must not be the input.
Status check_output(const MergeOptions& options) {
  if (options.output.empty() || options.output == "-" || !is_input_file(options.input, options.output)) return {};
  return Error{options.output, "is what is to be converted", "name another file"};
}

/// Tables of a replay: those that the user names, else those in the archive.
OverlayFiles overlay_files(const MergeOptions& options) {
  OverlayFiles files = options.overlays;
  if (!is_archive(options.input)) return files;
  const OverlayFiles there = find_overlay_files(options.input);
  if (files.instances.empty()) files.instances = there.instances;
  if (files.critical_path.empty()) files.critical_path = there.critical_path;
  return files;
}

Result<Selection> selection_of(const MergeOptions& options, const OverlayFiles& files, const Definitions& all) {
  TARRY_TRY_ASSIGN(selection, read_selection(options.selection, all));
  if (options.around.empty()) return selection;
  TARRY_TRY_ASSIGN(context, find_wait_context(files.instances, options.around, all.clock));
  selection.begin = std::max(selection.begin, context.begin);
  selection.end = std::min(selection.end, context.end);
  return selection;
}

/// What lies outside the selection is left out, or cut.
void cut_overlays(const Selection& selection, const Definitions& all, Overlays& overlays) {
  std::erase_if(overlays.intervals, [&](OverlayInterval& each) {
    const std::uint32_t rank = all.processes[all.locations[each.location.value].process.value].rank;
    if (!selection.keeps_rank.empty() && !selection.keeps_rank[rank]) return true;
    each.begin = std::max(each.begin, selection.begin);
    each.end = std::min(each.end, selection.end);
    return each.begin > each.end;
  });
}

/// What was written: a file, a folder with all that is in it, or the three files of Paraver.
std::uint64_t bytes_of(const std::string& output) {
  namespace fs = std::filesystem;
  std::uint64_t bytes = 0;
  std::error_code ignored;
  const fs::path stem = fs::path(output).replace_extension();
  for (const char* suffix : {".prv", ".pcf", ".row"})
    if (fs::path(output).extension() == ".prv" && fs::is_regular_file(stem.string() + suffix, ignored))
      bytes += fs::file_size(stem.string() + suffix, ignored);
  if (bytes > 0) return bytes;
  if (fs::is_regular_file(output, ignored)) return fs::file_size(output, ignored);
  if (fs::is_directory(output, ignored))
    for (const auto& entry : fs::recursive_directory_iterator(output, ignored))
      if (entry.is_regular_file(ignored)) bytes += entry.file_size(ignored);
  return bytes;
}

}  // namespace

Result<int> run_merge(const MergeOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  TARRY_TRY(check_output(options));
  // No other format has regions that are called from a line.
  const bool keeps_call_sites = options.to == "tarry" || options.prints_fingerprint || options.has_only_patterns;
  TARRY_TRY_ASSIGN(whole, open_source(options.input, {.has_call_sites = keeps_call_sites}));
  if (!options.from.empty() && !is_otf2_anchor(options.input))
    return Error{options.input, "is no OTF2 trace", "name the trace's .otf2 file"};
  const OverlayFiles files = overlay_files(options);
  TARRY_TRY_ASSIGN(selection, selection_of(options, files, whole->definitions()));
  // Of patterns, a part is selected when the whole trace has been analysed.
  const auto source =
      std::make_unique<SelectedSource>(*whole, options.has_only_patterns ? Selection() : std::move(selection));
  Progress progress;
  Conversion conversion{options, *source, progress, options.workers ? options.workers : available_processors()};
  if (options.draws_overlays && !options.has_only_patterns) {
    TARRY_TRY_ASSIGN(overlays, read_overlays(files, source->definitions()));
    conversion.overlays = std::move(overlays);
    cut_overlays(source->selection(), source->definitions(), conversion.overlays);
  }
  progress.begin("converting", expected_events(source->definitions()));
  TARRY_TRY(write_output(conversion));
  progress.wipe();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (!options.prints_fingerprint && options.output != "-")
    log_info(options.output + ": " + format_count(bytes_of(options.output), "byte") + ", written in " +
             format_seconds(elapsed.count()));
  int status = kExitDone;
  if (!conversion.left_out.empty()) {
    log_warning(options.output + ": left out, for the format has no place for it: " + conversion.left_out);
    status = options.is_strict ? kExitFailed : kExitDone;
  }
  if (!conversion.left_out_patterns.empty())
    log_warning(options.output + ": left out, for --most is less: " + conversion.left_out_patterns);
  const std::string faults = source->faults().summary();
  if (faults.empty()) return status;
  log_warning(options.input + ": " + faults);
  return options.is_strict ? kExitFailed : status;
}

}  // namespace tarry
