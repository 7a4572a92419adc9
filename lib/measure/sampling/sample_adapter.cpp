// sample_adapter.cpp -- samples of all threads: started when they begin, stopped when they end, counted at the end.
#include <numeric>
#include <string>
#include <utility>

#include "defs/unify.hpp"
#include "measure/callpath/call_path_slot.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/processor/processor.hpp"
#include "measure/sampling/sampler.hpp"

namespace tarry::measure {
namespace {

void prepare_samples(const ProcessFacts&) {
  if (settings().sample_rate && processor::kHasCallPaths && !prepare_sampling())
    say("no signal or memory for samples: none are taken");
}

void start_sampler(Thread& thread) {
  if (settings().sample_rate && kCallPath.of(thread)) kSampler.of(thread) = ThreadSampler::start(settings());
}

Ticks stop_sampler(Thread& thread, Ticks time) {
  if (ThreadSampler* const sampler = kSampler.of(thread)) sampler->stop(&thread == t_thread);
  return time;
}

// Of threads that have left, for callers that hold the lock of the threads.
SampleCounts g_counts_of_ended;

void free_sampler(Thread& thread) {
  ThreadSampler* const sampler = std::exchange(kSampler.of(thread), nullptr);
  if (!sampler) return;
  g_counts_of_ended.add(sampler->counts());
  delete sampler;
}

void describe_samples(double ticks_per_second) {
  if (!settings().sample_rate) return;
  SampleCounts all = g_counts_of_ended;
  for (const Thread* thread = first_thread(); thread; thread = thread->next)
    if (const ThreadSampler* const sampler = kSampler.of(*thread)) all.add(sampler->counts());
  definitions().add_property(kSamplesKey, std::to_string(all.taken));
  definitions().add_property(kSamplesInsideKey, std::to_string(all.inside_calls));
  definitions().add_property(kSamplesLostKey,
                             std::to_string(std::accumulate(all.lost.begin(), all.lost.end(), std::uint64_t{0})));
  for (std::size_t why = 0; why < all.lost.size(); ++why)
    if (all.lost[why] > 0)
      definitions().add_property(std::string(kLostSamples[why].key), std::to_string(all.lost[why]));
  const double seconds = static_cast<double>(all.ticks) / ticks_per_second;
  definitions().add_property(kSampleTimeKey, std::to_string(static_cast<std::uint64_t>(seconds * 1e9)));
}

void forget_samplers() {
  for (Thread* thread = first_thread(); thread; thread = thread->next)
    if (ThreadSampler* const sampler = kSampler.of(*thread)) sampler->forget();
}

}  // namespace

constinit const Adapter kSampleAdapter = {
    .starting = prepare_samples,
    .thread_has_begun = start_sampler,
    .thread_ends = stop_sampler,
    .thread_leaves = free_sampler,
    .thread_created = keep_sample_signal,
    .describe_costs = describe_samples,
    .left_to_parent = forget_samplers,
};

}  // namespace tarry::measure
