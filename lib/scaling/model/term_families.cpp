// term_families.cpp -- which products of parameters the terms of a model have.
#include "scaling/model/term_families.hpp"

#include <algorithm>

namespace tarry {
namespace {

// Appends all families that continue `family` with sets from `next` on.
void add_families(std::size_t parameters, ParameterSet next, TermFamily& family, std::vector<TermFamily>& families) {
  const auto all = static_cast<ParameterSet>((1u << parameters) - 1);
  ParameterSet covered = 0;
  for (const ParameterSet set : family) covered |= set;
  if (covered == all && !family.empty()) families.push_back(family);
  if (family.size() == parameters) return;
  for (ParameterSet set = next; set <= all; ++set) {
    family.push_back(set);
    add_families(parameters, static_cast<ParameterSet>(set + 1), family, families);
    family.pop_back();
  }
}

}  // namespace

std::vector<TermFamily> covering_families(std::size_t parameters) {
  std::vector<TermFamily> families;
  TermFamily family;
  add_families(parameters, 1, family, families);
  std::stable_sort(families.begin(), families.end(),
                   [](const TermFamily& left, const TermFamily& right) { return left.size() < right.size(); });
  return families;
}

}  // namespace tarry
