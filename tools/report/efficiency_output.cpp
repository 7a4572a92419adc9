// efficiency_output.cpp -- efficiencies of runs side by side, as text for people.
#include "efficiency_output.hpp"

#include <algorithm>
#include <cstdio>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"

namespace tarry {
namespace {

constexpr std::size_t kNameColumn = 40;
constexpr std::size_t kLeastWidth = 11;

std::string two_digits(double efficiency) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2f %%", 100 * efficiency);
  return text;
}

std::string amount_text(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.4g%s", value, unit);
  return text;
}

const char* colour_of(EfficiencyGrade grade) {
  switch (grade) {
    case EfficiencyGrade::kGood: return "32";
    case EfficiencyGrade::kFair: return "33";
    default: return "31";
  }
}

class EfficiencyText {
 public:
  EfficiencyText(const EfficiencyTable& table, TextStyle style) : table_(table), style_(style) {
    for (const EfficiencyRun& run : table.runs) sums_.push_back(sums_of(run.times));
    for (const RunSums& sums : sums_) width_ = std::max(width_, size_text(sums).size() + 2);
  }

  std::string write() {
    write_head();
    write_model(EfficiencyModel::kStandard, "POP efficiencies");
    write_model(EfficiencyModel::kMultiplicative, "Processes and threads: factors");
    write_model(EfficiencyModel::kAdditive, "Processes and threads: losses add up");
    write_model(EfficiencyModel::kAccelerated, "Host and accelerators");
    write_times();
    write_missing();
    write_notes();
    return std::move(text_);
  }

 private:
  static std::string size_text(const RunSums& sums) {
    const std::string per_process = sums.threads % std::max<std::size_t>(1, sums.processes) == 0
                                        ? "x" + std::to_string(sums.threads / std::max<std::size_t>(1, sums.processes))
                                        : " (" + std::to_string(sums.threads) + ")";
    return std::to_string(sums.processes) + per_process;
  }

  std::string painted(const std::string& text, const char* colour) const {
    return style_.has_colour ? std::string("\x1b[") + colour + "m" + text + "\x1b[0m" : text;
  }
  void line(const std::string& text = {}) { add_line(text_, shorten_middle(text, style_.columns)); }
  // Escape sequences take no columns, and are no text of anybody else.
  void row(const std::string& text) { text_ += text + "\n"; }

  std::string part_text() const {
    const RunPart& part = table_.part;
    if (part.is_whole()) return "from the end of MPI_Init to the begin of MPI_Finalize";
    return (part.iteration ? "of iteration " + std::to_string(*part.iteration) + " of '" : "of visits of '") +
           part.region + "'";
  }

  void write_head() {
    line("Efficiencies " + part_text());
    const bool is_weak = table_.scaling == Scaling::kWeak;
    if (table_.runs.size() > 1)
      line(std::string(is_weak ? "Weak" : "Strong") + " scaling: the first run is the reference");
    for (std::size_t i = 0; i < table_.runs.size(); ++i) {
      const RunSums& sums = sums_[i];
      line("  " + pad_right(size_text(sums), width_) + table_.runs[i].input + ": " +
           format_count(sums.processes, "process", "processes") + ", " + format_count(sums.threads, "thread"));
    }
  }

  // As many runs as fit into a line, side by side. `write`: of the runs from one on, up to another.
  template <class Write>
  void in_blocks(Write write) {
    const std::size_t room = style_.columns > kNameColumn ? (style_.columns - kNameColumn) / width_ : 0;
    const std::size_t runs = sums_.size(), fitting = std::max<std::size_t>(1, room);
    for (std::size_t first = 0; first < runs; first += fitting) {
      line();
      write(first, std::min(runs, first + fitting));
    }
  }

  std::string heading(const std::string& name, std::size_t first, std::size_t last) const {
    std::string text = pad_right(name, kNameColumn);
    for (std::size_t i = first; i < last; ++i) text += pad_left(size_text(sums_[i]), width_);
    return text;
  }

  void write_model(EfficiencyModel model, const char* name) {
    const bool is_any = std::ranges::any_of(table_.values, [&](const Efficiencies& of) { return of.has(model); });
    if (!is_any) return;
    in_blocks([&](std::size_t first, std::size_t last) {
      row(painted(heading(name, first, last), "1"));
      for (const EfficiencyInfo& info : efficiency_table())
        if (info.model == model && (info.parent != Efficiency::kComputation || is_counted(info)))
          write_efficiency(info, first, last);
    });
  }

  void write_efficiency(const EfficiencyInfo& info, std::size_t first, std::size_t last) {
    std::string text = pad_right(std::string(2 * depth_of(info.id), ' ') + info.label, kNameColumn);
    for (std::size_t i = first; i < last; ++i) {
      const std::optional<double>& value = table_.values[i][info.id];
      const std::string cell = pad_left(value ? two_digits(*value) : "-", width_);
      text += value ? painted(cell, colour_of(grade_of(*value))) : cell;
    }
    row(text);
  }

  template <class Cell>
  void write_figure(const char* name, std::size_t first, std::size_t last, Cell cell) {
    std::string text = pad_right(name, kNameColumn);
    bool is_any = false;
    for (std::size_t i = first; i < last; ++i) {
      const std::string value = cell(table_.runs[i].times, sums_[i]);
      is_any |= !value.empty();
      text += pad_left(value.empty() ? "-" : value, width_);
    }
    if (is_any) row(text);
  }

  void write_times() {
    in_blocks([&](std::size_t first, std::size_t last) {
      row(painted(heading("Times", first, last), "1"));
      const auto figure = [&](const char* name, auto cell) { write_figure(name, first, last, cell); };
      figure("Run time", [](const RunTimes& run, const RunSums&) { return format_seconds(run.runtime); });
      figure("Run time on an ideal network", [](const RunTimes& run, const RunSums&) {
        return run.ideal ? format_seconds(*run.ideal) : std::string();
      });
      figure("Computation of a thread, on average",
             [](const RunTimes&, const RunSums& sums) { return format_seconds(sums.mean_useful()); });
      figure("Computation of a thread, at most",
             [](const RunTimes&, const RunSums& sums) { return format_seconds(sums.longest_useful); });
      figure("In calls of accelerators, on average", [](const RunTimes&, const RunSums& sums) {
        return sums.offload > 0 ? format_seconds(sums.offload / static_cast<double>(sums.threads)) : std::string();
      });
      write_rates(figure);
    });
  }

  template <class Figure>
  void write_rates(Figure figure) {
    const Seconds before = table_.runs[0].times.runtime;
    if (table_.runs.size() > 1)
      figure("Speedup", [&](const RunTimes& run, const RunSums&) { return amount_text(before / run.runtime, ""); });
    figure("Instructions per cycle",
           [](const RunTimes&, const RunSums& sums) { return sums.ipc ? amount_text(*sums.ipc, "") : std::string(); });
    figure("Frequency", [](const RunTimes&, const RunSums& sums) {
      return sums.hertz ? amount_text(*sums.hertz / 1e9, " GHz") : std::string();
    });
  }

  bool is_counted(const EfficiencyInfo& info) const {
    return std::ranges::any_of(table_.values, [&](const Efficiencies& of) { return of[info.id].has_value(); });
  }

  // Why there is a '-': once for each reason.
  void write_missing() {
    std::vector<std::pair<std::string, std::string>> reasons;  // and the rows they are of
    bool has_counters = true;
    for (const EfficiencyInfo& info : efficiency_table()) {
      if (info.model != EfficiencyModel::kStandard) continue;
      if (info.parent == Efficiency::kComputation && !is_counted(info)) {
        has_counters = false;
        continue;
      }
      for (std::size_t i = 0; i < table_.runs.size(); ++i) {
        if (table_.values[i][info.id]) continue;
        const std::string why = why_missing(info.id, table_.runs[i].times, table_.runs[0].times);
        auto at = std::ranges::find(reasons, why, &std::pair<std::string, std::string>::first);
        if (at == reasons.end()) at = reasons.insert(at, {why, ""});
        if (!at->second.ends_with(info.label)) at->second += (at->second.empty() ? "" : ", ") + std::string(info.label);
      }
    }
    if (!reasons.empty() || !has_counters) line();
    for (const auto& [why, rows] : reasons) line("-: " + rows + ": " + why);
    if (!has_counters)
      line(
          "Instruction, IPC and frequency scaling: need counters of all runs (tarry measure --metrics "
          "PAPI_TOT_INS,PAPI_TOT_CYC)");
  }

  void write_notes() {
    bool is_first = true;
    for (const EfficiencyRun& run : table_.runs)
      for (const std::string& note : run.notes) {
        if (std::exchange(is_first, false)) line();
        line("Note: " + (note.starts_with(run.input) ? note : run.input + ": " + note));
      }
  }

  const EfficiencyTable& table_;
  TextStyle style_;
  std::vector<RunSums> sums_;
  std::size_t width_ = kLeastWidth;
  std::string text_;
};

}  // namespace

std::string efficiency_text(const EfficiencyTable& table, TextStyle style) {
  return EfficiencyText(table, style).write();
}

}  // namespace tarry
