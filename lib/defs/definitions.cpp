// definitions.cpp -- names of paradigms and region roles, as CUBE reports spell them.
#include "defs/definitions.hpp"

#include <array>
#include <bit>

#include "base/text/text.hpp"

namespace tarry {
namespace {

/// Indexed by Paradigm. Readers of reports know a closed list of names, hence "unknown" for the rest.
constexpr std::array<std::string_view, 15> kParadigmNames = {
    "unknown", "user",    "compiler", "mpi",    "openmp", "pthread", "measurement", "io",
    "memory",  "unknown", "cuda",     "opencl", "hip",    "openacc", "shmem",
};
static_assert(kParadigmNames.size() == static_cast<std::size_t>(kLastParadigm) + 1);

/// Indexed by RegionRole.
constexpr std::array<std::string_view, 42> kRoleNames = {
    "unknown",
    "function",
    "wrapper",
    "loop",
    "code",
    "phase",
    "dynamic",
    "dynamic phase",
    "dynamic loop",
    "parallel",
    "sections",
    "section",
    "workshare",
    "single",
    "single sblock",
    "master",
    "critical",
    "critical sblock",
    "atomic",
    "barrier",
    "implicit barrier",
    "flush",
    "ordered",
    "ordered sblock",
    "task",
    "untied task",
    "task create",
    "taskwait",
    "thread create",
    "thread wait",
    "point2point",
    "one2all",
    "all2one",
    "all2all",
    "other collective",
    "rma",
    "allocate",
    "deallocate",
    "reallocate",
    "file io",
    "file io metadata",
    "artificial",
};
static_assert(kRoleNames.size() == static_cast<std::size_t>(RegionRole::kArtificial) + 1);

/// Indexed by CounterSource.
constexpr std::array<std::string_view, 6> kSourceNames = {"other", "papi", "rusage", "user", "software", "heap"};
static_assert(kSourceNames.size() == static_cast<std::size_t>(CounterSource::kHeap) + 1);

}  // namespace

std::string_view name_of(CounterSource source) {
  const auto index = static_cast<std::size_t>(source);
  return index < kSourceNames.size() ? kSourceNames[index] : kSourceNames[0];
}

double counter_value(CounterType type, std::uint64_t bits) {
  switch (type) {
    case CounterType::kSigned: return static_cast<double>(static_cast<std::int64_t>(bits));
    case CounterType::kDouble: return std::bit_cast<double>(bits);
    case CounterType::kUnsigned: break;
  }
  return static_cast<double>(bits);
}

double counter_difference(CounterType type, std::uint64_t from, std::uint64_t to) {
  if (type == CounterType::kDouble) return std::bit_cast<double>(to) - std::bit_cast<double>(from);
  // Whole numbers are taken apart before they lose digits. What seems to go back by more than half of the range went
  // round.
  return static_cast<double>(static_cast<std::int64_t>(to - from));
}

std::string counter_text(CounterType type, std::uint64_t bits) {
  switch (type) {
    case CounterType::kSigned: return std::to_string(static_cast<std::int64_t>(bits));
    case CounterType::kDouble: return exact_number(std::bit_cast<double>(bits));
    case CounterType::kUnsigned: break;
  }
  return std::to_string(bits);
}

std::string_view name_of(Paradigm paradigm) {
  const auto index = static_cast<std::size_t>(paradigm);
  return index < kParadigmNames.size() ? kParadigmNames[index] : kParadigmNames[0];
}

std::string_view name_of(RegionRole role) {
  const auto index = static_cast<std::size_t>(role);
  return index < kRoleNames.size() ? kRoleNames[index] : kRoleNames[0];
}

std::vector<std::uint32_t> report_numbers(const Definitions& definitions) {
  std::vector<std::uint32_t> numbers;
  std::uint32_t next = 0;
  for (const Location& location : definitions.locations)
    numbers.push_back(location.is_in_reports() ? next++ : kNoReportNumber);
  return numbers;
}

}  // namespace tarry
