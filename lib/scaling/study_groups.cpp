// study_groups.cpp -- which runs of a store belong together, as one scaling study.
#include "scaling/study_groups.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "archive/files/provenance.hpp"
#include "base/text/format.hpp"
#include "store/run_facts.hpp"
#include "store/run_filter.hpp"

namespace tarry {
namespace {

// What runs of a study have in common: names of facts with their values. A parameter that is a number has none: it may
// vary, but all runs must have it.
using CommonFacts = std::map<std::string, std::string>;

bool is_size(const std::string& value) {
  const auto number = parameter_number(value);
  return number && *number > 0;
}

CommonFacts common_facts(const StoredRun& run) {
  CommonFacts facts = {{"program", run.program}, {"kind", run.kind}};
  for (const auto& [name, value] : run.parameters) facts["param." + name] = is_size(value) ? "" : value;
  return facts;
}

// Empty if no quotes go around it.
std::string quoted(const std::string& value) {
  for (const char quote : {'"', '\''})
    if (value.find(quote) == std::string::npos) return quote + value + quote;
  return "";
}

class Grouping {
 public:
  Grouping(const std::vector<StoredRun>& runs, const std::string& where) : runs_(runs), where_(where) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      CommonFacts facts = common_facts(runs[i]);
      for (const auto& [name, value] : facts) values_[name].insert(value);
      members_[std::move(facts)].push_back(i);
    }
    for (auto& [name, values] : values_) {
      const auto has = [&](const auto& group) { return group.first.contains(name); };
      is_common_[name] = values.size() == 1 && std::all_of(members_.begin(), members_.end(), has);
    }
  }

  std::vector<StudyGroup> groups() const {
    std::vector<StudyGroup> groups;
    for (const auto& [facts, members] : members_) groups.push_back(group_of(facts, members));
    std::stable_sort(groups.begin(), groups.end(),
                     [](const StudyGroup& left, const StudyGroup& right) { return left.count > right.count; });
    return groups;
  }

 private:
  StudyGroup group_of(const CommonFacts& facts, const std::vector<std::size_t>& members) const {
    StudyGroup group{.title = title_of(facts), .where = conditions(facts), .runs = {}, .count = members.size()};
    if (are_chosen(members, group.where)) return group;
    group.where = where_;
    for (const std::size_t member : members) group.runs.push_back(std::to_string(runs_[member].id));
    return group;
  }

  std::string title_of(const CommonFacts& facts) const {
    std::string title = facts.at("program");
    for (const auto& [name, value] : facts) {
      if (name == "program" || is_common_.at(name)) continue;
      if (name == "kind") title += ", " + value;
      else title += ", " + name.substr(name.find('.') + 1) + (value.empty() ? "" : "=" + value);
    }
    return title;
  }

  std::string conditions(const CommonFacts& facts) const {
    std::string text = where_;
    const auto add = [&](const std::string& condition) { text += (text.empty() ? "" : " and ") + condition; };
    for (const auto& [name, value] : facts) {
      if (is_common_.at(name)) continue;
      add(value.empty() ? name + " > 0" : name + " = " + quoted(value));
    }
    return text;
  }

  bool are_chosen(const std::vector<std::size_t>& members, const std::string& where) const {
    const auto filter = RunFilter::parse(where);
    if (!filter.ok()) return false;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (filter.value().accepts(runs_[i])) chosen.push_back(i);
    return chosen == members;
  }

  const std::vector<StoredRun>& runs_;
  const std::string& where_;
  std::map<CommonFacts, std::vector<std::size_t>> members_;
  std::map<std::string, std::set<std::string>> values_;
  std::map<std::string, bool> is_common_;  // all runs have it, with the same value
};

}  // namespace

std::vector<StudyGroup> group_runs(const std::vector<StoredRun>& runs, const std::string& where) {
  return Grouping(runs, where).groups();
}

std::string command_of(const StudyGroup& group, const ScaleOptions& options) {
  std::vector<std::string> words = {"tarry", "scale", "--store", options.store};
  if (!group.where.empty()) words.insert(words.end(), {"--where", group.where});
  for (const std::string& metric : options.metrics) words.insert(words.end(), {"--metric", metric});
  std::string places;
  for (const auto& [name, value] : options.at)
    places += (places.empty() ? "" : ",") + (name.empty() ? "" : name + "=") + format_number(value, "%.17g");
  if (!places.empty()) words.insert(words.end(), {"--at", places});
  words.insert(words.end(), group.runs.begin(), group.runs.end());
  return join_command(words);
}

}  // namespace tarry
