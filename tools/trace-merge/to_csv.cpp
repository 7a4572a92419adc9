// to_csv.cpp -- events as lines of text in order of time: CSV (RFC 4180) and JSON Lines.
#include <string_view>

#include "base/csv.hpp"
#include "base/json.hpp"
#include "convert.hpp"
#include "text_pipeline.hpp"

namespace tarry {
namespace {

/// Every name as it is in the output, made once.
class Names {
 public:
  Names(const Definitions& all, std::string (*quote)(std::string_view)) {
    for (const Region& region : all.regions) regions_.push_back(quote(all.text(region.name)));
    for (const Communicator& comm : all.comms) comms_.push_back(quote(all.text(comm.name)));
    for (const IoHandle& handle : all.io_handles) io_handles_.push_back(quote(all.text(handle.name)));
    for (const Counter& counter : all.counters) {
      counters_.push_back(quote(all.text(counter.name)));
      types_.push_back(counter.type);
    }
    for (const Window& window : all.windows) windows_.push_back(quote(all.text(window.name)));
    for (int op = 0; op <= static_cast<int>(CollectiveOp::kDestroyHandleAndDeallocate); ++op)
      operations_.push_back(quote(name_of(static_cast<CollectiveOp>(op))));
  }

  /// The value of a METRIC as its counter counts.
  std::string value_of_metric(const Event& event) const {
    return counter_text(types_[event.fields[0]], event.fields[1]);
  }

  /// Null if the field's value is a number.
  const std::string* find(const FieldInfo& field, std::uint64_t value) const {
    switch (field.meaning) {
      case FieldMeaning::kRegion: return &regions_[value];
      case FieldMeaning::kComm: return &comms_[value];
      case FieldMeaning::kWindow: return &windows_[value];
      case FieldMeaning::kIoHandle: return &io_handles_[value];
      case FieldMeaning::kCounter: return &counters_[value];
      case FieldMeaning::kGroup:
      case FieldMeaning::kPlain: break;
    }
    return field.name == "operation" && value < operations_.size() ? &operations_[value] : nullptr;
  }

 private:
  std::vector<std::string> regions_, comms_, windows_, io_handles_, counters_, operations_;
  std::vector<CounterType> types_;
};

/// ",rank,thread," of each location.
template <class Make>
std::vector<std::string> per_location(const Definitions& all, Make make) {
  std::vector<std::string> texts;
  for (const Location& location : all.locations)
    texts.push_back(make(std::to_string(all.processes[location.process.value].rank), std::to_string(location.thread)));
  return texts;
}

constexpr char kCsvHeader[] = "time,rank,thread,kind,region,comm,window,fields\n";

class CsvFormat {
 public:
  CsvFormat(const Definitions& all, bool is_for_spreadsheets)
      : time_of_(all.clock),
        names_(all, is_for_spreadsheets ? csv_field_for_spreadsheets : csv_field),
        plain_names_(all, [](std::string_view text) { return std::string(text); }),
        places_(per_location(
            all, [](const std::string& rank, const std::string& thread) { return "," + rank + "," + thread + ","; })) {}

  void append(const TimelineBlock& block, std::string& text) const {
    for (std::size_t i = 0; i < block.events.size(); ++i) append(block.events[i], places_[block.locations[i]], text);
  }

 private:
  void append(const Event& event, const std::string& place, std::string& text) const {
    const EventKindInfo& info = info_of(event.kind);
    append_seconds(text, time_of_(event.time));
    text.append(place).append(info.name);
    const std::string* columns[3] = {nullptr, nullptr, nullptr};
    for (int i = 0; i < info.field_count; ++i)
      if (const int column = column_of(info.fields[i].meaning); column >= 0 && !is_absent(info, event, i))
        columns[column] = names_.find(info.fields[i], event.fields[i]);
    for (const std::string* column : columns) {
      text += ',';
      if (column) text += *column;
    }
    text += ',';
    const std::size_t begin = text.size();
    append_others(info, event, text);
    if (text.find_first_of(",\"\r\n", begin) != text.npos)
      text.replace(begin, text.npos, csv_field(std::string_view(text).substr(begin)));
    text += '\n';
  }

  /// "receiver=3 tag=0 bytes=8"
  void append_others(const EventKindInfo& info, const Event& event, std::string& text) const {
    bool is_first = true;
    for (int i = 0; i < info.field_count; ++i) {
      if (column_of(info.fields[i].meaning) >= 0 || is_absent(info, event, i)) continue;
      if (!is_first) text += ' ';
      is_first = false;
      text.append(info.fields[i].name).push_back('=');
      if (const std::string* name = plain_names_.find(info.fields[i], event.fields[i])) text += *name;
      else if (event.kind == EventKind::kMetric) text += names_.value_of_metric(event);
      else append_number(text, event.fields[i]);
    }
  }

  static bool is_absent(const EventKindInfo& info, const Event& event, int field) {
    return info.fields[field].is_optional && event.fields[field] == kNoField;
  }
  static int column_of(FieldMeaning meaning) {
    switch (meaning) {
      case FieldMeaning::kRegion: return 0;
      case FieldMeaning::kComm: return 1;
      case FieldMeaning::kWindow: return 2;
      case FieldMeaning::kGroup:
      case FieldMeaning::kIoHandle:
      case FieldMeaning::kCounter:
      case FieldMeaning::kPlain: break;
    }
    return -1;
  }

  NanosecondClock time_of_;
  Names names_, plain_names_;  // cells of their own, and parts of the last one
  std::vector<std::string> places_;
};

class JsonFormat {
 public:
  explicit JsonFormat(const Definitions& all)
      : time_of_(all.clock),
        names_(all, json_string),
        places_(per_location(all, [](const std::string& rank, const std::string& thread) {
          return ",\"rank\":" + rank + ",\"thread\":" + thread + ",\"kind\":\"";
        })) {}

  void append(const TimelineBlock& block, std::string& text) const {
    for (std::size_t i = 0; i < block.events.size(); ++i) append(block.events[i], places_[block.locations[i]], text);
  }

 private:
  void append(const Event& event, const std::string& place, std::string& text) const {
    const EventKindInfo& info = info_of(event.kind);
    text += "{\"time\":";
    append_seconds(text, time_of_(event.time));
    text.append(place).append(info.name).push_back('"');
    for (int i = 0; i < info.field_count; ++i) {
      if (info.fields[i].is_optional && event.fields[i] == kNoField) continue;
      text.append(",\"").append(info.fields[i].name).append("\":");
      if (const std::string* name = names_.find(info.fields[i], event.fields[i])) text += *name;
      else if (event.kind == EventKind::kMetric) text += names_.value_of_metric(event);
      else append_number(text, event.fields[i]);
    }
    text += "}\n";
  }

  NanosecondClock time_of_;
  Names names_;
  std::vector<std::string> places_;
};

}  // namespace

Status write_csv(Conversion& conversion) {
  const CsvFormat format(conversion.source.definitions(), conversion.options.is_for_spreadsheets);
  return write_text(conversion, kCsvHeader,
                    [&](const TimelineBlock& block, std::string& text) { format.append(block, text); });
}

Status write_jsonl(Conversion& conversion) {
  const JsonFormat format(conversion.source.definitions());
  return write_text(conversion, "", [&](const TimelineBlock& block, std::string& text) { format.append(block, text); });
}

}  // namespace tarry
