// cmd_list.cpp -- tarry archive ls.
#include "archive/archive.hpp"
#include "archive/files/names.hpp"
#include "base/tool/cli.hpp"
#include "base/files/file.hpp"
#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "commands.hpp"
#include "trace/container.hpp"

namespace tarry {
namespace {

std::string describe_container(const std::string& path) {
  const auto file = Container::open(path);
  if (!file.ok()) return "unreadable: " + file.error().why;
  std::uint64_t events = 0;
  std::size_t profiles = 0, definitions = 0;
  for (const ChunkRef& chunk : file.value().chunks()) {
    if (chunk.header.kind == ChunkKind::kEvents) events += chunk.header.event_count;
    profiles += chunk.header.kind == ChunkKind::kProfile;
    definitions += chunk.header.kind == ChunkKind::kDefinitions;
  }
  const char* kind = file.value().is_spool()    ? "spool"
                     : file.value().is_sealed() ? "sealed container"
                                                : "open container";
  std::string text = std::string(kind) + ", " + std::to_string(file.value().chunks().size()) + " chunks";
  if (events > 0) text += ", " + std::to_string(events) + " events";
  if (profiles > 0) text += ", " + std::to_string(profiles) + " summaries";
  if (definitions > 0) text += ", " + std::to_string(definitions) + " of definitions";
  if (!file.value().damage().empty())
    text += ", " + std::to_string(file.value().damage().size()) + " damaged stretches";
  return text;
}

std::string description_of(const std::string& path, const std::string& name) {
  if (name == names::kManifest) return "facts about the run and its stages";
  if (name == names::kRecording) return "a recording is going on, or was ended by force";
  if (name == names::kDefinitions) return "global definitions and translation tables";
  if (name.ends_with(names::kContainerSuffix) || is_spool_name(name)) return describe_container(path);
  if (name.ends_with(".cubex")) return "report";
  return "";
}

}  // namespace

Result<int> list_archive(const std::string& path) {
  TARRY_TRY(check_is_archive(path));
  TARRY_TRY_ASSIGN(files, list_files(path));
  for (const std::string& name : files) {
    const std::string file = path + "/" + name;
    TARRY_TRY_ASSIGN(bytes, file_size(file));
    print_line(pad_left(std::to_string(bytes), 12) + "  " + pad_right(printable(name), 32) + "  " +
               description_of(file, name));
  }
  return kExitDone;
}

}  // namespace tarry
