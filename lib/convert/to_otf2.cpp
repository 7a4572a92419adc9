// to_otf2.cpp -- writes an OTF2 trace, location after location.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "convert/convert.hpp"
#include "archive/files/output_folder.hpp"
#include "defs/unify.hpp"
#include "trace/otf2/otf2_sink.hpp"

namespace tarry {
namespace {

Status copy_location_to(Conversion& conversion, Otf2Sink& sink, LocationId location) {
  TARRY_TRY_ASSIGN(writer, sink.open(location));
  const auto reader = conversion.source.open(location);
  for (bool is_end = false; !is_end;) {
    const auto block = reader->next();
    is_end = block.empty();
    TARRY_TRY(writer->append(block, reader->extras()));
    conversion.progress.add(block.size());
  }
  return writer->close();
}

/// The facts of an imported trace, if its tables are still those of the definitions.
Result<std::optional<Otf2Facts>> facts_of(Source& source) {
  if (source.otf2_facts().empty()) return std::optional<Otf2Facts>();
  TARRY_TRY_ASSIGN(facts, decode_otf2_facts(source.otf2_facts()));
  const Definitions& all = source.definitions();
  const Otf2References& references = facts.references;
  const bool fits = references.locations.size() == all.locations.size() &&
                    references.regions.size() <= all.regions.size() && references.comms.size() == all.comms.size() &&
                    references.windows.size() == all.windows.size() && references.groups.size() == all.groups.size() &&
                    references.io_handles.size() == all.io_handles.size();
  if (!fits) return Error{source.path(), "its OTF2 definitions do not belong to its events", "import the trace again"};
  return std::optional(std::move(facts));
}

/// Whether functions were found on stacks.
bool has_call_paths(const Definitions& all) {
  return std::any_of(all.properties.begin(), all.properties.end(), [&](const Property& each) {
    const std::string_view key = all.text(each.key);
    return key == kCallPathStacksKey || key == kSamplesKey;
  });
}

/// Waits, delay causes and the critical path as markers, for OTF2 has no place for them among events.
Status write_markers(const Overlays& overlays, Otf2Sink& sink) {
  std::vector<std::string> kinds;
  for (const std::string& metric : overlays.kinds) {
    kinds.push_back("Wait state " + metric);
    kinds.push_back("Causes " + metric);
  }
  kinds.push_back("Critical path");
  std::vector<Otf2MarkerText> markers;
  for (const OverlayInterval& each : overlays.intervals) {
    const std::uint32_t kind = each.layer == OverlayLayer::kCriticalPath
                                   ? static_cast<std::uint32_t>(kinds.size() - 1)
                                   : 2 * each.kind + (each.layer == OverlayLayer::kDelayCause);
    markers.push_back({each.begin, each.end - each.begin, kind, each.location, each.text});
  }
  return sink.write_markers(kinds, markers);
}

}  // namespace

Status write_otf2(Conversion& conversion) {
  TARRY_TRY_ASSIGN(folder, OutputFolder::create(conversion.options.output));
  TARRY_TRY(conversion.source.keep_extras());
  TARRY_TRY_ASSIGN(facts, facts_of(conversion.source));
  TARRY_TRY_ASSIGN(sink, Otf2Sink::create(folder.path(), conversion.source.definitions(), facts ? &*facts : nullptr));
  if (has_call_paths(conversion.source.definitions())) sink->write_calling_contexts();
  TARRY_TRY(for_each_location(conversion,
                              [&](LocationId location) { return copy_location_to(conversion, *sink, location); }));
  if (!conversion.overlays.empty()) TARRY_TRY(write_markers(conversion.overlays, *sink));
  TARRY_TRY(sink->close());
  conversion.left_out = sink->unwritten();
  return folder.keep();
}

}  // namespace tarry
