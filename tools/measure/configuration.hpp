// configuration.hpp -- every setting of a measurement and where it came from: option, environment, tarry.conf, default.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "measure/core/settings.hpp"

namespace tarry {

enum class Origin { kDefault, kFile, kEnvironment, kOption };

struct ConfiguredSetting {
  std::string name;  // "TARRY_MEMORY"
  std::string value;
  std::string explanation;
  Origin origin = Origin::kDefault;
  std::string file;  // that set it, with the line; the option's name for kOption
};

class Configuration {
 public:
  /// Environment of this process over tarry.conf in the working folder, or else in $HOME/.config/tarry. The files hold
  /// lines `key = value` (key "memory" or "TARRY_MEMORY") and comments from '#' on. Fails if a file cannot be read.
  /// apply() reports wrong lines.
  static Result<Configuration> load();

  /// Lines of one file over what is there by default. `path` is for messages.
  Status read_lines(const std::string& path, const std::string& text);

  /// `option` as the user wrote it ("--memory"), for messages.
  void set_option(const std::string& name, const std::string& value, const std::string& option = {});

  const std::vector<ConfiguredSetting>& settings() const { return settings_; }
  const std::string& value_of(const std::string& name) const;
  bool is_set(const std::string& name) const;

  /// Puts what is not default into the environment of this process, and reads it back as the recorder will.
  Result<measure::Settings> apply() const;

  /// One line per setting for --print-config. `effective` is what apply() returned.
  std::string text(const measure::Settings& effective) const;

 private:
  Configuration();
  ConfiguredSetting* find(const std::string& name);
  const ConfiguredSetting* find(const std::string& name) const;
  void read_environment();

  std::vector<ConfiguredSetting> settings_;
  std::optional<Error> complaint_;  // about a line of tarry.conf
};

}  // namespace tarry
