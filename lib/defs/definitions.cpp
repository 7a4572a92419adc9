// definitions.cpp -- names of paradigms and region roles, as CUBE reports spell them.
#include "defs/definitions.hpp"

#include <array>

namespace tarry {
namespace {

/// Indexed by Paradigm. Readers of reports know a closed list of names, hence "unknown" for the rest.
constexpr std::array<std::string_view, 10> kParadigmNames = {
    "unknown", "user", "compiler", "mpi", "openmp", "pthread", "measurement", "io", "memory", "unknown",
};
static_assert(kParadigmNames.size() == static_cast<std::size_t>(Paradigm::kOther) + 1);

/// Indexed by RegionRole.
constexpr std::array<std::string_view, 42> kRoleNames = {
    "unknown",     "function",        "wrapper",        "loop",             "code",
    "phase",       "dynamic",         "dynamic phase",  "dynamic loop",     "parallel",
    "sections",    "section",         "workshare",      "single",           "single sblock",
    "master",      "critical",        "critical sblock", "atomic",          "barrier",
    "implicit barrier", "flush",      "ordered",        "ordered sblock",   "task",
    "untied task", "task create",     "taskwait",       "thread create",    "thread wait",
    "point2point", "one2all",         "all2one",        "all2all",          "other collective",
    "rma",         "allocate",        "deallocate",     "reallocate",       "file io",
    "file io metadata", "artificial",
};
static_assert(kRoleNames.size() == static_cast<std::size_t>(RegionRole::kArtificial) + 1);

}  // namespace

std::string_view name_of(Paradigm paradigm) {
  const auto index = static_cast<std::size_t>(paradigm);
  return index < kParadigmNames.size() ? kParadigmNames[index] : kParadigmNames[0];
}

std::string_view name_of(RegionRole role) {
  const auto index = static_cast<std::size_t>(role);
  return index < kRoleNames.size() ? kRoleNames[index] : kRoleNames[0];
}

}  // namespace tarry
