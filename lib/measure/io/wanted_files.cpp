// wanted_files.cpp -- chooses the functions of files that are recorded.
#include "measure/io/wanted_files.hpp"

#include <iterator>

#include "measure/callpath/left_out_calls.hpp"

namespace tarry::measure {
namespace {

bool g_left_out[std::size(kFileFunctions)];

// Records of what is done with files refer to those that open and close them.
bool opens_or_closes(FileFunction function) {
  using enum FileFunction;
  for (const FileFunction each : {kOpen, kOpenat, kCreat, kClose, kFopen, kFreopen, kFdopen, kFclose})
    if (function == each) return true;
  return false;
}

}  // namespace

void choose_file_calls() {
  for (std::size_t i = 0; i < std::size(kFileFunctions); ++i) {
    const FileFunctionInfo& info = kFileFunctions[i];
    const auto group = info.role == RegionRole::kFileIo ? kFileDataEvents : kFileMetadataEvents;
    g_left_out[i] = !opens_or_closes(FileFunction(i)) && g_left_out_of_files.leaves_out(info.name, group, info.name);
  }
}

bool is_file_call_left_out(FileFunction function) {
  if (!g_left_out[static_cast<std::size_t>(function)]) [[likely]]
    return false;
  g_left_out_of_files.note();
  return true;
}

}  // namespace tarry::measure
