// imbalance_data.cpp -- load balance and processors as JSON.
#include "findings/imbalance/imbalance_data.hpp"

#include <utility>

#include "report/tree/call_path_tree.hpp"

namespace tarry {
namespace {

using Layout = JsonWriter::Layout;

void add_optional(JsonWriter& out, const char* name, const std::optional<Seconds>& value) {
  out.name(name);
  if (value) out.add(*value);
  else out.add_null();
}

void add_nodes(JsonWriter& out, const std::vector<Oversubscription>& nodes) {
  out.name("oversubscription").begin_array(Layout::kLines);
  for (const Oversubscription& node : nodes) {
    out.begin_object().member("node", node.node).member("processors", node.processors);
    out.member("processes", node.processes).member("threads", node.threads);
    add_optional(out, "delay", node.has_delay ? std::optional(node.delay) : std::nullopt);
    out.member("share", node.share).end();
  }
  out.end();
}

void add_processes(JsonWriter& out, const std::vector<RankProcessors>& ranks) {
  out.name("processors").begin_array(Layout::kLines);
  for (const auto& [rank, use, threads] : ranks) {
    out.begin_object().member("rank", rank.value).member("wall", use.wall).member("cpu", use.cpu);
    out.member("system", use.system);
    add_optional(out, "delay", use.delay);
    out.member("threads_time", use.time_of_threads(threads));
    if (use.worst_time > 0) out.member("worst_delay", use.worst_delay).member("worst_time", use.worst_time);
    out.member("preemptions", use.preemptions).member("waits", use.waits);
    out.member("minor_faults", use.minor_faults).member("major_faults", use.major_faults).end();
  }
  out.end();
}

void add_kind(JsonWriter& out, const ImbalanceKind& kind) {
  out.member("kind", name_of(kind.shape)).member("certainty", kind.certainty).member("mean", kind.mean);
  out.member("median", kind.median).member("least", kind.least).member("most", kind.most);
  out.member("deviation", kind.deviation).member("robust_deviation", kind.robust_deviation);
  out.member("skewness", kind.skewness).member("percentage", kind.percentage).member("separation", kind.separation);
  out.name("groups").begin_array();
  for (const ValueGroup& group : kind.groups)
    out.begin_object().member("size", group.size).member("mean", group.mean).member("deviation", group.deviation).end();
  out.end();
}

void add_imbalance_cause(JsonWriter& out, const CauseFinding& cause) {
  out.begin_object().member("cause", name_of(cause.cause)).member("rank", cause.rank.value);
  out.member("seconds", cause.seconds).member("share", cause.share).member("correlation", cause.correlation);
  out.member("is_of_region", cause.is_of_region).member("events", cause.events).end();
}

// The members that the computation as a whole has, too.
void add_judgement(JsonWriter& out, const RegionImbalance& found) {
  out.member("seconds", found.seconds).member("impact", found.impact).member("excess", found.excess);
  out.member("visitors", found.visitors).member("worst", found.worst.value);
  for (const auto& [name, ranks] : {std::pair("minority", &found.minority), std::pair("highest", &found.highest)}) {
    out.name(name).begin_array();
    for (const ReportRank rank : *ranks) out.add(rank.value);
    out.end();
  }
  add_kind(out, found.kind);
}

void add_region(JsonWriter& out, const Report& report, const RegionImbalance& found) {
  out.begin_object().member("region", report.structure.regions[found.region].name);
  out.member("callpath", call_path_text(report.structure, found.call_path));
  out.member("is_of_callpath", found.is_of_path).member("class", name_of(found.time_class));
  add_judgement(out, found);
  add_optional(out, "cost", found.cost);
  out.name("causes").begin_array();
  for (const CauseFinding& cause : found.causes) add_imbalance_cause(out, cause);
  out.end().end();
}

void add_pair(JsonWriter& out, const Report& report, const Imbalances& all, const ImbalancePair& pair) {
  out.begin_object().name("regions").begin_array();
  for (const std::size_t region : {pair.first, pair.second})
    out.add(report.structure.regions[all.regions[region].region].name);
  out.end().member("kind", pair.kind == Interference::kCancelling ? "cancelling" : "aggravating");
  out.member("correlation", pair.correlation).member("apart", pair.apart).member("together", pair.together);
  add_optional(out, "cost", pair.cost);
  out.member("is_synchronised", pair.is_synchronised).end();
}

}  // namespace

void add_imbalances(JsonWriter& out, const Report& report, const Findings& findings) {
  add_nodes(out, findings.processors.oversubscription);
  add_processes(out, findings.processors.ranks);
  const Imbalances& all = findings.imbalances;
  out.name("load_balance").begin_object(Layout::kLines).name("computation");
  if (all.all) {
    out.begin_object();
    add_judgement(out, *all.all);
    out.end();
  } else {
    out.add_null();
  }
  out.name("regions").begin_array(Layout::kLines);
  for (const RegionImbalance& found : all.regions) add_region(out, report, found);
  out.end().name("pairs").begin_array(Layout::kLines);
  for (const ImbalancePair& pair : all.pairs) add_pair(out, report, all, pair);
  out.end().end();
}

}  // namespace tarry
