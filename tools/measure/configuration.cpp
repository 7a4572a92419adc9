// configuration.cpp -- every setting of a measurement and where it came from.
#include "configuration.hpp"

#include <algorithm>
#include <sstream>

#include "base/files/file.hpp"
#include "base/text/format.hpp"
#include "base/text/printable.hpp"

namespace tarry {
namespace {

constexpr std::size_t kValueWidth = 22;
constexpr std::size_t kOriginWidth = 11;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// "memory" and "TARRY_MEMORY" are the same key.
std::string variable_of(const std::string& key) {
  std::string name;
  for (const unsigned char c : key) name.push_back(c == '-' ? '_' : static_cast<char>(std::toupper(c)));
  return name.starts_with("TARRY_") ? name : "TARRY_" + name;
}

std::string origin_text(const ConfiguredSetting& setting) {
  switch (setting.origin) {
    case Origin::kDefault: return "default";
    case Origin::kFile: return setting.file.substr(0, setting.file.rfind(':'));
    case Origin::kEnvironment: return "environment";
    case Origin::kOption: return "option";
  }
  return "";
}

}  // namespace

Configuration::Configuration() {
  for (const measure::SettingInfo& info : measure::all_settings())
    settings_.push_back({info.name, info.fallback, info.explanation, Origin::kDefault, ""});
}

const ConfiguredSetting* Configuration::find(const std::string& name) const {
  const auto found =
      std::find_if(settings_.begin(), settings_.end(), [&](auto& setting) { return setting.name == name; });
  return found == settings_.end() ? nullptr : &*found;
}

ConfiguredSetting* Configuration::find(const std::string& name) {
  return const_cast<ConfiguredSetting*>(std::as_const(*this).find(name));
}

Status Configuration::read_lines(const std::string& path, const std::string& text) {
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string content = trimmed(line.substr(0, line.find('#')));
    if (content.empty()) continue;
    const std::string place = path + ":" + std::to_string(number);
    const std::size_t equals = content.find('=');
    if (equals == std::string::npos) return Error{place, "is not 'key = value'", "see 'tarry measure --print-config'"};
    const std::string key = trimmed(content.substr(0, equals));
    ConfiguredSetting* setting = find(variable_of(key));
    if (!setting) return Error{place, "'" + key + "' is no setting", "'tarry measure --print-config' lists them"};
    setting->value = trimmed(content.substr(equals + 1));
    setting->origin = Origin::kFile;
    setting->file = place;
  }
  return {};
}

void Configuration::read_environment() {
  for (ConfiguredSetting& setting : settings_) {
    const char* value = std::getenv(setting.name.c_str());
    if (!value || !*value) continue;
    setting.value = value;
    setting.origin = Origin::kEnvironment;
  }
}

Result<Configuration> Configuration::load() {
  Configuration configuration;
  const char* home = std::getenv("HOME");
  const std::string personal = std::string(home ? home : "") + "/.config/tarry/tarry.conf";
  for (const std::string& path : {std::string("tarry.conf"), personal}) {
    if (!path_exists(path)) continue;
    TARRY_TRY_ASSIGN(file, MappedFile::open(path));
    const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
    if (Status read = configuration.read_lines(path, std::string(text)); !read.ok())
      configuration.complaint_ = read.error();
    break;
  }
  configuration.read_environment();
  return configuration;
}

void Configuration::set_option(const std::string& name, const std::string& value, const std::string& option) {
  ConfiguredSetting* setting = find(name);
  setting->file = option;
  setting->value = value;
  setting->origin = Origin::kOption;
}

const std::string& Configuration::value_of(const std::string& name) const { return find(name)->value; }

bool Configuration::is_set(const std::string& name) const { return find(name)->origin != Origin::kDefault; }

Result<measure::Settings> Configuration::apply() const {
  if (complaint_) return *complaint_;
  for (const ConfiguredSetting& setting : settings_)
    if (setting.origin != Origin::kDefault) ::setenv(setting.name.c_str(), setting.value.c_str(), 1);
  measure::Settings parsed;
  std::string complaints = measure::read_settings(parsed);
  if (complaints.empty()) return parsed;
  complaints.erase(complaints.find('\n'));
  const std::string name = complaints.substr(0, complaints.find(": "));
  const std::string why = complaints.substr(complaints.find(": ") + 2);
  const ConfiguredSetting* setting = find(name);
  if (setting && setting->origin == Origin::kFile) return Error{setting->file, name + ": " + why, ""};
  const bool is_option = setting && setting->origin == Origin::kOption && !setting->file.empty();
  return Error{is_option ? setting->file : name, why, ""};
}

std::string Configuration::text(const measure::Settings& effective) const {
  std::string text;
  for (const ConfiguredSetting& setting : settings_) {
    const bool depends = setting.name == "TARRY_SUMMARY" && setting.origin == Origin::kDefault;
    const std::string value = depends ? (effective.summarises ? "1" : "0") : setting.value;
    add_line(text, pad_right(setting.name + "=" + value, kValueWidth) + " " +
                       pad_right(origin_text(setting), kOriginWidth) + " " + setting.explanation);
  }
  return text;
}

}  // namespace tarry
