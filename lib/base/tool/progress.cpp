// progress.cpp -- a bar on the terminal that shows how far a long job is.
#include "base/tool/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/text/format.hpp"
#include "base/tool/log.hpp"
#include "base/text/printable.hpp"

namespace tarry {
namespace {

constexpr std::int64_t kInterval = 100;  // milliseconds
constexpr std::size_t kStepWidth = 24;
constexpr std::size_t kBarWidth = 40;

std::int64_t now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

// What cannot be drawn does not matter.
void put(int descriptor, const std::string& text) {
  if (::write(descriptor, text.data(), text.size()) < 0) return;
}

}  // namespace

Progress::Progress() : Progress(STDERR_FILENO, log_verbosity() != Verbosity::kQuiet && is_for_people(STDERR_FILENO)) {}

std::string Progress::line(const std::string& step, std::uint64_t done, std::uint64_t total, std::size_t width) {
  if (total == 0) return step;
  const double fraction = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<std::size_t>(fraction * static_cast<double>(width));
  return pad_right(step, kStepWidth) + "[" + std::string(filled, '#') + std::string(width - filled, '-') + "] " +
         pad_left(std::to_string(static_cast<int>(fraction * 100)), 3) + "%";
}

void Progress::begin(std::string step, std::uint64_t total) {
  if (!is_shown_) return;
  step_ = printable(step);
  total_ = total;
  done_ = 0;
  if (next_draw_ == 0) next_draw_ = now() + quiet_time_;
  advance(0);
}

// One thread draws; the others go on.
void Progress::advance(std::uint64_t units) {
  done_ += units;
  const std::int64_t time = now();
  if (time < next_draw_ || drawing_.test_and_set()) return;
  next_draw_ = time + kInterval;
  draw();
  drawing_.clear();
}

void Progress::draw() {
  put(descriptor_, "\r\x1b[K" + line(step_, done_, total_, kBarWidth));
  is_drawn_ = true;
}

void Progress::wipe() {
  if (is_drawn_) put(descriptor_, "\r\x1b[K");
  is_drawn_ = false;
}

}  // namespace tarry
