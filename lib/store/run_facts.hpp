// run_facts.hpp -- what is known of a run beside its report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"

namespace tarry {

/// A node of it.
struct NodeFacts {
  std::string name;
  std::optional<std::int64_t> cores;
  std::string processor, network;
};

/// Where it ran.
struct MachineFacts {
  std::string name;
  std::vector<NodeFacts> nodes;
  std::string network, clocks, mpi;  // without a network of its own it has that of its nodes

  /// Of all nodes, if they are known.
  std::optional<std::int64_t> cores() const;
  /// Its own, or those of the nodes that differ.
  std::string network_text() const;
};

struct RunFacts {
  std::string source;  // where the report came from
  std::string program;
  std::string revision, flags, modules;  // of the code
  std::string command;
  std::string kind;                           // "analysis", "summary", ...
  std::optional<std::string> started, ended;  // UTC, "2026-01-31T12:00:00Z"
  std::optional<std::int64_t> exit_status;
  std::string incomplete;  // why the report covers a part of the run only; empty if it covers all
  MachineFacts machine;
  std::optional<double> transfer = {};  // what an ideal network would take of the run time; only a trace tells
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<std::string> tags;
};

/// The number that a parameter's value is, if it is one as a whole.
std::optional<double> parameter_number(const std::string& value);

}  // namespace tarry
