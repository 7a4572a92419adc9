// study_page.cpp -- the page of many runs.
#include "page/study/study_page.hpp"

#include <filesystem>
#include <map>
#include <set>

#include "archive/files/provenance.hpp"
#include "base/text/format.hpp"
#include "base/text/json.hpp"
#include "base/tool/log.hpp"
#include "page/blocks/efficiency_names.hpp"
#include "page/blocks/history_block.hpp"
#include "page/page_writer.hpp"
#include "report/metrics/metrics.hpp"
#include "scaling/study_groups.hpp"
#include "store/open_store.hpp"
#include "store/run_filter.hpp"
#include "page/study/stored_runs_block.hpp"
#include "page/study/study_block.hpp"

namespace tarry {
namespace {

constexpr int kStudyPageVersion = 1;
// The newest runs; older ones are left out, and the page says so.
constexpr std::size_t kMostStoredRuns = 10'000, kMostStudies = 12;
constexpr std::size_t kLongestStudyTitle = 200;

class StudyPage {
 public:
  StudyPage(PageWriter& writer, Database& database, const StudyPageOptions& options)
      : writer_(writer), database_(database), options_(options), where_(options.scale.where) {
    if (options_.is_redacted) shown_store_ = std::filesystem::path(options.scale.store).filename().string();
    else shown_store_ = options.scale.store;
  }

  Result<std::string> write(std::vector<StoredRun> runs, const std::string& title) {
    index_.begin_object().member("format", "tarry-explorer").member("version", kStudyPageVersion);
    index_.member("tarry", TARRY_VERSION).member("title", title).member("redacted", options_.is_redacted);
    index_.member("command", options_.command).name("runs").begin_array().end().name("store").begin_object();
    index_.member("name", shown_store_).member("scaling", options_.scale.scaling == Scaling::kWeak ? "weak" : "strong");
    leave_out_old(runs);
    TARRY_TRY(add_studies(runs));
    TARRY_TRY(add_histories());
    TARRY_TRY(add_runs(runs));
    TARRY_TRY(add_metrics());
    add_efficiency_names(index_);
    return index_.end().end().take();
  }

 private:
  // What is asked of the runs from now on means these.
  void leave_out_old(std::vector<StoredRun>& runs) {
    index_.member("runs_left_out", runs.size() - std::min(runs.size(), kMostStoredRuns));
    if (runs.size() > kMostStoredRuns) {
      runs.erase(runs.begin(), runs.end() - static_cast<std::ptrdiff_t>(kMostStoredRuns));
      where_ += (where_.empty() ? "" : " and ") + std::string("run >= ") + std::to_string(runs[0].id);
    }
    index_.member("where", where_);
  }

  Status add_runs(std::vector<StoredRun>& runs) {
    for (StoredRun& run : runs) {
      if (options_.is_redacted) redact(run);
      shorten_texts(run);
    }
    TARRY_TRY_ASSIGN(block, stored_runs_block(database_, runs));
    index_.name("runs").begin_object().member("block", "runs").member("count", runs.size());
    index_.member("command", command({"store", "list"})).end();
    return writer_.add("runs", block);
  }

  Status add_studies(const std::vector<StoredRun>& runs) {
    const std::vector<StudyGroup> groups = group_runs(runs, where_);
    const std::size_t kept = std::min(groups.size(), kMostStudies);
    index_.name("studies").begin_array(JsonWriter::Layout::kLines);
    for (std::size_t i = 0; i < kept; ++i) TARRY_TRY(add_study_of(groups[i], "s" + std::to_string(i) + ".study"));
    index_.end().member("studies_left_out", groups.size() - kept);
    return {};
  }

  // A study that cannot be made is a note in the page.
  Status add_study_of(const StudyGroup& group, const std::string& name) {
    ScaleOptions options = options_.scale;
    options.where = group.where;
    options.runs = group.runs;
    const auto block = study_block(options);
    options.store = shown_store_;
    index_.begin_object().member("title", shorten_end(group.title, kLongestStudyTitle)).member("count", group.count);
    index_.member("command", command_of(group, options));
    if (block.ok()) {
      index_.member("block", name);
      TARRY_TRY(writer_.add(name, block.value()));
    } else {
      index_.member("why", block.error().text());
      log_detail("the page has no study of " + group.title + ": " + block.error().text());
    }
    index_.end();
    return {};
  }

  Status add_histories() {
    TARRY_TRY_ASSIGN(metrics, metrics_with_history(database_, options_.scale.metrics));
    index_.name("histories").begin_array(JsonWriter::Layout::kLines);
    for (const std::string& metric : metrics) {
      TARRY_TRY_ASSIGN(block, history_block(database_, metric, where_));
      if (block.histories == 0) continue;
      const std::string name = "h" + std::to_string(histories_++) + ".history";
      TARRY_TRY(writer_.add(name, block.json));
      index_.begin_object().member("metric", metric).member("block", name).member("steps", block.steps);
      index_.member("count", block.histories).member("left_out", block.left_out);
      index_.member("command", command({"history", metric})).end();
    }
    index_.end();
    return {};
  }

  // Titles and units of metrics that the page may show.
  Status add_metrics() {
    std::set<std::string> wanted(options_.scale.metrics.begin(), options_.scale.metrics.end());
    for (const Metric metric : catalogue()) wanted.insert(info_of(metric).unique_name);
    std::map<std::string, std::pair<std::string, std::string>> found;
    TARRY_TRY(database_.query("SELECT name, display_name, unit FROM metric ORDER BY id", {},
                              [&](const SqlRow& row) -> Status {
                                const std::string name(row.text(0));
                                if (wanted.contains(name)) found.emplace(name, std::pair(row.text(1), row.text(2)));
                                return {};
                              }));
    index_.name("metrics").begin_object();
    for (const auto& [name, facts] : found) {
      index_.name(name).begin_object().member("title", shorten_end(facts.first, kLongestStudyTitle));
      index_.member("unit", shorten_end(facts.second, kLongestStudyTitle)).end();
    }
    index_.end();
    return {};
  }

  std::string command(const std::vector<std::string>& what) const {
    std::vector<std::string> words = {"tarry"};
    words.insert(words.end(), what.begin(), what.end());
    words.insert(words.end(), {"--store", shown_store_});
    if (!where_.empty()) words.insert(words.end(), {"--where", where_});
    return join_command(words);
  }

  PageWriter& writer_;
  Database& database_;
  const StudyPageOptions& options_;
  std::string where_, shown_store_;
  std::size_t histories_ = 0;
  JsonWriter index_;
};

std::string title_of_runs(const std::vector<StoredRun>& runs) {
  const auto is_other = [&](const StoredRun& run) { return run.program != runs[0].program; };
  const bool has_others = std::any_of(runs.begin(), runs.end(), is_other);
  const std::string program = shorten_end(runs[0].program, kLongestStudyTitle / 2);
  return format_count(runs.size(), "run") + " of " + program + (has_others ? " and others" : "");
}

}  // namespace

Status write_study_page(const PageTemplate& page, const StudyPageOptions& options) {
  TARRY_TRY_ASSIGN(filter, RunFilter::parse(options.scale.where));
  TARRY_TRY_ASSIGN(database, open_store(options.scale.store, StoreAccess::kRead));
  TARRY_TRY_ASSIGN(runs, find_runs(*database, &filter));
  if (runs.empty())
    return Error{options.scale.store, options.scale.where.empty() ? "holds no run" : "has no such run",
                 options.scale.where.empty() ? "'tarry store add' puts runs into it" : "see 'tarry store list'"};
  return write_file_with(options.output, [&](const File& file) -> Status {
    PageWriter writer(file, output_name(options.output), page);
    const std::string title = title_of_runs(runs);
    TARRY_TRY(writer.begin(title));
    TARRY_TRY_ASSIGN(index, StudyPage(writer, *database, options).write(runs, title));
    TARRY_TRY(writer.add("index", index));
    return writer.end();
  });
}

}  // namespace tarry
