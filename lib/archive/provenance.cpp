// provenance.cpp -- what each stage appends to the manifest.
#include "archive/provenance.hpp"

#include <ctime>

#include "base/crc32.hpp"
#include "base/file.hpp"
#include "trace/container.hpp"

namespace tarry {

Result<FileSum> sum_file(const std::string& folder, const std::string& name) {
  const std::string path = name.starts_with("/") ? name : folder + "/" + name;
  TARRY_TRY_ASSIGN(file, MappedFile::open(path));
  std::span<const std::uint8_t> bytes = file.bytes();
  const Bytes size = bytes.size();
  if (const std::uint64_t index = find_container_index(bytes)) bytes = bytes.subspan(index);
  return FileSum{name, size, crc32(bytes.data(), bytes.size())};
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts;
  char text[32];
  ::gmtime_r(&now, &parts);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string join_command(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line.push_back(' ');
    const bool is_plain = !word.empty() && word.find_first_of(" \t\n\"'\\$`*?[]{}()<>|&;#~!") == std::string::npos;
    if (is_plain) {
      line += word;
      continue;
    }
    line.push_back('\'');
    for (const char c : word) line += c == '\'' ? "'\\''" : std::string(1, c);
    line.push_back('\'');
  }
  return line;
}

StageRecorder::StageRecorder(std::string stage, std::string command) {
  entry_.stage = std::move(stage);
  entry_.command = std::move(command);
  entry_.version = TARRY_VERSION;
  entry_.started = utc_now();
}

Status StageRecorder::add_to(Manifest& manifest, const std::string& archive) {
  for (const std::string& name : inputs_) {
    TARRY_TRY_ASSIGN(sum, sum_file(archive, name));
    entry_.inputs.push_back(std::move(sum));
  }
  for (const std::string& name : outputs_) {
    TARRY_TRY_ASSIGN(sum, sum_file(archive, name));
    entry_.outputs.push_back(std::move(sum));
  }
  entry_.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  manifest.stages.push_back(entry_);
  return {};
}

Status StageRecorder::add_to_archive(const std::string& archive) {
  TARRY_TRY_ASSIGN(manifest, read_manifest(archive));
  TARRY_TRY(add_to(manifest, archive));
  return write_manifest(archive, manifest);
}

}  // namespace tarry
