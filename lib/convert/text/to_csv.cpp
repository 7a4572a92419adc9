// to_csv.cpp -- events as lines of text in order of time: CSV (RFC 4180) and JSON Lines.
#include <concepts>
#include <string_view>

#include "base/text/csv.hpp"
#include "base/text/json.hpp"
#include "convert/convert.hpp"
#include "convert/text/text_pipeline.hpp"
#include "trace/record.hpp"

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

  /// Null if the field's value is a number.
  const std::string* find(RegionId id) const { return &regions_[id.value]; }
  const std::string* find(CommId id) const { return &comms_[id.value]; }
  const std::string* find(WindowId id) const { return &windows_[id.value]; }
  const std::string* find(IoHandleId id) const { return &io_handles_[id.value]; }
  const std::string* find(CounterId id) const { return &counters_[id.value]; }
  const std::string* find(CollectiveOp operation) const {
    const auto number = static_cast<std::size_t>(operation);
    return number < operations_.size() ? &operations_[number] : nullptr;
  }
  template <class Plain>
  const std::string* find(Plain) const {
    return nullptr;
  }

  /// A field's name or number; that of a METRIC as its counter counts.
  template <class Record, class Field>
  void append_value(std::string& text, const Record& record, Field field) const {
    if (const std::string* name = find(field)) text += *name;
    else if constexpr (std::same_as<Record, record::Metric>)
      text += counter_text(types_[record.metric.value], record.value);
    else append_number(text, bits_of_field(field, false));
  }

 private:
  std::vector<std::string> regions_, comms_, windows_, io_handles_, counters_, operations_;
  std::vector<CounterType> types_;
};

template <class Field>
bool is_absent(Field field, bool is_optional) {
  return is_optional && bits_of_field(field, true) == kNoField;
}

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
    append_seconds(text, time_of_(event.time));
    text.append(place).append(info_of(event.kind).name);
    visit_record(event, [&](const auto& record) { append_fields(record, text); });
    text += '\n';
  }

  template <class Record>
  void append_fields(const Record& record, std::string& text) const {
    const std::string* columns[3] = {nullptr, nullptr, nullptr};
    for_each_field(record, [&]<class Field>(Field field, auto is_optional, std::string_view) {
      if constexpr (kColumn<Field> >= 0)
        if (!is_absent(field, is_optional)) columns[kColumn<Field>] = names_.find(field);
    });
    for (const std::string* column : columns) {
      text += ',';
      if (column) text += *column;
    }
    text += ',';
    const std::size_t begin = text.size();
    append_others(record, text);
    if (text.find_first_of(",\"\r\n", begin) != text.npos)
      text.replace(begin, text.npos, csv_field(std::string_view(text).substr(begin)));
  }

  /// "receiver=3 tag=0 bytes=8"
  template <class Record>
  void append_others(const Record& record, std::string& text) const {
    bool is_first = true;
    for_each_field(record, [&]<class Field>(Field field, auto is_optional, std::string_view name) {
      if (kColumn<Field> >= 0 || is_absent(field, is_optional)) return;
      if (!is_first) text += ' ';
      is_first = false;
      text.append(name).push_back('=');
      plain_names_.append_value(text, record, field);
    });
  }

  template <class Field>
  static constexpr int kColumn = std::same_as<Field, RegionId>   ? 0
                                 : std::same_as<Field, CommId>   ? 1
                                 : std::same_as<Field, WindowId> ? 2
                                                                 : -1;

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
    text += "{\"time\":";
    append_seconds(text, time_of_(event.time));
    text.append(place).append(info_of(event.kind).name).push_back('"');
    visit_record(event, [&](const auto& record) {
      for_each_field(record, [&](auto field, auto is_optional, std::string_view name) {
        if (is_absent(field, is_optional)) return;
        text.append(",\"").append(name).append("\":");
        names_.append_value(text, record, field);
      });
    });
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
