// write_page.cpp -- the page of one or more runs.
#include "page/write_page.hpp"

#include <filesystem>

#include "base/text/format.hpp"
#include "base/text/json.hpp"
#include "base/tool/log.hpp"
#include "page/runs/difference.hpp"
#include "page/blocks/efficiency_block.hpp"
#include "page/blocks/efficiency_names.hpp"
#include "efficiency/efficiency_table.hpp"
#include "page/page_writer.hpp"
#include "page/runs/run_writer.hpp"

namespace tarry {
namespace {

constexpr int kPageVersion = 1;

// "run" for run, run/ and run.cubex.
std::string short_name(const std::string& input) {
  const std::filesystem::path path(input);
  const std::filesystem::path last = path.has_filename() ? path.filename() : path.parent_path().filename();
  const std::string name = last.extension() == ".cubex" ? last.stem().string() : last.string();
  return name.empty() ? input : name;
}

// Names that differ: the short ones if these do.
std::vector<std::string> run_names(const std::vector<std::unique_ptr<ExploredRun>>& runs) {
  std::vector<std::string> names;
  for (const auto& run : runs) names.push_back(short_name(run->input()));
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return names;
  for (std::size_t i = 0; i < runs.size(); ++i) names[i] = runs[i]->input();
  return names;
}

// "halo_exchange, 8 processes"
std::string title_of(const ExploredRun& run) {
  const ReportStructure& structure = run.structure();
  std::string title;
  if (!run.paths().empty()) title = structure.regions[structure.call_paths[run.paths()[0]].region].name + ", ";
  return title + format_count(structure.processes.size(), "process", "processes");
}

void add_names(JsonWriter& out, std::string_view member, const std::vector<std::string>& blocks) {
  out.name(member).begin_array();
  for (const std::string& block : blocks) {
    if (block.empty()) out.add_null();
    else out.add(block);
  }
  out.end();
}

void add_kept(JsonWriter& out, const std::optional<KeptBlocks>& kept) {
  out.name("kept");
  if (!kept) {
    out.add_null();
    return;
  }
  out.begin_object().member("reason", kept->reason).name("locations").begin_array();
  for (const std::uint32_t location : kept->locations) out.add(location);
  out.end().member("groups", kept->groups);
  add_names(out, "spread", kept->spread);
  out.end();
}

void add_texts(JsonWriter& out, std::string_view member, const std::vector<std::string>& texts) {
  out.name(member).begin_array();
  for (const std::string& text : texts) out.add(text);
  out.end();
}

void add_run(JsonWriter& out, const ExploredRun& run, const std::string& name, const RunBlocks& blocks,
             const std::vector<std::string>& damage) {
  out.begin_object().member("name", name).member("input", run.path());
  if (!run.trace().empty()) out.member("trace", run.input());  // it may be redacted
  if (run.report().empty()) out.member("is_difference", true);
  out.name("blocks").begin_object();
  for (const auto& [what, block] : blocks.named) out.member(what, block);
  out.end();
  add_names(out, "values", blocks.values);
  add_texts(out, "damage", damage);
  add_texts(out, "notes", blocks.notes);
  add_kept(out, blocks.kept);
  out.end();
}

using Runs = std::vector<std::unique_ptr<ExploredRun>>;

// The runs, and what is made of several.
class PageBlocks {
 public:
  PageBlocks(PageWriter& writer, const Runs& runs, const PageOptions& options)
      : writer_(writer), runs_(runs), options_(options) {}

  // Returns the index.
  Result<std::string> write(const std::string& title) {
    index_.begin_object().member("format", "tarry-explorer").member("version", kPageVersion);
    index_.member("tarry", TARRY_VERSION).member("title", title);
    index_.member("redacted", options_.is_redacted).member("command", options_.command).name("runs").begin_array();
    const std::vector<std::string> names = run_names(runs_);
    for (std::size_t i = 0; i < runs_.size(); ++i) TARRY_TRY(add(*runs_[i], i, names[i]));
    if (runs_.size() > 1) TARRY_TRY(add_difference());
    index_.end();
    if (runs_.size() > 1) index_.member("repeats", new_runs());
    TARRY_TRY(add_efficiencies());
    index_.end();
    return index_.take();
  }

 private:
  std::size_t new_runs() const { return std::min<std::size_t>(options_.repeats, runs_.size() - 1); }

  Status add(ExploredRun& run, std::size_t number, const std::string& name) {
    TARRY_TRY_ASSIGN(blocks, write_run(writer_, run, number, options_.source_path, options_.traced));
    add_run(index_, run, name, blocks, run.values().damage());
    if (!run.report().empty()) of_efficiency_.push_back({&run, blocks.has_short_trace, blocks.efficiency});
    return {};
  }

  Status add_difference() {
    RunSides sides;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      (i + new_runs() < runs_.size() ? sides.before : sides.now).push_back(runs_[i].get());
    const auto difference = difference_of(sides);
    if (difference.ok()) return add(*difference.value(), runs_.size(), "new minus old");
    log_warning("the page has no difference of the runs: " + difference.error().text());
    return {};
  }

  Status add_efficiencies() {
    const std::string block = efficiency_block(of_efficiency_, options_.traced.workers, options_.is_redacted);
    if (block.empty()) return {};
    index_.member("efficiency", "efficiency");
    add_efficiency_names(index_);
    return writer_.add("efficiency", block);
  }

  PageWriter& writer_;
  const Runs& runs_;
  const PageOptions& options_;
  JsonWriter index_;
  std::vector<RunOfEfficiency> of_efficiency_;
};

}  // namespace

Status write_page(const Runs& runs, const PageTemplate& page, const PageOptions& options) {
  const std::string title = title_of(*runs[0]) + (runs.size() > 1 ? " and others" : "");
  return write_file_with(options.output, [&](const File& file) -> Status {
    PageWriter writer(file, output_name(options.output), page);
    TARRY_TRY(writer.begin(title));
    TARRY_TRY_ASSIGN(index, PageBlocks(writer, runs, options).write(title));
    TARRY_TRY(writer.add("index", index));
    return writer.end();
  });
}

}  // namespace tarry
