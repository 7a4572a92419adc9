// to_archive.cpp -- writes an archive, location after location: an import of OTF2, or one container in order of time.
#include <filesystem>
#include <functional>

#include "archive/archive.hpp"
#include "archive/writing/archive_writer.hpp"
#include "archive/writing/import_trace.hpp"
#include "convert/convert.hpp"
#include "archive/files/output_folder.hpp"

namespace tarry {
namespace {

/// Chunks of a merged container: short, so that what happened at the same time is close together.
constexpr std::size_t kMergedChunkBytes = 32 << 10;

WriterOptions writer_options(const MergeOptions& options) {
  WriterOptions writer;
  writer.stage = "merge";
  writer.command = options.command;
  if (!is_archive(options.input)) writer.inputs = {std::filesystem::absolute(options.input).lexically_normal()};
  writer.memory_bytes = WriterOptions::kUnlimited;
  if (!options.from.empty()) return writer;
  writer.is_chronological = true;
  writer.chunk_bytes = kMergedChunkBytes;
  return writer;
}

/// The facts about the run in the archive that is converted.
void copy_facts(const std::string& input, Manifest& into) {
  if (!is_archive(input)) return;
  auto facts = read_manifest(input);
  if (!facts.ok()) return;
  into.program = facts->program;
  into.command = facts->command;
  into.exit_status = facts->exit_status;
  into.not_recorded = facts->not_recorded;
  into.missing = facts->missing;
  into.hosts = facts->hosts;
  into.mpi = facts->mpi;
  into.build = facts->build;
  into.settings = facts->settings;
  into.clock_domains = facts->clock_domains;
}

}  // namespace

Status write_archive(Conversion& conversion) {
  const MergeOptions& options = conversion.options;
  TARRY_TRY_ASSIGN(folder, OutputFolder::create(options.output));
  TARRY_TRY(conversion.source.keep_extras());
  Definitions definitions = conversion.source.definitions();
  definitions.clock_offsets.clear();  // times are corrected
  TARRY_TRY_ASSIGN(writer, ArchiveWriter::create(folder.path(), std::move(definitions), writer_options(options)));
  if (const auto facts = conversion.source.otf2_facts(); !facts.empty()) TARRY_TRY(writer.keep_extras(facts));
  TARRY_TRY(for_each_location(conversion, [&](LocationId location) {
    return copy_location(conversion.source, writer, location, &conversion.progress);
  }));
  copy_facts(options.input, writer.manifest());
  if (const std::string faults = conversion.source.faults().summary(); !faults.empty())
    writer.manifest().missing = faults;
  TARRY_TRY(writer.close());
  return folder.keep();
}

}  // namespace tarry
