// faults.cpp -- the wording of faults, and counting them.
#include "trace/faults.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <utility>

namespace tarry {
namespace {

constexpr int kPlacesPerFault = 5;

struct FaultText {
  std::string_view name;
  std::string_view one;   // "1 unmatched send"
  std::string_view many;  // "2 unmatched sends"
  std::string_view explanation;
};

/// Indexed by Fault.
constexpr std::array<FaultText, static_cast<std::size_t>(Fault::kCount)> kTexts = {{
    {"chunk_damaged", "damaged chunk", "damaged chunks", "The checksum, length or framing of a chunk is wrong."},
    {"chunk_missing", "missing chunk", "missing chunks", "The chunks of a location are not numbered without a gap."},
    {"record_malformed", "malformed record", "malformed records", "A record cannot be decoded."},
    {"location_missing", "missing location", "missing locations", "The events of a location cannot be read at all."},
    {"location_incomplete", "incomplete location", "incomplete locations", "The events of a location end early."},
    {"events_lost", "lost event", "lost events", "The measurement dropped events because its buffers were full."},
    {"undefined_reference", "undefined reference", "undefined references",
     "A record names a region, communicator or process that is not defined."},
    {"leave_without_enter", "leave without enter", "leaves without enter",
     "A region is left that is not the innermost open one."},
    {"unclosed_region", "unclosed region", "unclosed regions", "A region is still open at the end of its location."},
    {"time_backwards", "decreasing time stamp", "decreasing time stamps",
     "A time stamp is smaller than the one before it."},
    {"unmatched_send", "unmatched send", "unmatched sends", "A message was sent and never received."},
    {"unmatched_receive", "unmatched receive", "unmatched receives", "A message was received and never sent."},
    {"unknown_request", "unknown request", "unknown requests", "A request was completed that was never started."},
    {"incomplete_collective", "incomplete collective", "incomplete collectives",
     "Not all members of a communicator took part in a collective operation."},
    {"inconsistent_collective", "inconsistent collective", "inconsistent collectives",
     "The members of a communicator disagree on the operation or its root."},
    {"unknown_record", "unknown record", "unknown records", "A kind of record that this version does not know."},
}};

const FaultText& text_of(Fault fault) { return kTexts[std::min(static_cast<std::size_t>(fault), kTexts.size() - 1)]; }

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Length of the digits at the start of `text`.
std::size_t digits_of(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

/// Order for people: "rank 3" before "rank 10".
bool natural_less(std::string_view left, std::string_view right) {
  while (!left.empty() && !right.empty()) {
    const std::size_t left_digits = digits_of(left);
    const std::size_t right_digits = digits_of(right);
    if (left_digits > 0 && right_digits > 0) {
      const auto number = left.substr(0, left_digits);
      const auto other = right.substr(0, right_digits);
      if (number != other) return std::pair(left_digits, number) < std::pair(right_digits, other);
      left.remove_prefix(left_digits);
      right.remove_prefix(right_digits);
      continue;
    }
    if (left[0] != right[0]) return left[0] < right[0];
    left.remove_prefix(1);
    right.remove_prefix(1);
  }
  return left.size() < right.size();
}

/// A total order, so that what is kept does not depend on which thread came first.
bool is_before(const FaultLog::Place& left, const FaultLog::Place& right) {
  if (left.fault != right.fault) return left.fault < right.fault;
  if (left.location != right.location) return natural_less(left.location, right.location);
  return std::tie(left.position, left.detail) < std::tie(right.position, right.detail);
}

}  // namespace

std::string_view explain(Fault fault) { return text_of(fault).explanation; }

std::string_view name_of(Fault fault) { return text_of(fault).name; }

void FaultLog::add(Fault fault, std::string location, std::uint64_t position, std::string detail, std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  counts_[static_cast<std::size_t>(fault)] += count;
  Place place{fault, std::move(location), position, std::move(detail)};
  places_.insert(std::upper_bound(places_.begin(), places_.end(), place, is_before), std::move(place));
  const auto is_same = [fault](const Place& other) { return other.fault == fault; };
  if (std::count_if(places_.begin(), places_.end(), is_same) > kPlacesPerFault)
    places_.erase(std::find_if(places_.rbegin(), places_.rend(), is_same).base() - 1);
}

std::uint64_t FaultLog::count(Fault fault) const {
  const std::lock_guard lock(mutex_);
  return counts_[static_cast<std::size_t>(fault)];
}

std::uint64_t FaultLog::total() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts_) sum += count;
  return sum;
}

std::vector<FaultLog::Place> FaultLog::places() const {
  const std::lock_guard lock(mutex_);
  return places_;
}

std::string FaultLog::summary() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  std::string kinds;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    sum += counts_[i];
    kinds += (kinds.empty() ? "" : ", ") + std::to_string(counts_[i]) + " ";
    kinds += counts_[i] == 1 ? kTexts[i].one : kTexts[i].many;
    const auto first = std::find_if(places_.begin(), places_.end(),
                                    [i](const Place& place) { return place.fault == static_cast<Fault>(i); });
    if (first == places_.end()) continue;
    // Events are counted within a location, everything else is a place in a file.
    const bool is_event = first->location.starts_with("rank ");
    kinds += " (first: " + first->location;
    if (is_event || first->position > 0) kinds += (is_event ? ", event " : ", byte ") + std::to_string(first->position);
    kinds += ")";
  }
  if (sum == 0) return {};
  return std::to_string(sum) + (sum == 1 ? " record skipped: " : " records skipped: ") + kinds;
}

}  // namespace tarry
