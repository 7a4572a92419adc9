// obstacle.cpp -- looks for what keeps the recorder out of a command.
#include "obstacle.hpp"

#include <algorithm>
#include <string_view>

#include "base/processes/launchers.hpp"
#include "base/text/text.hpp"
#include "program_file.hpp"
#include "program_name.hpp"

namespace tarry {
namespace {

constexpr int kMostScripts = 4;  // whose interpreters are scripts
constexpr char kBehind[] = "put 'tarry measure' behind it";

using Words = std::vector<std::string>;

// The option of `env` by which it starts its command without our variables; empty if there is none.
std::string clearing_option(const Words& options) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& word = options[i];
    if (is_one_of(word, {"-", "-i", "--ignore-environment", "-uLD_PRELOAD", "--unset=LD_PRELOAD"})) return word;
    if (word == "-u" && i + 1 < options.size() && options[i + 1] == "LD_PRELOAD") return word + " LD_PRELOAD";
  }
  return {};
}

// The option by which a launcher does not pass our variables on; empty if there is none.
std::string withholding_option(const Words& options) {
  for (const std::string& word : options) {
    if (is_one_of(word, {"-envnone", "-genvnone"})) return word;
    if (word.starts_with("--export=") && word.find("ALL") == std::string::npos) return word;
  }
  return {};
}

std::optional<Error> lost_variables(const std::string& program, const Words& options) {
  if (base_name(program) == "env")
    if (const std::string option = clearing_option(options); !option.empty())
      return Error{program + " " + option, "removes the variables by which the recorder is loaded", kBehind};
  if (is_launcher(program))
    if (const std::string option = withholding_option(options); !option.empty())
      return Error{program + " " + option, "does not pass on the variables by which the recorder is loaded",
                   "leave it away, or " + std::string(kBehind)};
  return std::nullopt;
}

std::optional<Error> obstacle_of_kind(const std::string& program, ProgramKind kind) {
  switch (kind) {
    case ProgramKind::kLoadable: return std::nullopt;
    case ProgramKind::kStatic:
      return Error{program, "is linked statically, and the recorder is a shared library", "link it dynamically"};
    case ProgramKind::k32Bit:
      return Error{program, "is a 32-bit program, and the recorder has 64 bits", "build it for 64 bits"};
    case ProgramKind::kOtherProcessor:
      return Error{program, "is built for another processor than the recorder", "build it for this one"};
    case ProgramKind::kMusl:
      return Error{program, "uses musl as its C library, and the recorder the GNU C library", "build it for that one"};
  }
  return std::nullopt;
}

// A program of MPI has another reason: MPI would have been recorded.
std::optional<Error> obstacle_of_libraries(const std::string& program, const Words& libraries) {
  const auto needs = [&](std::string_view name) {
    return std::ranges::any_of(libraries, [name](const std::string& each) { return each.starts_with(name); });
  };
  if (!needs("libgomp.so") || needs("libmpi")) return std::nullopt;
  return Error{program, "uses OpenMP of libgomp, which tells nothing of its teams: OpenMP is not recorded",
               "compile it with 'tarry instrument', or with clang; or measure with --sample"};
}

std::optional<Error> obstacle_in(const Words& command, int scripts);

std::optional<Error> obstacle_in_script(const std::string& script, const Words& interpreter, int scripts) {
  if (scripts >= kMostScripts) return std::nullopt;
  auto obstacle = obstacle_in(interpreter, scripts + 1);
  if (obstacle) obstacle = Error{script, "is run by " + obstacle->what + ", which " + obstacle->why, obstacle->hint};
  return obstacle;
}

// Of one command; what launchers and wrappers are matters only as far as their rights and options go.
std::optional<Error> obstacle_in(const Words& command, int scripts) {
  const std::vector<std::size_t> programs = find_programs(command, is_program);
  for (std::size_t i = 0; i + 1 < programs.size(); ++i) {
    const auto begin = command.begin() + static_cast<std::ptrdiff_t>(programs[i]) + 1;
    const auto end = command.begin() + static_cast<std::ptrdiff_t>(programs[i + 1]);
    if (auto lost = lost_variables(command[programs[i]], Words(begin, end))) return lost;
  }
  for (const std::size_t at : programs) {
    const ProgramFile file = read_program_file(program_path(command[at]));
    if (file.has_other_rights)
      return Error{command[at],
                   "runs with rights that you do not have (setuid, setgid or capabilities), "
                   "with which nothing is preloaded",
                   "run a copy without them"};
    if (at != programs.back()) continue;
    if (!file.interpreter.empty()) return obstacle_in_script(command[at], file.interpreter, scripts);
    if (auto obstacle = obstacle_of_kind(command[at], file.kind)) return obstacle;
    return obstacle_of_libraries(command[at], file.libraries);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> find_obstacle(const std::vector<std::string>& command) {
  if (command.empty()) return std::nullopt;
  for (const Words& part : split_job(command, is_program))
    if (auto obstacle = obstacle_in(part, 0)) return obstacle;
  return std::nullopt;
}

}  // namespace tarry
