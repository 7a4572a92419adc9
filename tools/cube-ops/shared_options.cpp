// shared_options.cpp -- options that several operations of tarry cube have.
#include "shared_options.hpp"

namespace tarry {

void add_system_options(CliOptions& line, CliOption, CubeOptions& options) {
  const CliOption reduce =
      line.flag("-c,--reduce", options.is_reduced, "keep only machines and nodes above the processes");
  line.flag("-C,--collapse", options.is_collapsed, "put all processes on one virtual node").not_with(reduce);
  line.flag("--by-name", options.is_by_name, "regions match by name, whatever their files and lines");
}

void add_items(CliOptions& line, CubeOptions& options) {
  line.option("--by", options.by, "region or callpath (default: region)").one_of({"region", "callpath"});
}

void add_format(CliOptions& line, CubeOptions& options) {
  line.option("--format", options.format, "text, github (annotations) or junit (default: text)")
      .one_of({"text", "github", "junit"});
}

}  // namespace tarry
