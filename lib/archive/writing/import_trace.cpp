// import_trace.cpp -- makes an archive of a trace in another format.
#include "archive/writing/import_trace.hpp"

#include "archive/files/output_folder.hpp"

namespace tarry {

Status copy_location(Source& source, ArchiveWriter& writer, LocationId location, Progress* progress) {
  const auto reader = source.open(location);
  for (bool is_end = false; !is_end;) {
    const auto block = reader->next();
    is_end = block.empty();  // what is behind the last event comes with the empty block
    TARRY_TRY(writer.append(location, block, reader->extras()));
    if (progress) progress->add(block.size());
  }
  return writer.finish(location);
}

Status import_trace(Source& source, const std::string& path, WriterOptions options, Progress* progress) {
  TARRY_TRY(source.keep_extras());
  TARRY_TRY_ASSIGN(folder, OutputFolder::create(path));
  TARRY_TRY_ASSIGN(writer, ArchiveWriter::create(folder.path(), source.definitions(), std::move(options)));
  if (const auto facts = source.otf2_facts(); !facts.empty()) TARRY_TRY(writer.keep_extras(facts));
  const Definitions& all = source.definitions();
  for (const SystemNode& node : all.system_nodes)
    if (all.text(node.class_name) == "node")
      writer.manifest().hosts.push_back({std::string(all.text(node.name)), 0, {}, {}});
  for (std::size_t i = 0; i < all.locations.size(); ++i)
    TARRY_TRY(copy_location(source, writer, LocationId(i), progress));
  TARRY_TRY(writer.close());
  return folder.keep();
}

}  // namespace tarry
