// provenance.cpp -- what each stage appends to the manifest.
#include "archive/files/provenance.hpp"

#include <cstdio>
#include <ctime>

#include "base/bytes/crc32.hpp"
#include "base/files/file.hpp"
#include "base/text/printable.hpp"
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

// As a shell reads it: what a terminal acts upon as $'\x1b', as newer shells know it.
static std::string quoted(const std::string& word) {
  const bool is_printable = printable(word) == word;
  std::string text = is_printable ? "'" : "$'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02x", byte);
    if (is_printable) text += c == '\'' ? "'\\''" : std::string(1, c);
    else if (byte < 0x20 || byte >= 0x7f) text += code;
    else text += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  }
  return text + "'";
}

std::string join_command(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line.push_back(' ');
    const bool is_plain = !word.empty() && printable(word) == word &&
                          word.find_first_of(" \t\n\"'\\$`*?[]{}()<>|&;#~!") == std::string::npos;
    if (is_plain) {
      line += word;
      continue;
    }
    line += quoted(word);
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
