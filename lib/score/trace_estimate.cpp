// trace_estimate.cpp -- bytes of events whose times and sizes are known only as sums and limits.
#include "score/trace_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/text.hpp"
#include "trace/event_codec.hpp"

namespace tarry {
namespace {

constexpr double kPi = 3.14159265358979;

// Spread of a logarithm where only the mean is known: calls of one region differ by a factor of about three.
constexpr double kUsualSpread = 1.2;

// Intervals shorter than this many ticks belong to functions that do nearly the same each time: the shorter, the less
// they spread.
constexpr double kRegularTicks = 4000;

// What compression leaves of a record beside its time difference, measured on programs of several kinds. Nothing is
// left of enters and leaves, whose order repeats itself. Numbers of requests and partners are left of messages.
constexpr double kDiskBytesPerMessage = 2.5;

// A log-normal distribution of ticks with a given mean.
class Distribution {
 public:
  Distribution(double mean, double spread)
      : spread_(spread), centre_(std::log(std::max(1.0, mean)) - spread * spread / 2) {}

  double below(double ticks) const {
    return 0.5 * (1 + std::erf((std::log(ticks) - centre_) / (spread_ * std::sqrt(2.0))));
  }

  // Mean size of what takes one byte more from each of the limits on.
  double leave_bytes() const {
    const double one = below(0x1p12), two = below(0x1p20), three = below(0x1p28);
    return 2 * one + 3 * (two - one) + 4 * (three - two) + 8 * (1 - three);
  }
  double varint_bytes() const {
    double bytes = 1;
    for (int bits = 7; bits <= 49; bits += 7) bytes += 1 - below(std::ldexp(1.0, bits));
    return bytes;
  }

 private:
  double spread_, centre_;
};

// Extremes of n draws lie about sqrt(2 ln n) spreads from the centre.
double spread_of(const PathFacts& facts) {
  if (facts.child_visits > 0 || facts.visits < 3 || facts.min_seconds <= 0 || facts.max_seconds <= facts.min_seconds)
    return kUsualSpread;
  const double widths = 2 * std::sqrt(2 * std::log(facts.visits));
  return std::clamp(std::log(facts.max_seconds / facts.min_seconds) / widths, 0.3, 3.0);
}

double field_bytes(double value) { return std::max(1.0, std::ceil(std::log2(value + 1) / 7)); }

// Records of one call of an MPI function beside its enter and leave. `late` ones carry the time the call took.
struct CallRecords {
  double early = 0, early_bytes = 0;
  double late = 0, late_bytes = 0;
};

CallRecords records_of(const ReportRegion& region, const PathFacts& facts) {
  constexpr double kHead = 2, kPlace = 3, kRequest = 2;  // code and time; partner, communicator, tag; request
  const std::string name = plain_name(region.name);
  const double sent = field_bytes(facts.bytes_sent / facts.visits);
  const double received = field_bytes(facts.bytes_received / facts.visits);
  const auto is = [&name](std::initializer_list<std::string_view> names) { return is_one_of(name, names); };
  CallRecords records;
  if (is({"mpi_send", "mpi_ssend", "mpi_bsend", "mpi_rsend", "mpi_sendrecv", "mpi_sendrecv_replace"})) {
    records.early = 1;
    records.early_bytes = kHead + kPlace + sent;
  }
  if (is({"mpi_recv", "mpi_mrecv", "mpi_sendrecv", "mpi_sendrecv_replace"})) {
    records.late = 1;
    records.late_bytes = 1 + kPlace + received;
  }
  // What is begun here is completed elsewhere; both records are counted where it begins.
  if (is({"mpi_isend", "mpi_issend", "mpi_ibsend", "mpi_irsend"})) {
    records.early = 2;
    records.early_bytes = kHead + kPlace + sent + kRequest + kHead + kRequest;
  }
  if (is({"mpi_irecv", "mpi_imrecv"})) {
    records.early = 2;
    records.early_bytes = kHead + kRequest + kHead + kPlace + 2 + kRequest;
  }
  if (is_one_of(region.role, {"barrier", "one2all", "all2one", "all2all", "other collective"})) {
    records.early = 1;
    records.early_bytes = kHead;
    records.late = 1;
    records.late_bytes = 1 + 3 + sent + received;
  }
  return records;
}

// Entropy of a log-normal distribution of ticks with this mean.
double random_bits(double mean) {
  const double spread = kUsualSpread * std::min(1.0, mean / kRegularTicks);
  const double median = std::max(1.0, mean) * std::exp(-spread * spread / 2);
  return std::log2(std::max(1.0, median * spread * std::sqrt(2 * kPi * std::exp(1.0))));
}

}  // namespace

PathRecords estimate_records(const ReportRegion& region, const PathFacts& facts, double ticks_per_second) {
  const double intervals = facts.visits + facts.child_visits;
  if (intervals <= 0) return {};
  const Distribution ticks(facts.seconds / intervals * ticks_per_second, spread_of(facts));
  PathRecords records;
  records.events = 2 * facts.visits;
  // Each interval ends with a leave of this path or an enter of a child, which takes a byte more for its region. Enters
  // of this path itself are charged to it, as if its parent's intervals were like its own.
  records.buffer_bytes = facts.visits * (2 * ticks.leave_bytes() + 1);
  if (region.paradigm != "mpi" || facts.visits <= 0) return records;
  const CallRecords call = records_of(region, facts);
  records.events += facts.visits * (call.early + call.late);
  records.buffer_bytes += facts.visits * (call.early_bytes + call.late_bytes);
  // A record at the end takes the call's time, the leave after it none.
  if (call.late > 0) records.buffer_bytes += facts.visits * (ticks.varint_bytes() + 2 - ticks.leave_bytes());
  return records;
}

double estimate_disk_bytes(double events, double visits, double own_ticks, double caller_ticks) {
  return visits * (random_bits(own_ticks) + random_bits(caller_ticks)) / 8 +
         std::max(0.0, events - 2 * visits) * kDiskBytesPerMessage;
}

}  // namespace tarry
