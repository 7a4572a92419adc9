// verdicts.cpp -- what moved or failed, for people, GitHub workflows and JUnit readers.
#include "findings/verdicts.hpp"

#include <algorithm>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "report/cubex/xml_scanner.hpp"

namespace tarry {
namespace {

// A workflow command ends at the line's end, and names have none; percent signs quote.
std::string for_workflow(const std::string& text, bool is_property) {
  std::string quoted;
  for (const char c : printable(text)) {
    if (c == '%') quoted += "%25";
    else if (c == ':' && is_property) quoted += "%3A";
    else if (c == ',' && is_property) quoted += "%2C";
    else quoted.push_back(c);
  }
  return quoted;
}

std::size_t failures_of(const std::vector<Verdict>& verdicts) {
  return static_cast<std::size_t>(
      std::count_if(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) { return verdict.has_failed; }));
}

std::string as_text(const std::vector<Verdict>& verdicts) {
  std::string text;
  for (const Verdict& verdict : verdicts)
    if (verdict.has_failed)
      add_line(text, pad_right(verdict.group, 16) + "  " + verdict.message + (verdict.name.empty() ? "" : "  ") +
                         verdict.name);
  return text;
}

std::string as_annotations(const std::vector<Verdict>& verdicts) {
  std::string text;
  for (const Verdict& verdict : verdicts)
    if (verdict.has_failed)
      add_line(text, "::error title=" + for_workflow(verdict.group + " moved", true) + "::" +
                         for_workflow((verdict.name.empty() ? "" : verdict.name + ": ") + verdict.message, false));
  return text;
}

// On one line: what a job prints may be searched for commands.
std::string xml_name(const std::string& text) { return encode_xml(printable(text)); }

std::string as_junit(const std::vector<Verdict>& verdicts, const std::string& suite) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"" + encode_xml(suite) +
                     "\" tests=\"" + std::to_string(verdicts.size()) + "\" failures=\"" +
                     std::to_string(failures_of(verdicts)) + "\">\n";
  for (const Verdict& verdict : verdicts) {
    const std::string name = verdict.name.empty() ? "all" : verdict.name;
    text += "<testcase classname=\"" + xml_name(verdict.group) + "\" name=\"" + xml_name(name) + "\"";
    text += verdict.has_failed ? "><failure message=\"" + xml_name(verdict.message) + "\"/></testcase>\n" : "/>\n";
  }
  return text + "</testsuite>\n";
}

}  // namespace

std::string verdicts_text(const std::vector<Verdict>& verdicts, const std::string& summary, const std::string& format,
                          const std::vector<std::string>& notices, const std::string& suite) {
  if (format == "junit") return as_junit(verdicts, suite);
  std::string text;
  for (const std::string& notice : notices)
    add_line(text, format == "github" ? "::notice title=structure::" + for_workflow(notice, false) : notice);
  return text + (format == "github" ? as_annotations(verdicts) : as_text(verdicts)) + summary + "\n";
}

int status_of(const std::vector<Verdict>& verdicts) { return failures_of(verdicts) ? 1 : 0; }

}  // namespace tarry
