// cmd_query.cpp -- tarry store query: SQL of the user's, which may only read.
#include "base/text/csv.hpp"
#include "base/text/json.hpp"
#include "base/text/printable.hpp"
#include "run_tables.hpp"
#include "store/content_key.hpp"
#include "store_commands.hpp"

namespace tarry {
namespace {

constexpr std::size_t kPrintedAtOnce = std::size_t{1} << 16;

// Prints an answer row by row.
class AnswerPrinter {
 public:
  AnswerPrinter(bool is_json, bool is_raw) : is_json_(is_json), is_raw_(is_raw) {}

  void begin(const std::vector<std::string>& names) {
    names_ = names;
    if (is_json_) return;
    for (const std::string& name : names) add_field(name);
    csv_.end_row();
  }

  Status row(const SqlRow& row) {
    if (is_json_) add_object(row);
    else add_line_of(row);
    return text_.size() < kPrintedAtOnce ? Status() : flush();
  }

  Status flush() {
    const std::string text = text_ + (is_json_ ? "" : csv_.take());
    text_.clear();
    csv_ = CsvWriter("");
    return print_text(text);
  }

 private:
  void add_object(const SqlRow& row) {
    JsonWriter json;
    json.begin_object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      json.name(names_[i]);
      if (row.is_null(i)) json.add_null();
      else if (row.is_number(i) && row.text(i).find_first_not_of("-0123456789") == std::string_view::npos)
        json.add(row.integer(i));
      else if (row.is_number(i)) json.add(row.real(i));
      else json.add(row.text(i));
    }
    text_ += json.end().take();
  }

  // JSON escapes by its own rules; CSV has none.
  void add_field(std::string_view text) { csv_.add(is_raw_ ? std::string(text) : printable(text)); }

  void add_line_of(const SqlRow& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row.is_null(i)) csv_.skip();
      else if (row.is_number(i) && row.text(i).find_first_not_of("-0123456789") != std::string_view::npos)
        csv_.add(row.real(i));
      else add_field(row.text(i));
    }
    csv_.end_row();
    text_ += csv_.take();
    csv_ = CsvWriter("");
  }

  bool is_json_, is_raw_;
  std::vector<std::string> names_;
  CsvWriter csv_{""};
  std::string text_;
};

}  // namespace

Result<int> query_store(const StoreOptions& options) {
  TARRY_TRY_ASSIGN(database, open_store_of(options, StoreAccess::kRead));
  AnswerPrinter printer(options.format == "json", options.is_raw);
  TARRY_TRY(database->query_foreign(
      options.sql, [&](const SqlRow& row) { return printer.row(row); },
      [&](const std::vector<std::string>& names) { printer.begin(names); }));
  TARRY_TRY(printer.flush());
  return 0;
}

}  // namespace tarry
