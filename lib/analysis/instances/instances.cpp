// instances.cpp -- single waits: collected per process, merged in an order that does not depend on who found them.
#include "analysis/instances/instances.hpp"

#include <algorithm>
#include <tuple>

namespace tarry {

bool WaitInstance::is_before(const WaitInstance& other) const {
  const auto order = [](const WaitInstance& i) {
    return std::tuple(-i.wait, i.enter, i.rank, i.thread, i.begin, i.exit, i.cause.rank, i.cause.thread, i.path,
                      i.cause.path, i.cause.collective);
  };
  return order(*this) < order(other);
}

namespace {

bool is_before(const WaitInstance& a, const WaitInstance& b) { return a.is_before(b); }

}  // namespace

void InstanceCollector::keep(OfKind& kind, const WaitInstance& instance) const {
  if (kind.heap.size() == most_) {
    if (most_ == 0 || !instance.is_before(kind.heap.front())) return;
    std::pop_heap(kind.heap.begin(), kind.heap.end(), is_before);
    kind.heap.pop_back();
  }
  kind.heap.push_back(instance);
  std::push_heap(kind.heap.begin(), kind.heap.end(), is_before);
}

void InstanceCollector::add(const WaitInstance& instance) {
  OfKind& kind = kinds_[instance.metric];
  kind.statistics.add(instance.wait);
  keep(kind, instance);
}

void InstanceCollector::merge(const InstanceCollector& other) {
  const std::lock_guard lock(mutex_);
  for (const auto& [metric, from] : other.kinds_) {
    OfKind& into = kinds_[metric];
    into.statistics.merge(from.statistics);
    for (const WaitInstance& instance : from.heap) keep(into, instance);
  }
}

Instances InstanceCollector::gather(Exchange& exchange) {
  Instances all = exchange.size() == 1 ? take_own() : gather_all(exchange);
  for (auto& [metric, kind] : all) std::sort(kind.worst.begin(), kind.worst.end(), is_before);
  return all;
}

// Without the copies that many waits would need.
Instances InstanceCollector::take_own() {
  Instances all;
  for (auto& [metric, kind] : kinds_) all[metric] = {kind.statistics, std::move(kind.heap)};
  return all;
}

Instances InstanceCollector::gather_all(Exchange& exchange) const {
  MessageBuffer worst;
  MessageBuffer statistics;
  for (const auto& [metric, kind] : kinds_) {
    worst.put_all(kind.heap);
    statistics.put(metric);
    kind.statistics.put(statistics);
  }
  Instances all;
  std::vector<MessageBuffer> copies(static_cast<std::size_t>(exchange.size()), worst);
  InstanceCollector merged(most_);
  for (MessageBuffer& arrived : exchange.all_to_all(std::move(copies)))
    while (!arrived.is_read())
      for (const WaitInstance& instance : arrived.get_all<WaitInstance>())
        merged.keep(merged.kinds_[instance.metric], instance);
  for (MessageBuffer& arrived : exchange.gather(std::move(statistics)))
    while (!arrived.is_read()) {
      const auto metric = arrived.get<Metric>();
      all[metric].statistics.merge(WaitStatistics::get(arrived));
    }
  for (auto& [metric, kind] : merged.kinds_) all[metric].worst = std::move(kind.heap);
  return all;
}

void unify_paths(const Trace& trace, const UnifiedTree& unified, Instances& instances) {
  const auto to_unified_path = [&](RankIndex rank, PathIndex path) {
    return path == kNoPath ? kNoPath : unified.to_unified[rank][path];
  };
  // Every process fills in what it hosts; process 0 puts the parts together.
  MessageBuffer buffer;
  for (auto& [metric, kind] : instances)
    for (WaitInstance& instance : kind.worst) {
      instance.path = trace.is_hosted(instance.rank) ? to_unified_path(instance.rank, instance.path) : kNoPath;
      WaitCause& cause = instance.cause;
      if (!cause.rank.is_valid()) continue;
      if (!trace.is_hosted(cause.rank)) {
        cause.path = kNoPath;
        continue;
      }
      if (cause.collective.is_valid()) {
        const LogicalRank& rank = trace.ranks()[cause.rank];
        const MpiCall& call = rank.calls[rank.collectives[cause.collective].start_call];
        cause.thread = call.thread;
        cause.path = call.path;
      }
      cause.path = to_unified_path(cause.rank, cause.path);
      if (instance.delay_path == kNoPath) instance.delay_path = cause.path;
    }
  if (trace.exchange().size() > 1)
    for (const auto& [metric, kind] : instances) buffer.put_all(kind.worst);
  for (MessageBuffer& arrived : trace.exchange().gather(std::move(buffer)))
    for (auto& [metric, kind] : instances) {
      if (arrived.is_read()) break;
      const auto part = arrived.get_all<WaitInstance>();
      for (std::size_t i = 0; i < part.size(); ++i) {
        WaitInstance& into = kind.worst[i];
        if (part[i].path != kNoPath) into.path = part[i].path;
        if (part[i].cause.path == kNoPath) continue;
        into.cause = part[i].cause;
        into.delay_path = part[i].delay_path;
        into.why = part[i].why;
      }
    }
  for (auto& [metric, kind] : instances)
    for (WaitInstance& instance : kind.worst) {
      instance.world_rank = trace.ranks()[instance.rank].rank;
      if (instance.cause.rank.is_valid()) instance.cause.world_rank = trace.ranks()[instance.cause.rank].rank;
    }
}

}  // namespace tarry
