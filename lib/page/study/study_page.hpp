// study_page.hpp -- the page of many runs: those of a store.
#pragma once

#include <string>

#include "base/result.hpp"
#include "page/page_template.hpp"
#include "scaling/scale_options.hpp"

namespace tarry {

struct StudyPageOptions {
  ScaleOptions scale;  // the store, which runs, and how they are looked at
  std::string output;
  std::string command;  // as the page shows it
  bool is_redacted = false;
};

/// Writes the page. Fails if the store has no such run.
Status write_study_page(const PageTemplate& page, const StudyPageOptions& options);

}  // namespace tarry
