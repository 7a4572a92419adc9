// write_page.cpp -- the page of one or more runs.
#include "write_page.hpp"

#include <filesystem>

#include "base/format.hpp"
#include "base/json.hpp"
#include "page_writer.hpp"
#include "run_writer.hpp"

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

void add_run(JsonWriter& out, const ExploredRun& run, const std::string& name, const RunBlocks& blocks,
             const std::vector<std::string>& damage) {
  out.begin_object().member("name", name).member("input", run.path()).name("blocks").begin_object();
  for (const auto& [what, block] : blocks.named) out.member(what, block);
  out.end();
  add_names(out, "values", blocks.values);
  out.name("damage").begin_array();
  for (const std::string& line : damage) out.add(line);
  out.end();
  add_kept(out, blocks.kept);
  out.end();
}

}  // namespace

Status write_page(const std::vector<std::unique_ptr<ExploredRun>>& runs, const PageTemplate& page,
                  const PageOptions& options) {
  const std::vector<std::string> names = run_names(runs);
  const std::string title = title_of(*runs[0]) + (runs.size() > 1 ? " and others" : "");
  return write_file_with(options.output, [&](const File& file) -> Status {
    PageWriter writer(file, output_name(options.output), page);
    TARRY_TRY(writer.begin(title));
    JsonWriter index;
    index.begin_object().member("format", "tarry-explorer").member("version", kPageVersion);
    index.member("tarry", TARRY_VERSION).member("title", title);
    index.member("redacted", options.is_redacted).member("command", options.command).name("runs").begin_array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      TARRY_TRY_ASSIGN(blocks, write_run(writer, *runs[i], i, options.source_path, options.timeline));
      add_run(index, *runs[i], names[i], blocks, runs[i]->values().damage());
    }
    index.end().end();
    TARRY_TRY(writer.add("index", index.take()));
    return writer.end();
  });
}

}  // namespace tarry
