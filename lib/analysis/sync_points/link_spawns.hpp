// link_spawns.hpp -- connects spawned processes with those that spawned them.
#pragma once

#include "analysis/sync_points/sync_points.hpp"

namespace tarry {

/// MPI_Comm_spawn of the parents and MPI_Init of the world that it started are one synchronisation: both get all
/// members of the inter-communicator as partners. Sets SyncPoints::spawn of the spawned processes to the call of the
/// root, or of the last that called if the root is not known. Each analysis process does the same for all ranks, with
/// the sync points of all.
void link_spawns(const Trace& trace, AllSyncPoints& all);

}  // namespace tarry
