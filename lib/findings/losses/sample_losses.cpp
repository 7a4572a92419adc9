// sample_losses.cpp -- reads and tells how many samples were lost, and why.
#include "findings/losses/sample_losses.hpp"

#include <numeric>
#include <sstream>

#include "base/text/format.hpp"

namespace tarry {

std::uint64_t SampleLosses::all_lost() const { return std::accumulate(lost.begin(), lost.end(), std::uint64_t{0}); }

double SampleLosses::share() const {
  const std::uint64_t wanted = taken + all_lost();
  return wanted > 0 ? static_cast<double>(all_lost()) / static_cast<double>(wanted) : 0;
}

std::optional<SampleLosses> read_sample_losses(const ReportStructure& report) {
  for (const auto& [key, value] : report.attributes) {
    if (key != kSamplesAttribute) continue;
    SampleLosses losses;
    std::istringstream numbers(value);
    numbers >> losses.taken >> losses.inside_calls;
    for (std::uint64_t& count : losses.lost) numbers >> count;
    if (!numbers.fail()) return losses;
  }
  return std::nullopt;
}

std::string sample_losses_text(const SampleLosses& losses) {
  constexpr double kWorthTelling = 0.01;
  if (losses.share() < kWorthTelling) return "";
  std::string text = "SAMPLES LOST: " + format_percent(losses.share()) + " (" + std::to_string(losses.all_lost()) +
                     " of " + std::to_string(losses.taken + losses.all_lost()) + ")";
  const char* before = ": ";
  for (std::size_t why = 0; why < kLostSampleReasons; ++why) {
    if (losses.lost[why] == 0) continue;
    text += before + std::to_string(losses.lost[why]) + " ";
    text += kLostSamples[why].text;
    before = ", ";
  }
  return text;
}

}  // namespace tarry
