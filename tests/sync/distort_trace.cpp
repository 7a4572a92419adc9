// distort_trace.cpp -- makes the trace of a cluster with bad clocks of a trace of one good clock.
//
// usage: distort_trace TRACE ARCHIVE NODES ERROR [--measured] [--seed N]
//
// The ranks of TRACE (archive or OTF2) are spread over NODES nodes in blocks. The clock of each but the first gets an
// offset of up to ERROR seconds, a drift, and two slow waves that make the drift vary. Over the run these add up to
// ERROR seconds each, but no clock runs more than 200 ppm too fast or too slow.
// --measured: offsets to the first node are recorded at the start and the end of the run, as a measurement does, to a
// microsecond. The order of the events of a location stays as it is.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "archive/writing/archive_writer.hpp"
#include "archive/reading/open_source.hpp"

namespace {

using namespace tarry;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "distort_trace: %s\n", why.c_str());
  std::exit(1);
}

// How far a clock is ahead of the true time.
struct BadClock {
  double offset = 0, drift = 0, waves[2] = {0, 0}, phases[2] = {0, 0};  // ticks; over the whole run

  Ticks at(Ticks time, Ticks first, Ticks span) const {
    const double part = static_cast<double>(time - first) / static_cast<double>(span);
    const double error = offset + drift * part + waves[0] * std::sin(2 * M_PI * part + phases[0]) +
                         waves[1] * std::sin(4 * M_PI * part + phases[1]);
    return time + std::llround(error);
  }
};

struct Span {
  Ticks first = std::numeric_limits<Ticks>::max(), last = std::numeric_limits<Ticks>::min();
  Ticks length() const { return std::max<Ticks>(1, last - first); }
};

Span span_of(Source& source) {
  Span span;
  for (std::size_t l = 0; l < source.definitions().locations.size(); ++l) {
    const auto reader = source.open(LocationId(l));
    for (auto block = reader->next(); !block.empty(); block = reader->next()) {
      span.first = std::min(span.first, block.front().time);
      span.last = std::max(span.last, block.back().time);
    }
  }
  return span;
}

std::vector<BadClock> make_clocks(std::size_t nodes, double error, Ticks length, std::mt19937& random) {
  constexpr double kRate = 50e-6;  // of the drift and each of the waves
  std::uniform_real_distribution<double> part(-1, 1);
  const double most = static_cast<double>(length) * kRate;
  std::vector<BadClock> clocks(nodes);
  for (std::size_t n = 1; n < nodes; ++n) {
    BadClock& clock = clocks[n];
    clock.offset = error * part(random);
    clock.drift = std::min(error, most) * part(random);
    for (int w = 0; w < 2; ++w) {
      clock.waves[w] = std::min(error / 2, most / (2 * M_PI * (w + 1))) * part(random);
      clock.phases[w] = M_PI * part(random);
    }
  }
  return clocks;
}

void put_on_nodes(Definitions& all, std::size_t nodes) {
  all.system_nodes.clear();
  const StringId node_class = all.strings.intern("node");
  for (std::size_t n = 0; n < nodes; ++n)
    all.system_nodes.push_back({all.strings.intern("node" + std::to_string(n)), node_class, {}});
  for (std::size_t p = 0; p < all.processes.size(); ++p)
    all.processes[p].node = SystemNodeId(p * nodes / all.processes.size());
}

void measure(Definitions& all, const std::vector<BadClock>& clocks, const Span& span, std::mt19937& random) {
  std::normal_distribution<double> noise(0, 1e-6 * all.clock.ticks_per_second / 3);
  std::vector<ClockOffset> offsets;
  for (const BadClock& clock : clocks)
    for (const Ticks at : {span.first, span.last}) {
      const Ticks local = clock.at(at, span.first, span.length());
      offsets.push_back({{}, local, at - local + std::llround(noise(random))});
    }
  for (std::size_t p = 0; p < all.processes.size(); ++p) {
    const std::size_t node = all.processes[p].node.value;
    for (std::size_t i = 2 * node; node > 0 && i < 2 * node + 2; ++i) {
      offsets[i].process = ProcessId(p);
      all.clock_offsets.push_back(offsets[i]);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) give_up("usage: distort_trace TRACE ARCHIVE NODES ERROR [--measured] [--seed N]");
  std::mt19937 random(1);
  bool is_measured = false;
  for (int i = 5; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--measured")) is_measured = true;
    if (!std::strcmp(argv[i], "--seed") && i + 1 < argc)
      random.seed(static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10)));
  }
  const std::size_t nodes = std::strtoul(argv[3], nullptr, 10);
  auto source = open_source(argv[1]);
  if (!source.ok()) give_up(source.error().text());
  const Span span = span_of(**source);
  Definitions all = (*source)->definitions();
  put_on_nodes(all, nodes);
  const std::vector<BadClock> clocks =
      make_clocks(nodes, std::strtod(argv[4], nullptr) * all.clock.ticks_per_second, span.length(), random);
  all.clock_offsets.clear();
  if (is_measured) measure(all, clocks, span, random);
  const std::vector<Process> processes = all.processes;
  const std::vector<Location> locations = all.locations;
  auto writer = ArchiveWriter::create(argv[2], std::move(all));
  if (!writer.ok()) give_up(writer.error().text());
  std::vector<Event> events;
  for (std::size_t l = 0; l < locations.size(); ++l) {
    const BadClock& clock = clocks[processes[locations[l].process.value].node.value];
    const auto reader = (*source)->open(LocationId(l));
    for (auto block = reader->next(); !block.empty(); block = reader->next()) {
      events.assign(block.begin(), block.end());
      for (Event& event : events) event.time = clock.at(event.time, span.first, span.length());
      if (const Status status = writer.value().append(LocationId(l), events); !status.ok())
        give_up(status.error().text());
    }
  }
  writer->manifest().clock_domains = static_cast<std::uint32_t>(nodes);
  if (const Status status = writer.value().close(); !status.ok()) give_up(status.error().text());
}
