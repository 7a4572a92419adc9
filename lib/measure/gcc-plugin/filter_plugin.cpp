// filter_plugin.cpp -- a GCC plug-in: takes the calls of the hooks out of functions that a filter file excludes.
//
// GCC puts the calls in before any pass runs. This pass removes them again. It comes right behind the control flow
// graph, before functions are inlined into others. So a function that is left out costs nothing at all.
#include "defs/code_places.hpp"
#include "defs/region_filter.hpp"

// What the headers of GCC poison must be included before them.
#include <gcc-plugin.h>

#include <plugin-version.h>

#include <tree.h>

#include <basic-block.h>
#include <context.h>
#include <diagnostic-core.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <langhooks.h>
#include <tree-pass.h>

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

namespace {

tarry::RegionFilter g_filter;

bool is_excluded(tree function) {
  const std::string mangled = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
  const char* plain = DECL_NAME(function) ? IDENTIFIER_POINTER(DECL_NAME(function)) : mangled.c_str();
  const bool is_fortran = std::string_view(lang_hooks.name).find("Fortran") != std::string_view::npos;
  const std::string name = is_fortran ? tarry::fortran_name(mangled, plain) : tarry::demangle(mangled);
  return !g_filter.includes(name, mangled, DECL_SOURCE_FILE(function));
}

const pass_data kPass = {GIMPLE_PASS, "tarry_filter", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

class FilterPass : public gimple_opt_pass {
 public:
  FilterPass() : gimple_opt_pass(kPass, g) {}

  unsigned int execute(function* fun) override {
    if (!is_excluded(fun->decl)) return 0;
    basic_block block;
    FOR_EACH_BB_FN(block, fun) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
        const gimple* statement = gsi_stmt(at);
        if (gimple_call_builtin_p(statement, BUILT_IN_PROFILE_FUNC_ENTER) ||
            gimple_call_builtin_p(statement, BUILT_IN_PROFILE_FUNC_EXIT))
          gsi_remove(&at, true);
        else gsi_next(&at);
      }
    }
    return 0;
  }
};

}  // namespace

__attribute__((visibility("default"))) int plugin_init(plugin_name_args* arguments, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) {
    error("the filter of tarry was built for GCC %s", gcc_version.basever);
    return 1;
  }
  for (int i = 0; i < arguments->argc; ++i) {
    if (std::string_view(arguments->argv[i].key) != "file") continue;
    auto filter = tarry::RegionFilter::read(arguments->argv[i].value);
    if (!filter.ok()) {
      error("%s", filter.error().text().c_str());
      return 1;
    }
    g_filter = std::move(*filter);
  }
  register_pass_info pass = {new FilterPass, "cfg", 1, PASS_POS_INSERT_AFTER};
  register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
  return 0;
}
