// scale_command.cpp -- the options of tarry scale, and whether they go together.
#include "scale_command.hpp"

namespace tarry {
namespace {

// These return what is wrong with the word, or nothing.

std::string read_by(const std::string& word, ScaleCommand& command) {
  command.is_by_region = word == "region";
  return word == "region" || word == "callpath" ? "" : "--by: '" + word + "' is neither region nor callpath";
}

std::string read_value(const std::string& word, ScaleCommand& command) {
  command.value = word == "sum" ? ThreadValue::kSum : word == "max" ? ThreadValue::kMaximum : ThreadValue::kMean;
  return word == "mean" || word == "sum" || word == "max" ? "" : "--value: '" + word + "' is none of mean, sum, max";
}

std::string read_like(const std::string& word, ScaleCommand& command) {
  command.is_like_reference = word == "extra-p";
  return word == "extra-p" ? "" : "--like: '" + word + "' is no tool whose choice Tarry knows, but extra-p is";
}

void add_source_options(CliOptions& cli, ScaleCommand& command) {
  cli.option("RUN", command.runs, "archives or reports; with --store: numbers, tags or keys of runs");
  cli.option("--points", command.points, "read values from this table instead: callpath,metric,PARAMETER...,value");
  cli.option("--store", command.store, "take the runs of this store: FILE.db or postgresql://...");
  cli.option("--where", command.where, "only runs that meet these conditions: 'n = 512 and ranks >= 4'");
  cli.option("--metric", command.metrics, "model these metrics of runs (default: time, visits, bytes_sent, bytes_rcvd)")
      .one_at_a_time();
}

void add_model_options(CliOptions& cli, ScaleCommand& command) {
  const auto by = [&command](const std::string& word) { return read_by(word, command); };
  cli.option("--by", by, "a row for each region or callpath (default: callpath)").value_name("WHAT");
  const auto value = [&command](const std::string& word) { return read_value(word, command); };
  cli.option("--value", value, "of the values of all threads: mean, sum or max (default: mean)").value_name("WHICH");
  const auto scaling = [&command](const std::string& word) { return read_scaling(word, command); };
  cli.option("--scaling", scaling, "the problem is as large in all runs, or grows with them (default: strong)")
      .value_name("strong|weak");
  const auto like = [&command](const std::string& word) { return read_like(word, command); };
  cli.option("--like", like, "choose models as another tool does").value_name("extra-p");
  const auto at = [&command](const std::string& text) { return read_places(text, command); };
  cli.option("--at", at, "predict for these parameters (default: 100000 processes)").value_name("N|PARAMETER=N,...");
}

}  // namespace

void add_command_options(CliOptions& cli, ScaleCommand& command) {
  add_source_options(cli, command);
  add_model_options(cli, command);
  cli.option("--top", command.top, "lines of each table; 0 for all (default: 20)");
  cli.option("--svg", command.plots, "write plots into this folder").value_name("FOLDER");
  cli.workers(command.workers, "threads (default: all processors)");
  cli.memory(command.memory,
             "keep the records of a trace below this many bytes of memory (1G), with temporary files in $TMPDIR");
}

std::string check_command(const ScaleCommand& command) {
  const int sources = !command.points.empty() + (!command.runs.empty() || !command.store.empty());
  if (sources != 1) return "name runs, a store (--store), or a table of values (--points)";
  if (!command.points.empty() && (!command.where.empty() || !command.metrics.empty() || command.is_by_region))
    return "--where, --metric and --by are of runs, not of --points";
  return "";
}

}  // namespace tarry
