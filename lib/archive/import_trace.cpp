// import_trace.cpp -- makes an archive of a trace in another format.
#include "archive/import_trace.hpp"

namespace tarry {

Status import_trace(Source& source, const std::string& path, WriterOptions options, Progress* progress) {
  TARRY_TRY_ASSIGN(writer, ArchiveWriter::create(path, source.definitions(), std::move(options)));
  const Definitions& all = source.definitions();
  for (const SystemNode& node : all.system_nodes)
    if (all.text(node.class_name) == "node") writer.manifest().hosts.emplace_back(all.text(node.name));
  for (std::size_t i = 0; i < all.locations.size(); ++i) {
    const auto reader = source.open(LocationId(i));
    for (auto block = reader->next(); !block.empty(); block = reader->next()) {
      TARRY_TRY(writer.append(LocationId(i), block));
      if (progress) progress->add(block.size());
    }
    TARRY_TRY(writer.finish(LocationId(i)));
  }
  return writer.close();
}

}  // namespace tarry
