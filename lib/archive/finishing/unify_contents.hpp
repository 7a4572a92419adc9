// unify_contents.hpp -- unifies the definitions of an archive, over a tree of workers and of processes.
#pragma once

#include "archive/reading/contents.hpp"
#include "base/processes/worker_pool.hpp"
#include "defs/tree_unify.hpp"

namespace tarry {

/// Unifies the definitions of all processes and sets the clock's origin to the first event. Each worker reads and
/// unifies a block of processes, one process at a time; the blocks are unified over a tree. The result does not depend
/// on the number of workers.
UnifiedDefinitions unify_contents(const ArchiveContents& contents, FaultLog& faults,
                                  unsigned workers = available_processors());

/// The same with the help of other analysis processes, which call help_unifying(): the first member of `group` calls
/// this. Fails if the archive is not the same for all of them.
Result<UnifiedDefinitions> unify_contents_with(GroupTransport& group, const ArchiveContents& contents,
                                               FaultLog& faults);

/// What the other members do until the first one has come to an end, with or without unifying anything. Fails if the
/// archive cannot be read here.
Status help_unifying(GroupTransport& group, const std::string& archive);

/// Lets the others go if the first one has not unified anything.
void release_helpers(GroupTransport& group);

}  // namespace tarry
