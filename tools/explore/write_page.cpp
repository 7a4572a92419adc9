// write_page.cpp -- the page of one or more runs.
#include "write_page.hpp"

#include <filesystem>

#include "base/format.hpp"
#include "base/json.hpp"
#include "blocks.hpp"
#include "page_writer.hpp"

namespace tarry {
namespace {

constexpr int kPageVersion = 1;

// The names of the blocks of a run.
struct RunBlocks {
  std::vector<std::pair<std::string, std::string>> named;  // what it is, name
  std::vector<std::string> values;                         // by metric; empty: none
};

class RunWriter {
 public:
  RunWriter(PageWriter& page, ExploredRun& run, std::size_t number)
      : page_(page), run_(run), prefix_("r" + std::to_string(number) + ".") {}

  Result<RunBlocks> write() {
    TARRY_TRY(add("structure", structure_block(run_)));
    TARRY_TRY(add("totals", totals_block(run_)));
    TARRY_TRY_ASSIGN(matrix, matrix_block(run_));
    if (!matrix.empty()) TARRY_TRY(add("matrix", matrix));
    if (const std::string sources = sources_block(run_); !sources.empty()) TARRY_TRY(add("sources", sources));
    for (std::uint32_t metric = 0; metric < run_.metrics().size(); ++metric) TARRY_TRY(add_values(metric));
    return std::move(blocks_);
  }

 private:
  template <class Bytes>
  Status add(const std::string& what, const Bytes& bytes) {
    blocks_.named.emplace_back(what, prefix_ + what);
    return page_.add(prefix_ + what, bytes);
  }

  Status add_values(std::uint32_t metric) {
    const BlockBytes bytes = values_block(run_, metric);
    blocks_.values.push_back(bytes.empty() ? "" : prefix_ + "v" + std::to_string(metric));
    return bytes.empty() ? Status() : page_.add(blocks_.values.back(), bytes);
  }

  PageWriter& page_;
  ExploredRun& run_;
  std::string prefix_;
  RunBlocks blocks_;
};

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

void add_run(JsonWriter& out, const ExploredRun& run, const std::string& name, const RunBlocks& blocks,
             const std::vector<std::string>& damage) {
  out.begin_object().member("name", name).member("input", run.path()).name("blocks").begin_object();
  for (const auto& [what, block] : blocks.named) out.member(what, block);
  out.end().name("values").begin_array();
  for (const std::string& block : blocks.values) {
    if (block.empty()) out.add_null();
    else out.add(block);
  }
  out.end().name("damage").begin_array();
  for (const std::string& line : damage) out.add(line);
  out.end().name("kept").add_null().end();
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
      TARRY_TRY_ASSIGN(blocks, RunWriter(writer, *runs[i], i).write());
      add_run(index, *runs[i], names[i], blocks, runs[i]->values().damage());
    }
    index.end().end();
    TARRY_TRY(writer.add("index", index.take()));
    return writer.end();
  });
}

}  // namespace tarry
