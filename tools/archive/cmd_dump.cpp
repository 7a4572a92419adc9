// cmd_dump.cpp -- tarry archive dump: one event per line, the same for every reader (docs/FORMAT.md, "Dumps").
#include <cerrno>
#include <cinttypes>
#include <cstdio>

#include "archive/archive_source.hpp"
#include "base/cli.hpp"
#include "base/file.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "commands.hpp"

namespace tarry {
namespace {

// "text" with what is not printable, quotes and backslashes escaped.
void append_quoted(std::string& line, std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  line.append("\"").append(printable(quoted)).push_back('"');
}

class Dumper {
 public:
  explicit Dumper(const Definitions& definitions) : all_(definitions) {}

  std::string prefix(const Location& location) const {
    return std::to_string(all_.processes[location.process.value].rank) + " " + std::to_string(location.thread) + " ";
  }

  void append(std::string& out, const std::string& prefix, const Event& event) const {
    const EventKindInfo& info = info_of(event.kind);
    const auto since = static_cast<std::int64_t>(static_cast<std::uint64_t>(event.time) -
                                                 static_cast<std::uint64_t>(all_.clock.origin));
    char time[64];
    std::snprintf(time, sizeof time, "%.9f", static_cast<double>(since) / all_.clock.ticks_per_second);
    out.append(prefix).append(time).append(" ").append(info.name);
    if (event.kind == EventKind::kMetric) return append_metric(out, event);
    for (int i = 0; i < info.field_count; ++i) append_field(out, info.fields[i], event.fields[i]);
    out.push_back('\n');
  }

 private:
  void append_metric(std::string& out, const Event& event) const {
    append_field(out, info_of(event.kind).fields[0], event.fields[0]);
    out.append(" value=").append(counter_text(all_.counters[event.fields[0]].type, event.fields[1])).push_back('\n');
  }

  void append_field(std::string& out, const FieldInfo& field, std::uint64_t value) const {
    out.append(" ").append(field.name).append("=");
    if (field.is_optional && value == kNoField) {
      out.push_back('-');
      return;
    }
    out += std::to_string(value);
    const auto name = name_of_value(field, value);
    if (!name) return;
    out.push_back(':');
    append_quoted(out, *name);
  }

  std::optional<std::string_view> name_of_value(const FieldInfo& field, std::uint64_t value) const {
    if (field.meaning == FieldMeaning::kRegion) return all_.region_name(RegionId(value));
    if (field.meaning == FieldMeaning::kComm) return all_.text(all_.comms[value].name);
    if (field.meaning == FieldMeaning::kWindow) return all_.text(all_.windows[value].name);
    if (field.meaning == FieldMeaning::kIoHandle) return all_.text(all_.io_handles[value].name);
    if (field.meaning == FieldMeaning::kCounter) return all_.text(all_.counters[value].name);
    if (field.name != "operation" || value > 0xff) return std::nullopt;
    const std::string_view name = tarry::name_of(static_cast<CollectiveOp>(value));
    return name.empty() ? std::nullopt : std::optional(name);
  }

  const Definitions& all_;
};

Status write_out(std::string& text) {
  errno = 0;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  text.clear();
  if (is_written) return {};
  return Error{"standard output", errno ? system_error() : "write failed", "results are incomplete"};
}

}  // namespace

Result<int> dump_events(const std::string& path, const DumpOptions& options) {
  TARRY_TRY_ASSIGN(source, ArchiveSource::open(path, {}));
  const Definitions& all = source->definitions();
  const Dumper dumper(all);
  std::string text;
  bool is_any = false;
  for (std::size_t i = 0; i < all.locations.size(); ++i) {
    const Location& location = all.locations[i];
    if (options.rank && all.processes[location.process.value].rank != *options.rank) continue;
    if (options.thread && location.thread != *options.thread) continue;
    is_any = true;
    const std::string prefix = dumper.prefix(location);
    const auto reader = source->open(LocationId(i));
    for (auto block = reader->next(); !block.empty(); block = reader->next()) {
      for (const Event& event : block) dumper.append(text, prefix, event);
      TARRY_TRY(write_out(text));
    }
  }
  if (!is_any) return Error{path, "has no such rank or thread", "'tarry archive info' tells how many there are"};
  if (source->faults().total() > 0) log_warning(source->faults().summary());
  return kExitDone;
}

}  // namespace tarry
