// cmd_dump.cpp -- tarry archive dump: one event per line, the same for every reader (docs/FORMAT.md, "Dumps").
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <concepts>
#include <cstdio>
#include <iterator>

#include "archive/reading/archive_source.hpp"
#include "base/tool/cli.hpp"
#include "base/files/file.hpp"
#include "base/tool/log.hpp"
#include "base/text/printable.hpp"
#include "commands.hpp"
#include "trace/field_names.hpp"
#include "trace/record.hpp"

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

void append_seconds(std::string& out, double seconds) {
  char text[64];
  const auto end = std::to_chars(text, std::end(text), seconds, std::chars_format::fixed, 9).ptr;
  out.append(text, end);
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
    out.append(prefix);
    append_seconds(out, static_cast<double>(since) / all_.clock.ticks_per_second);
    out.append(" ").append(info.name);
    visit_record(event, [&](const auto& record) {
      for_each_field(record, [&](auto field, auto is_optional, std::string_view field_name) {
        out.append(" ").append(field_name).append("=");
        append_value(out, record, field, is_optional);
      });
    });
    out.push_back('\n');
  }

 private:
  template <class Record, class Field>
  void append_value(std::string& out, const Record& record, Field field, bool is_optional) const {
    const std::uint64_t value = bits_of_field(field, is_optional);
    if (is_optional && value == kNoField) {
      out.push_back('-');
      return;
    }
    if constexpr (std::same_as<Record, record::Metric> && !std::same_as<Field, CounterId>)
      out.append(counter_text(all_.counters[record.metric.value].type, value));
    else out += std::to_string(value);
    if (const auto name = name_in(all_, field)) {
      out.push_back(':');
      append_quoted(out, *name);
    }
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
