// empty_archive.hpp -- an archive in which nothing was recorded makes room for the next run of that name.
#pragma once

#include <string>

namespace tarry {

/// Removes the folder `name` if it is an archive that says that nothing was recorded, and holds nothing else. Of
/// several processes that want the name, one does so, and the others wait for it.
void make_room_for(const std::string& name);

}  // namespace tarry
