// write_summary.cpp -- collates the profiles of an archive.
#include "summary/write_summary.hpp"

#include "archive/contents.hpp"
#include "archive/names.hpp"
#include "archive/provenance.hpp"
#include "archive/unified_file.hpp"
#include "report/cubex_file.hpp"
#include "report/cubex_writer.hpp"
#include "summary/collate_summary.hpp"

namespace tarry {

Result<std::unique_ptr<CubeSource>> write_summary(const std::string& archive, const std::string& missing,
                                                  const std::string& tool) {
  FaultLog faults;
  TARRY_TRY_ASSIGN(contents, ArchiveContents::open(archive, faults));
  TARRY_TRY_ASSIGN(unified, read_unified(archive + "/" + names::kDefinitions));
  SummaryCube summary(unified.global, [&](const auto& visit) { for_each_profile(contents, unified, faults, visit); });
  if (summary.is_empty()) return std::unique_ptr<CubeSource>();
  if (!missing.empty()) summary.add_attribute(kIncompleteAttribute, missing);
  StageRecorder stage("summary", tool);
  const std::string file = archive + "/" + names::kSummary;
  TARRY_TRY(write_cubex(summary, file));
  stage.add_output(names::kSummary);
  TARRY_TRY(stage.add_to_archive(archive));
  TARRY_TRY_ASSIGN(written, CubexFile::open(file));
  return std::unique_ptr<CubeSource>(std::move(written));
}

}  // namespace tarry
