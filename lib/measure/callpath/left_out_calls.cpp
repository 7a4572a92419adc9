// left_out_calls.cpp -- asks groups and rules, and tells the archive.
#include "measure/callpath/left_out_calls.hpp"

#include <algorithm>

#include "defs/region_filter.hpp"
#include "defs/unify.hpp"
#include "measure/callpath/function_regions.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {

constinit LeftOutCalls g_left_out_of_openmp(kOpenMpClass), g_left_out_of_threads(kThreadClass),
    g_left_out_of_files(kFileClass);

bool LeftOutCalls::leaves_out(std::string_view name, std::uint8_t bits, std::string_view prefix) {
  if (!(settings().*kind_.chosen & bits)) return true;
  const RegionFilter::Rule* const rule = region_filter().rule_of_call(name, prefix);
  if (!rule || rule->includes) return false;
  if (!patterns_) patterns_ = new std::vector<std::string>;
  if (!std::ranges::count(*patterns_, rule->pattern)) patterns_->push_back(rule->pattern);
  return true;
}

std::string LeftOutCalls::text() const {
  std::string text;
  if (!is_met_.load(std::memory_order_relaxed)) return text;
  for (const auto& [name, group] : kind_.groups)
    if (!(settings().*kind_.chosen & group))
      text.append(text.empty() ? "" : " ").append(kind_.name).append(":").append(name);
  for (std::size_t i = 0; patterns_ && i < patterns_->size(); ++i)
    text.append(text.empty() ? "" : " ").append((*patterns_)[i]);
  return text;
}

void describe_left_out_calls() {
  std::string all;
  for (const LeftOutCalls* calls : {&g_left_out_of_openmp, &g_left_out_of_threads, &g_left_out_of_files})
    if (const std::string text = calls->text(); !text.empty()) all.append(all.empty() ? "" : " ").append(text);
  if (!all.empty()) definitions().add_property(kCallsLeftOutKey, all);
}

}  // namespace tarry::measure
