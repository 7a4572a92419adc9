// manifest.cpp -- manifest.xml, to text and back.
#include "archive/files/manifest.hpp"

#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>

#include "archive/files/names.hpp"
#include "base/bytes/crc32.hpp"
#include "base/files/file.hpp"
#include "base/text/printable.hpp"
#include "base/text/text.hpp"
#include "trace/container.hpp"

namespace tarry {
namespace {

constexpr char kSumPrefix[] = "<!-- crc32 ";
constexpr char kSumSuffix[] = " -->\n";
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

// What a fact can be at most.
constexpr std::uint64_t kMostThreads = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostStatus = 255, kMostFileBytes = std::uint64_t{1} << 62;
constexpr double kMostTicksPerSecond = 1e18, kMostSeconds = 1e12;
constexpr std::size_t kSumLineBytes = sizeof kSumPrefix - 1 + 8 + sizeof kSumSuffix - 1;

std::string hex(std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "%08" PRIx32, value);
  return text;
}

void put(tinyxml2::XMLPrinter& out, const char* name, const std::string& value) {
  // XML has no way to write control characters.
  if (!value.empty()) out.PushAttribute(name, printable(value).c_str());
}

std::string get(const tinyxml2::XMLElement* element, const char* name) {
  const char* value = element->Attribute(name);
  return value ? value : "";
}

// Takes facts out of elements. Whoever recomputes the checksum can write anything: the first fact that cannot be true
// is kept as the fault.
class FactReader {
 public:
  /// "says that ranks is '-3'"; empty if all facts can be true.
  const std::string& fault() const { return fault_; }

  std::uint64_t number(const tinyxml2::XMLElement* element, const char* name, std::uint64_t most) {
    return value_of<std::uint64_t>(element, name, [most](std::uint64_t value) { return value <= most; });
  }
  double quantity(const tinyxml2::XMLElement* element, const char* name, double most) {
    return value_of<double>(element, name, [most](double value) { return value >= 0 && value <= most; });
  }
  /// UTC, as utc_now() writes it.
  std::string date(const tinyxml2::XMLElement* element, const char* name) {
    const std::string text = get(element, name);
    static constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
    const bool is_date =
        text.size() == kForm.size() && std::equal(text.begin(), text.end(), kForm.begin(), [](char is, char form) {
          return form == '0' ? is >= '0' && is <= '9' : is == form;
        });
    if (!text.empty() && !is_date) refuse(name, text);
    return text;
  }
  void refuse(const char* name, const std::string& value) {
    if (fault_.empty()) fault_ = std::string("says that ") + name + " is '" + value + "'";
  }

 private:
  template <class T, class IsPossible>
  T value_of(const tinyxml2::XMLElement* element, const char* name, IsPossible is_possible) {
    const std::string text = get(element, name);
    T value = 0;
    if (text.empty()) return value;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
    if (is_whole && is_possible(value)) return value;
    refuse(name, text);
    return 0;
  }

  std::string fault_;
};

void put_file(tinyxml2::XMLPrinter& out, const char* role, const FileSum& file) {
  out.OpenElement(role);
  put(out, "name", file.name);
  put(out, "bytes", std::to_string(file.bytes));
  put(out, "crc32", hex(file.crc));
  out.CloseElement();
}

void put_stage(tinyxml2::XMLPrinter& out, const StageEntry& stage) {
  out.OpenElement("stage");
  put(out, "name", stage.stage);
  put(out, "version", stage.version);
  put(out, "started", stage.started);
  put(out, "seconds", exact_number(stage.wall_seconds));
  put(out, "command", stage.command);
  for (const FileSum& file : stage.inputs) put_file(out, "input", file);
  for (const FileSum& file : stage.outputs) put_file(out, "output", file);
  out.CloseElement();
}

StageEntry get_stage(const tinyxml2::XMLElement* element, FactReader& facts) {
  StageEntry stage;
  stage.stage = get(element, "name");
  stage.version = get(element, "version");
  stage.started = facts.date(element, "started");
  stage.wall_seconds = facts.quantity(element, "seconds", kMostSeconds);
  stage.command = get(element, "command");
  for (const auto* file = element->FirstChildElement(); file; file = file->NextSiblingElement()) {
    const FileSum sum{get(file, "name"), facts.number(file, "bytes", kMostFileBytes),
                      static_cast<std::uint32_t>(std::strtoul(get(file, "crc32").c_str(), nullptr, 16))};
    if (get(file, "name").empty()) continue;
    if (std::string_view(file->Name()) == "input") stage.inputs.push_back(sum);
    if (std::string_view(file->Name()) == "output") stage.outputs.push_back(sum);
  }
  return stage;
}

void put_run(tinyxml2::XMLPrinter& out, const Manifest& manifest) {
  out.OpenElement("run");
  put(out, "program", manifest.program);
  put(out, "command", manifest.command);
  put(out, "ranks", std::to_string(manifest.ranks));
  put(out, "threads", std::to_string(manifest.threads));
  put(out, "complete", manifest.is_complete ? "yes" : "no");
  put(out, "events", manifest.has_events ? "yes" : "no");
  put(out, "summary", manifest.has_summary ? "yes" : "no");
  put(out, "missing", manifest.missing);
  put(out, "not-recorded", manifest.not_recorded);
  if (manifest.exit_status) put(out, "exit-status", std::to_string(*manifest.exit_status));
  put(out, "started", manifest.started);
  put(out, "ended", manifest.ended);
  put(out, "mpi", manifest.mpi);
  put(out, "build", manifest.build);
  out.OpenElement("clock");
  put(out, "ticks-per-second", exact_number(manifest.ticks_per_second));
  put(out, "domains", std::to_string(manifest.clock_domains));
  out.CloseElement();
  for (const ManifestHost& host : manifest.hosts) {
    out.OpenElement("host");
    put(out, "name", host.name);
    if (host.cores > 0) put(out, "cores", std::to_string(host.cores));
    put(out, "processor", host.processor);
    put(out, "network", host.network);
    out.CloseElement();
  }
  for (const auto& [name, value] : manifest.settings) {
    out.OpenElement("setting");
    put(out, "name", name);
    put(out, "value", value);
    out.CloseElement();
  }
  out.CloseElement();
}

void get_run(const tinyxml2::XMLElement* run, Manifest& manifest, FactReader& facts) {
  manifest.program = get(run, "program");
  manifest.command = get(run, "command");
  manifest.ranks = static_cast<std::uint32_t>(facts.number(run, "ranks", kMostRanks));
  manifest.threads = static_cast<std::uint32_t>(facts.number(run, "threads", kMostThreads));
  manifest.is_complete = get(run, "complete") == "yes";
  manifest.has_events = get(run, "events") == "yes";
  manifest.has_summary = get(run, "summary") == "yes";
  manifest.missing = get(run, "missing");
  manifest.not_recorded = get(run, "not-recorded");
  if (run->Attribute("exit-status"))
    manifest.exit_status = static_cast<int>(facts.number(run, "exit-status", kMostStatus));
  manifest.started = facts.date(run, "started");
  manifest.ended = facts.date(run, "ended");
  manifest.mpi = get(run, "mpi");
  manifest.build = get(run, "build");
  if (const auto* clock = run->FirstChildElement("clock")) {
    manifest.ticks_per_second = facts.quantity(clock, "ticks-per-second", kMostTicksPerSecond);
    manifest.clock_domains = static_cast<std::uint32_t>(facts.number(clock, "domains", kMostRanks));
    if (manifest.has_events && manifest.is_complete && manifest.ticks_per_second <= 0)
      facts.refuse("ticks-per-second", get(clock, "ticks-per-second"));
  }
  if (manifest.is_complete && manifest.ranks == 0) facts.refuse("ranks", get(run, "ranks"));
  for (const auto* host = run->FirstChildElement("host"); host; host = host->NextSiblingElement("host"))
    manifest.hosts.push_back({get(host, "name"), static_cast<std::uint32_t>(facts.number(host, "cores", kMostThreads)),
                              get(host, "processor"), get(host, "network")});
  for (const auto* setting = run->FirstChildElement("setting"); setting;
       setting = setting->NextSiblingElement("setting"))
    manifest.settings.emplace_back(get(setting, "name"), get(setting, "value"));
}

// The checksum line is required, so that no changed byte goes unnoticed.
bool has_valid_sum(const std::string& text) {
  if (text.size() < kSumLineBytes) return false;
  const std::string line = kSumPrefix + hex(crc32(text.data(), text.size() - kSumLineBytes)) + kSumSuffix;
  return text.compare(text.size() - kSumLineBytes, kSumLineBytes, line) == 0;
}

Status check_format(const std::string& path, const std::string& format) {
  if (std::strtoul(format.c_str(), nullptr, 10) <= kFormatMajor) return {};
  return Error{path,
               "has format version " + format + ", newer than " + std::to_string(kFormatMajor) + "." +
                   std::to_string(kFormatMinor),
               "use a newer tarry"};
}

}  // namespace

std::string encode_manifest(const Manifest& manifest) {
  tinyxml2::XMLPrinter out;
  out.PushHeader(false, true);
  out.OpenElement("tarry-archive");
  put(out, "format", std::to_string(kFormatMajor) + "." + std::to_string(kFormatMinor));
  put(out, "tool", manifest.tool_version.empty() ? TARRY_VERSION : manifest.tool_version);
  put_run(out, manifest);
  for (const StageEntry& stage : manifest.stages) put_stage(out, stage);
  out.CloseElement();
  std::string text = out.CStr();
  if (text.empty() || text.back() != '\n') text.push_back('\n');
  return text + kSumPrefix + hex(crc32(text.data(), text.size())) + kSumSuffix;
}

Result<Manifest> decode_manifest(const std::string& path, const std::string& text) {
  tinyxml2::XMLDocument document;
  const bool is_readable = document.Parse(text.data(), text.size()) == tinyxml2::XML_SUCCESS;
  const tinyxml2::XMLElement* root = is_readable ? document.FirstChildElement("tarry-archive") : nullptr;
  // Before the checksum: a newer version may have another way of summing.
  if (root) TARRY_TRY(check_format(path, get(root, "format")));
  if (!has_valid_sum(text))
    return Error{path, "fails its checksum", "it was changed or damaged; the events can be read without it"};
  if (!root) return Error{path, "is no manifest of tarry", ""};
  Manifest manifest;
  manifest.tool_version = get(root, "tool");
  FactReader facts;
  if (const auto* run = root->FirstChildElement("run")) get_run(run, manifest, facts);
  for (const auto* stage = root->FirstChildElement("stage"); stage; stage = stage->NextSiblingElement("stage"))
    manifest.stages.push_back(get_stage(stage, facts));
  if (!facts.fault().empty())
    return Error{path, facts.fault() + ", which cannot be", "if nothing explains it, remove it and run 'tarry unify'"};
  return manifest;
}

static Result<std::string> read_text(const std::string& path) {
  TARRY_TRY_ASSIGN(file, MappedFile::open(path));
  if (file.bytes().size() > kMostBytes) return Error{path, "is too large for a manifest", ""};
  return std::string(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
}

Result<Manifest> read_manifest(const std::string& archive) {
  const std::string path = archive + "/" + names::kManifest;
  TARRY_TRY_ASSIGN(text, read_text(path));
  return decode_manifest(path, text);
}

Status check_manifest_facts(const std::string& archive) {
  const std::string path = archive + "/" + names::kManifest;
  auto text = read_text(path);
  if (!text.ok()) return {};
  tinyxml2::XMLDocument document;
  document.Parse(text->data(), text->size());
  const tinyxml2::XMLElement* root = document.FirstChildElement("tarry-archive");
  if (root) TARRY_TRY(check_format(path, get(root, "format")));
  if (!root || !has_valid_sum(*text)) return {};
  const auto manifest = decode_manifest(path, *text);
  return manifest.ok() ? Status() : Status(manifest.error());
}

Status write_manifest(const std::string& archive, const Manifest& manifest) {
  const std::string text = encode_manifest(manifest);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  return replace_file(archive + "/" + names::kManifest, std::span(bytes, text.size()));
}

}  // namespace tarry
