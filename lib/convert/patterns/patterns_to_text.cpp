// patterns_to_text.cpp -- patterns as lines of text in order of time: CSV and JSON Lines with the same fields.
#include <string_view>

#include "base/text/csv.hpp"
#include "base/text/json.hpp"
#include "base/text/text.hpp"
#include "convert/patterns/analysed_patterns.hpp"
#include "convert/text/text_pipeline.hpp"

namespace tarry {
namespace {

constexpr std::size_t kLinesAtOnce = 1 << 20;  // bytes

// One field after the other; what is not known has no value.
class CsvLine {
 public:
  CsvLine(std::string& text, bool is_for_spreadsheets)
      : text_(text), quote_(is_for_spreadsheets ? csv_field_for_spreadsheets : csv_field) {}

  void raw(std::string_view, std::string_view value) { (begin(), text_ += value); }
  void name(std::string_view, std::string_view value) { (begin(), text_ += quote_(value)); }
  void none(std::string_view) { begin(); }
  void end() { text_ += '\n'; }

 private:
  void begin() {
    if (!is_first_) text_ += ',';
    is_first_ = false;
  }

  std::string& text_;
  std::string (*quote_)(std::string_view);
  bool is_first_ = true;
};

class JsonLine {
 public:
  explicit JsonLine(std::string& text) : text_(text) { text_ += '{'; }

  void raw(std::string_view field, std::string_view value) { (begin(field), text_ += value); }
  void name(std::string_view field, std::string_view value) { (begin(field), text_ += json_string(value)); }
  void none(std::string_view) {}
  void end() { text_ += "}\n"; }

 private:
  void begin(std::string_view field) {
    if (text_.back() != '{') text_ += ',';
    text_.append("\"").append(field).append("\":");
  }

  std::string& text_;
};

class PatternLines {
 public:
  explicit PatternLines(const AnalysedPatterns& patterns)
      : patterns_(patterns), time_of_(patterns.definitions().clock) {}

  template <class Line>
  void append(PatternNumber number, Line line) const {
    const PatternEvent& event = patterns_.events().all[number];
    line.raw("number", std::to_string(number.value));
    line.name("layer", name_of(event.layer));
    line.name("pattern", info_of(event.metric).unique_name);
    const PatternPlace place = patterns_.place_of(event.location);
    line.raw("rank", std::to_string(place.rank));
    line.raw("thread", std::to_string(place.thread));
    line.raw("begin", time_text(event.begin));
    line.raw("end", time_text(event.end));
    line.raw("severity", exact_number(patterns_.seconds(event.severity)));
    add_path(line, "callpath", event.path);
    add_cause(line, event);
    add_number(line, "delay", event.delay);
    add_number(line, "through", event.through);
    if (event.waits > 0) line.raw("waits", std::to_string(event.waits));
    else line.none("waits");
    if (*event.edge) line.name("edge", event.edge);
    else line.none("edge");
    line.end();
  }

 private:
  std::string time_text(Ticks time) const {
    std::string text;
    append_seconds(text, time_of_(time));
    return text;
  }

  template <class Line>
  void add_path(Line& line, std::string_view field, PathIndex path) const {
    if (path == kNoPath) line.none(field);
    else line.name(field, patterns_.text_of(path));
  }

  template <class Line>
  static void add_number(Line& line, std::string_view field, PatternNumber number) {
    if (number.is_valid()) line.raw(field, std::to_string(number.value));
    else line.none(field);
  }

  template <class Line>
  void add_cause(Line& line, const PatternEvent& event) const {
    const LocationId cause = patterns_.cause_of(event);
    if (cause.is_valid()) {
      const PatternPlace place = patterns_.place_of(cause);
      line.raw("delaying_rank", std::to_string(place.rank));
      line.raw("delaying_thread", std::to_string(place.thread));
    } else {
      line.none("delaying_rank");
      line.none("delaying_thread");
    }
    add_path(line, "delaying_callpath", cause.is_valid() ? event.wait->delay_path : kNoPath);
    add_path(line, "delaying_operation", cause.is_valid() ? event.wait->cause.path : kNoPath);
  }

  const AnalysedPatterns& patterns_;
  NanosecondClock time_of_;
};

constexpr char kPatternHeader[] =
    "number,layer,pattern,rank,thread,begin,end,severity,callpath,delaying_rank,delaying_thread,delaying_callpath,"
    "delaying_operation,delay,through,waits,edge\n";

// `append(number, text)` adds a line.
template <class Append>
Status write_lines(Conversion& conversion, const AnalysedPatterns& patterns, std::string text, Append append) {
  const std::string path = output_name(conversion.options.output);
  return write_file_with(conversion.options.output, [&](const File& file) -> Status {
    for (const PatternNumber number : patterns.events().all.ids()) {
      append(number, text);
      if (text.size() < kLinesAtOnce) continue;
      TARRY_TRY(write_all(file, text.data(), text.size(), path));
      text.clear();
    }
    return write_all(file, text.data(), text.size(), path);
  });
}

}  // namespace

Status write_patterns_as_csv(Conversion& conversion, const AnalysedPatterns& patterns) {
  const PatternLines lines(patterns);
  return write_lines(conversion, patterns, kPatternHeader, [&](PatternNumber number, std::string& text) {
    lines.append(number, CsvLine(text, conversion.options.is_for_spreadsheets));
  });
}

Status write_patterns_as_jsonl(Conversion& conversion, const AnalysedPatterns& patterns) {
  const PatternLines lines(patterns);
  return write_lines(conversion, patterns, "",
                     [&](PatternNumber number, std::string& text) { lines.append(number, JsonLine(text)); });
}

}  // namespace tarry
