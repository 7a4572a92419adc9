// launched_world.hpp -- the world that a launcher has started, if it may consist of several programs.
//
// Calls: may block.
#pragma once

#include <string>
#include <string_view>

namespace tarry::measure {

struct LaunchedWorld {
  std::string name;  // the same in all of its processes; empty where there is one program, and where nothing names it
  bool has_several_programs = false;  // by the launcher. Others do not tell how many there are
};

LaunchedWorld launched_world();

/// The world that a proxy of MPICH's launcher (Hydra) starts processes of; empty if it is no such proxy. `command`: the
/// arguments that it was started with, each with a zero behind it.
std::string world_of_hydra_proxy(std::string_view command);

}  // namespace tarry::measure
