// perf_map.cpp -- reads the lines, and keeps for each place where its name lies.
#include "defs/perf_map.hpp"

#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

namespace tarry {
namespace {

constexpr std::chrono::milliseconds kMapPatience{1000};

// A number and the blank behind it, which leave the line.
std::optional<std::uint64_t> take_number(std::string_view& line) {
  if (line.starts_with("0x")) line.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number, 16);
  if (error != std::errc() || end == line.data() + line.size() || *end != ' ') return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
  return number;
}

class MapLines {
 public:
  MapLines(PieceReader& file, std::span<RunTimeCode> places) : file_(file), places_(places), names_(places.size()) {}

  void read() {
    std::uint64_t offset = 0;
    while (const std::size_t bytes = read_line(offset)) offset += bytes;
    file_.give_time();
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i].name.empty() && names_[i].length > 0) places_[i].name = read_name(file_, names_[i]);
  }

 private:
  // The bytes of the line. Of one that does not end in a piece, the rest is read as lines that tell nothing. A last
  // line without an end may be half of one.
  std::size_t read_line(std::uint64_t offset) {
    const std::string_view piece = file_.at(offset, kLongestLine);
    const std::size_t end = piece.find('\n');
    const bool is_rest = std::exchange(is_inside_, end == piece.npos);
    if (end == piece.npos) return piece.size();
    if (!is_rest) note(offset, piece.substr(0, end));
    return end + 1;
  }

  void note(std::uint64_t offset, std::string_view line) {
    std::string_view name = line;
    const auto begin = take_number(name);
    const auto bytes = begin ? take_number(name) : std::nullopt;
    if (!bytes || name.empty()) return;
    const NameInFile place{offset + (line.size() - name.size()), static_cast<std::uint32_t>(name.size())};
    for (const RunTimeCode& code : places_in(places_, *begin, *bytes))
      names_[static_cast<std::size_t>(&code - places_.data())] = place;
  }

  static constexpr std::size_t kLongestLine = 4096;

  PieceReader& file_;
  const std::span<RunTimeCode> places_;
  std::vector<NameInFile> names_;
  bool is_inside_ = false;  // of a line that began before
};

}  // namespace

void name_by_perf_map(const std::string& path, std::span<RunTimeCode> places) {
  if (auto file = PieceReader::open(path, kMapPatience)) MapLines(*file, places).read();
}

}  // namespace tarry
