// paraver_names.cpp -- the parts of a Paraver trace that name things.
#include "convert/paraver/paraver_names.hpp"

#include <ctime>
#include <map>
#include <set>

#include "base/text/text.hpp"
#include "convert/paraver/paraver_numbers.hpp"
#include "defs/location_label.hpp"

namespace tarry {
namespace {

using namespace paraver;

/// Some functions of MPI share a value.
void add_name(std::string& names, const std::string& name) {
  constexpr std::size_t kMostNames = 200;
  const std::string between = " or ";
  const auto fenced = [&](const std::string& text) { return between + plain_name(text) + between; };
  if (names.empty()) names = name;
  if (fenced(names).find(fenced(name)) == std::string::npos && names.size() < kMostNames) names += between + name;
}

}  // namespace

std::string paraver_line(std::string_view text, const char* unnamed) {
  std::string line(text.empty() ? unnamed : text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return line;
}

void append_paraver_type(std::string& pcf, std::uint32_t type, const std::string& name,
                         const std::map<std::uint32_t, std::string>& values) {
  pcf += "EVENT_TYPE\n9    " + std::to_string(type) + "    " + name + "\n";
  if (!values.empty()) {
    pcf += "VALUES\n";
    for (const auto& [value, text] : values) pcf += std::to_string(value) + "      " + text + "\n";
  }
  pcf += "\n\n";
}

ParaverObjects::ParaverObjects(const Definitions& all) : all_(all), texts_(all.locations.size()) {
  std::map<std::uint32_t, std::uint32_t> nodes;  // by system node
  for (const Process& process : all.processes) {
    const auto [at, is_new] = nodes.emplace(process.node.value, static_cast<std::uint32_t>(node_names_.size()));
    node_of_process_.push_back(at->second);
    if (!is_new) continue;
    const std::string_view name =
        process.node.is_valid() ? all.text(all.system_nodes[process.node.value].name) : std::string_view();
    node_names_.push_back(paraver_line(name, "node"));
  }
  cpus_.resize(node_names_.size());
  for (std::size_t i = 0; i < all.locations.size(); ++i)
    cpus_[node_of_process_[all.locations[i].process.value]].push_back(static_cast<std::uint32_t>(i));
  std::uint32_t cpu = 0;
  for (const auto& node : cpus_)
    for (const std::uint32_t i : node) {
      const Location& location = all.locations[i];
      texts_[i] = ":" + std::to_string(++cpu) + ":1:" + std::to_string(location.process.value + 1) + ":" +
                  std::to_string(location.thread + 1);
    }
}

std::string ParaverObjects::header(std::int64_t end, const Clock& clock) const {
  const std::time_t when = static_cast<std::time_t>(clock.epoch_ns / 1000000000);
  std::tm date{};
  ::gmtime_r(&when, &date);
  char text[64];
  std::strftime(text, sizeof text, "#Paraver (%d/%m/%Y at %H:%M):", &date);
  std::string line = text + std::to_string(end) + "_ns:" + std::to_string(cpus_.size()) + "(";
  for (std::size_t i = 0; i < cpus_.size(); ++i) line += (i ? "," : "") + std::to_string(cpus_[i].size());
  std::vector<std::size_t> threads(all_.processes.size());
  for (const Location& location : all_.locations) ++threads[location.process.value];
  line += "):1:" + std::to_string(threads.size()) + "(";
  for (std::size_t i = 0; i < threads.size(); ++i)
    line += (i ? "," : "") + std::to_string(threads[i]) + ":" + std::to_string(node_of_process_[i] + 1);
  line += ")";
  std::map<std::uint32_t, std::size_t> task_of_rank;
  for (std::size_t i = 0; i < all_.processes.size(); ++i) task_of_rank.emplace(all_.processes[i].rank, i + 1);
  std::string comms;
  std::size_t count = 0;
  for (std::size_t i = 0; i < all_.comms.size(); ++i) {
    if (!all_.comms[i].group.is_valid() || all_.groups[all_.comms[i].group.value].has_locations()) continue;
    std::string tasks;
    std::set<std::size_t> members;  // of a team of threads, a process is a member many times
    for (const std::uint32_t rank : all_.groups[all_.comms[i].group.value].members)
      if (const auto task = task_of_rank.find(rank); task != task_of_rank.end())
        if (members.insert(task->second).second) tasks += ":" + std::to_string(task->second);
    if (members.empty()) continue;
    comms += "c:1:" + std::to_string(i + 1) + ":" + std::to_string(members.size()) + tasks + "\n";
    ++count;
  }
  return line + "," + std::to_string(count) + "\n" + comms;
}

std::string ParaverObjects::row_file(const std::vector<std::string>& labels) const {
  std::string cpus, nodes, tasks, threads;
  std::size_t cpu_count = 0;
  for (std::size_t node = 0; node < cpus_.size(); ++node) {
    nodes += node_names_[node] + "\n";
    for (std::size_t i = 0; i < cpus_[node].size(); ++i, ++cpu_count)
      cpus += std::to_string(i + 1) + "." + node_names_[node] + "\n";
  }
  for (const Process& process : all_.processes) tasks += "Rank " + std::to_string(process.rank) + "\n";
  for (std::size_t i = 0; i < all_.locations.size(); ++i) {
    const Location& location = all_.locations[i];
    threads += "Rank " + std::to_string(all_.processes[location.process.value].rank) + " " +
               (labels.empty() ? location_label(all_, location) : labels[i]) + "\n";
  }
  return "LEVEL CPU SIZE " + std::to_string(cpu_count) + "\n" + cpus + "\nLEVEL NODE SIZE " +
         std::to_string(cpus_.size()) + "\n" + nodes + "\nLEVEL TASK SIZE " + std::to_string(all_.processes.size()) +
         "\n" + tasks + "\nLEVEL THREAD SIZE " + std::to_string(all_.locations.size()) + "\n" + threads;
}

std::string paraver_states() {
  std::string pcf =
      "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\nLOOK_BACK           100\n"
      "SPEED               1\nFLAG_ICONS          ENABLED\nNUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n\n"
      "DEFAULT_SEMANTIC\n\nTHREAD_FUNC          State As Is\n\n\nSTATES\n";
  const auto& states = state_labels();
  for (std::size_t i = 0; i < states.size(); ++i) pcf += std::to_string(i) + "    " + states[i].name + "\n";
  pcf += "\n\nSTATES_COLOR\n";
  for (std::size_t i = 0; i < states.size(); ++i)
    pcf += std::to_string(i) + "    {" + std::to_string(states[i].red) + "," + std::to_string(states[i].green) + "," +
           std::to_string(states[i].blue) + "}\n";
  return pcf + "\n\n";
}

std::string paraver_pcf(const Definitions& all, const Overlays& overlays) {
  std::string pcf = paraver_states();
  const std::vector<RegionNumbers> numbers = numbers_of(all);
  std::map<std::uint32_t, std::map<std::uint32_t, std::string>> types;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    auto& values = types[numbers[i].type];
    values[0] = numbers[i].type == kUserFunction ? "End" : "Outside MPI";
    add_name(values[numbers[i].value], paraver_line(all.text(all.regions[i].name), "(no name)"));
  }
  for (const auto& [type, values] : types) append_paraver_type(pcf, type, type_name(type), values);
  append_paraver_type(pcf, kSendSize, "Send Size in MPI Global OP", {});
  append_paraver_type(pcf, kReceiveSize, "Recv Size in MPI Global OP", {});
  append_paraver_type(pcf, kIsRoot, "Root in MPI Global OP", {{0, "no"}, {1, "yes"}});
  std::map<std::uint32_t, std::string> comms;
  for (std::size_t i = 0; i < all.comms.size(); ++i)
    comms[static_cast<std::uint32_t>(i + 1)] = paraver_line(all.text(all.comms[i].name), "(no name)");
  append_paraver_type(pcf, kCommunicator, "Communicator in MPI Global OP", comms);
  append_paraver_type(pcf, kFlushing, "Flushing Traces", {{0, "End"}, {1, "Begin"}});
  for (std::size_t i = 0; i < all.counters.size(); ++i) {
    const std::string unit(all.text(all.counters[i].unit));
    append_paraver_type(pcf, kCounters + static_cast<std::uint32_t>(i),
                        paraver_line(all.text(all.counters[i].name), "(no name)") +
                            (unit.empty() ? "" : " [" + paraver_line(unit, "") + "]"),
                        {});
  }
  if (overlays.empty()) return pcf;
  std::map<std::uint32_t, std::string> kinds{{0, "End"}};
  for (std::size_t i = 0; i < overlays.kinds.size(); ++i) kinds[static_cast<std::uint32_t>(i + 1)] = overlays.kinds[i];
  append_paraver_type(pcf, kWaitState, "Wait state", kinds);
  append_paraver_type(pcf, kWaitMicroseconds, "Wait state, microseconds", {});
  append_paraver_type(pcf, kDelayCause, "Causes the wait state", kinds);
  append_paraver_type(pcf, kCriticalPath, "Critical path", {{0, "End"}, {1, "On the critical path"}});
  return pcf;
}

}  // namespace tarry
