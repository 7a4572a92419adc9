// files_output.hpp -- the table of files, for people and for programs.
#pragma once

#include <string>

#include "report/tables/file_table.hpp"

namespace tarry {

/// Those that took the most time, within a screenful.
std::string files_text(FileTable table);

/// All of them by name. Bytes and seconds are those of all processes together.
std::string files_csv(const FileTable& table);
std::string files_json(const FileTable& table);

}  // namespace tarry
