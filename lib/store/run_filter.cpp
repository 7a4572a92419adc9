// run_filter.cpp -- which runs of a store a user means.
#include "store/run_filter.hpp"

#include <algorithm>

#include "base/text/glob.hpp"
#include "base/text/text.hpp"
#include "store/run_facts.hpp"

namespace tarry {

class RunFilter::Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  Result<RunFilter> parse() {
    RunFilter filter;
    skip_blanks();
    while (at_ < text_.size()) {
      Condition condition;
      condition.name = word(" \t=!<>~,");
      skip_blanks();
      if (condition.name.empty() || !read_comparison(condition.comparison)) return wrong();
      skip_blanks();
      if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
        if (!read_quoted(condition.value)) return wrong();
      } else {
        condition.value = word(" \t,");
        if (condition.value.empty()) return wrong();
      }
      filter.conditions_.push_back(std::move(condition));
      if (!read_joint()) return wrong();
    }
    return filter;
  }

 private:
  Error wrong() const {
    return {"--where '" + text_ + "'", "is not NAME OPERATOR VALUE, joined by 'and'",
            "for example: \"program = cg and n >= 512\""};
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  std::string word(std::string_view ends) {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(ends, at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  bool read_comparison(Comparison& comparison) {
    static constexpr std::pair<std::string_view, Comparison> kComparisons[] = {
        {"==", Comparison::kEqual},   {"!=", Comparison::kUnequal}, {"<=", Comparison::kAtMost},
        {">=", Comparison::kAtLeast}, {"=", Comparison::kEqual},    {"<", Comparison::kLess},
        {">", Comparison::kMore},     {"~", Comparison::kMatches}};
    for (const auto& [sign, meaning] : kComparisons) {
      if (text_.compare(at_, sign.size(), sign) != 0) continue;
      at_ += sign.size();
      comparison = meaning;
      return true;
    }
    return false;
  }

  bool read_quoted(std::string& value) {
    const char quote = text_[at_++];
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string::npos) return false;
    value = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  // "and" or a comma, and then there must be more; or the end.
  bool read_joint() {
    skip_blanks();
    if (at_ == text_.size()) return true;
    if (text_[at_] == ',') {
      ++at_;
    } else {
      const std::string joint = plain_name(word(" \t"));
      if (joint != "and") return false;
    }
    skip_blanks();
    return at_ < text_.size();
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

Result<RunFilter> RunFilter::parse(const std::string& text) { return Parser(text).parse(); }

bool RunFilter::holds(const Condition& condition, const std::string& value) {
  if (condition.comparison == Comparison::kMatches) return matches_glob(condition.value, value);
  const auto left = parameter_number(value), right = parameter_number(condition.value);
  const int order = left && right ? (*left > *right) - (*left < *right) : value.compare(condition.value);
  switch (condition.comparison) {
    case Comparison::kEqual: return order == 0;
    case Comparison::kUnequal: return order != 0;
    case Comparison::kLess: return order < 0;
    case Comparison::kAtMost: return order <= 0;
    case Comparison::kMore: return order > 0;
    case Comparison::kAtLeast: return order >= 0;
    case Comparison::kMatches: break;
  }
  return false;
}

bool RunFilter::is_met(const Condition& condition, const StoredRun& run) {
  if (condition.name == "tag") {
    const auto is_it = [&](const std::string& tag) {
      Condition equal = condition;
      if (equal.comparison == Comparison::kUnequal) equal.comparison = Comparison::kEqual;
      return holds(equal, tag);
    };
    const bool has = std::any_of(run.tags.begin(), run.tags.end(), is_it);
    return has == (condition.comparison != Comparison::kUnequal);
  }
  const std::optional<std::string> fact = fact_of(run, condition.name);
  return fact && holds(condition, *fact);
}

bool RunFilter::accepts(const StoredRun& run) const {
  return std::all_of(conditions_.begin(), conditions_.end(),
                     [&](const Condition& condition) { return is_met(condition, run); });
}

}  // namespace tarry
