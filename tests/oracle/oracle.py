#!/usr/bin/env python3
"""A slow reference analyser of OTF2 traces, written from the definitions of the metrics; shares no code with the tool.

usage: oracle.py TRACES.otf2      prints what `tarry replay` and `tarry cube dump --csv` print about the trace
"""
import collections
import re
import sys

from critical_walk import CriticalPath
from root_causes import KINDS, RootCauses
from trace_model import Trace
from wait_states import WaitStates

POINT_TO_POINT = re.compile(r"MPI_(Wait|Test)(all|any|some)?$")
ROLES_OF_COLLECTIVES = ("COLL_ONE2ALL", "COLL_ALL2ONE", "COLL_ALL2ALL", "COLL_OTHER")
LOCK_API = re.compile(r"omp_(init|destroy|set|unset|test)_(nest_)?lock$")
COUNTS = re.compile(r"visits$|(syncs|comms|bytes|mpi_file_c?ops)(_|$)|mpi_.*_count$")
PTHREAD_SYNCHRONIZATION = {"pthread_mutex_": "pthread_lock_api", "pthread_cond_": "pthread_conditional",
                           "pthread_rwlock_": "pthread_rwlock", "pthread_barrier_": "pthread_barrier",
                           "sem_": "pthread_semaphore"}
SUMS = {
    "syncs_p2p": "syncs_send syncs_recv", "syncs_rma": "syncs_rma_active syncs_rma_passive",
    "syncs": "syncs_p2p syncs_coll syncs_rma", "comms_p2p": "comms_send comms_recv",
    "comms_coll": "comms_cxch comms_csrc comms_cdst", "comms_rma": "comms_rma_puts comms_rma_gets comms_rma_atomics",
    "comms": "comms_p2p comms_coll comms_rma",
    "bytes_p2p": "bytes_sent bytes_rcvd",
    "bytes_coll": "bytes_cout bytes_cin", "bytes_rma": "bytes_put bytes_get",
    "bytes": "bytes_p2p bytes_coll bytes_rma",
    "delay_p2p": "delay_latesender_aggregate delay_latereceiver_aggregate",
    "delay_collective": "delay_barrier_aggregate delay_n21_aggregate delay_12n_aggregate delay_n2n_aggregate "
                        "delay_scan_aggregate delay_icoll_aggregate delay_creation_aggregate delay_neighbor_aggregate "
                        "delay_finalize_aggregate",
    "delay_mpi": "delay_p2p delay_collective delay_rma_aggregate",
    "delay_omp": "delay_ompbarrier_aggregate delay_ompidle_aggregate",
    "delay": "delay_mpi delay_omp delay_threadlock_aggregate delay_threadsignal_aggregate",
    "mpi_wait_indirect": "mpi_wait_indirect_latesender mpi_wait_indirect_latereceiver",
    "mpi_wait_propagating": "mpi_wait_propagating_ls mpi_wait_propagating_lr",
    "mpi_wait_direct_latesender": "mpi_latesender -mpi_wait_indirect_latesender",
    "mpi_wait_direct_latereceiver": "mpi_latereceiver -mpi_wait_indirect_latereceiver",
    "mpi_wait_direct": "mpi_wait_direct_latesender mpi_wait_direct_latereceiver",
    "mpi_wait_terminal_ls": "mpi_latesender -mpi_wait_propagating_ls",
    "mpi_wait_terminal_lr": "mpi_latereceiver -mpi_wait_propagating_lr",
    "mpi_wait_terminal": "mpi_wait_terminal_ls mpi_wait_terminal_lr",
    "waitstates_direct_vs_indirect": "mpi_wait_direct mpi_wait_indirect",
    "waitstates_propagating_vs_terminal": "mpi_wait_propagating mpi_wait_terminal",
    "intra_partition_imbalance": "critical_imbalance_impact -inter_partition_imbalance",
    "performance_impact_criticalpath": "critical_path_activities critical_imbalance_impact",
    "performance_impact": "performance_impact_criticalpath non_critical_path_activities"}
ACTIVE_TARGET = [f"MPI_Win_{name}" for name in ("fence", "post", "start", "complete", "wait", "test")]
PASSIVE_TARGET = ["MPI_Win_lock", "MPI_Win_unlock"]
ACCESSES = {"MPI_Put": "puts", "MPI_Rput": "puts", "MPI_Get": "gets", "MPI_Accumulate": "atomics",
            "MPI_Fetch_and_op": "atomics"}
NOT_WORKING = """mpi_finalize_wait mpi_barrier_wait mpi_latesender mpi_latereceiver mpi_earlyreduce mpi_earlyscan
mpi_latebroadcast mpi_neighbor_wait mpi_wait_nxn mpi_icoll_wait mpi_mgmt_comm_wait mpi_mgmt_file_wait mpi_rma_wait_at_create mpi_rma_wait_at_free mpi_rma_sync_late_post
mpi_rma_comm_late_post mpi_rma_early_wait mpi_rma_wait_at_fence mpi_rma_sync_lock_competition
mpi_rma_comm_lock_competition mpi_rma_sync_wait_for_progress mpi_rma_comm_wait_for_progress omp_management
omp_ebarrier_wait omp_ibarrier_wait omp_lock_contention_critical
omp_lock_contention_api omp_ordered omp_idle_threads pthread_lock_contention_mutex_lock
pthread_lock_contention_conditional pthread_wait_for_signal pthread_wait_for_semaphore pthread_wait_at_barrier pthread_wait_for_end""".split()


def pthread_groups(name):
    kind = next((group for prefix, group in PTHREAD_SYNCHRONIZATION.items() if name.startswith(prefix)), None)
    return ["pthread_synchronization", kind] if kind else ["pthread_management"]


def time_groups(region):
    """The metrics below `execution` that get the time of a region (METRICS.md 7.1), the computed ones aside."""
    name, role = region.name, str(region.region_role).rpartition(".")[2]
    paradigm = str(region.paradigm).rpartition(".")[2]
    if paradigm == "MPI":
        if name in ("MPI_Init", "MPI_Init_thread", "MPI_Initialized", "MPI_Finalize", "MPI_Finalized"):
            return ["mpi", "mpi_management", "mpi_init_exit"]
        if name.startswith(("MPI_Comm_", "MPI_Cart_", "MPI_Intercomm_")):
            return ["mpi", "mpi_management", "mpi_mgmt_comm"]
        if name in ACTIVE_TARGET:
            return ["mpi", "mpi_synchronization", "mpi_rma_synchronization", "mpi_rma_sync_active"]
        if name in PASSIVE_TARGET:
            return ["mpi", "mpi_synchronization", "mpi_rma_synchronization", "mpi_rma_sync_passive"]
        if name.startswith("MPI_Win_"):
            return ["mpi", "mpi_management", "mpi_mgmt_win"]
        if name in ACCESSES:
            return ["mpi", "mpi_communication", "mpi_rma_communication"]
        if name.startswith("MPI_File_"):
            return ["mpi", "mpi_management", "mpi_mgmt_file"]
        if role == "BARRIER":
            return ["mpi", "mpi_synchronization", "mpi_sync_collective"]
        if role == "POINT2POINT" or POINT_TO_POINT.match(name):
            return ["mpi", "mpi_communication", "mpi_point2point"]
        if role in ROLES_OF_COLLECTIVES:
            return ["mpi", "mpi_communication", "mpi_collective"]
        return ["mpi"]
    if paradigm == "PTHREAD":
        return ["pthread_time"] + pthread_groups(name)
    if paradigm != "OPENMP":
        return []
    groups = {"BARRIER": ["omp_barrier", "omp_ebarrier"], "IMPLICIT_BARRIER": ["omp_barrier", "omp_ibarrier"],
              "CRITICAL": ["omp_critical"], "ORDERED": ["omp_ordered"], "TASK_WAIT": ["omp_taskwait"]}
    if role in groups:
        return ["omp_time", "omp_synchronization"] + groups[role]
    if LOCK_API.match(name):
        return ["omp_time", "omp_synchronization", "omp_lock_api"]
    return ["omp_time", "omp_flush"] if role == "FLUSH" else []


class Oracle:
    """All metrics of a trace: values[metric][call path, location], exclusive along call trees, times in ticks."""
    def __init__(self, anchor, times=None):
        self.trace = Trace(anchor, times)
        self.states = WaitStates(self.trace)
        self.values, self.add = self.states.values, self.states.add
        RootCauses(self.states)
        self.has_openmp = bool(self.trace.teams)
        for location in self.trace.locations:
            for path, time in location.times().items():
                self.add("time", path, location, time)
        self._idle_threads()
        CriticalPath(self.states)
        self._breakdown()
        self._one_sided_calls()
        for kind in KINDS:
            self._sum(f"delay_{kind}_aggregate", f"delay_{kind} delay_{kind}_longterm")
        for metric, parts in SUMS.items():
            self._sum(metric, parts)
        if len(self.trace.locations) > 1:
            self._imbalance()
        self._critical_path_imbalance()

    def at(self, metric, path, location):
        return self.values[metric].get((path, location), 0.0)

    def _sum(self, metric, parts):
        for part in parts.split():
            sign = -1 if part.startswith("-") else 1
            for (path, location), value in self.values[part.lstrip("-")].items():
                self.add(metric, path, location, sign * value)

    def inclusive(self, metric):
        """{(path, location): value of the call path and all below}, 0 where there is none."""
        sums = collections.defaultdict(float)
        for (path, location), value in self.values[metric].items():
            for above in path.ancestors():
                sums[above, location] += value
        return sums

    # ---- METRICS.md 7

    def parallel_roots(self):
        return [path for path in self.trace.all_paths() if is_parallel(path)
                and not any(is_parallel(above) for above in list(path.ancestors())[1:])]

    def _idle_threads(self):
        if not self.has_openmp:
            return
        inside = {path for path in self.trace.all_paths() if any(map(is_parallel, path.ancestors()))}
        time = self.inclusive("time")
        for master in self.trace.masters:
            for worker in self.trace.threads_of(master.rank)[1:]:
                gaps = {root: time[root, master] - time[root, worker] for root in self.parallel_roots()}
                for path in self.trace.all_paths():
                    if path not in inside:
                        self.add("omp_idle_threads", path, worker, self.at("time", path, master))
                        self.add("time", path, worker, self.at("time", path, master))
                for root, gap in gaps.items():
                    if gap >= 1e-10 * self.trace.ticks_per_second:
                        for metric in ("omp_limited_parallelism", "omp_idle_threads", "time"):
                            self.add(metric, root, worker, gap)

    def _breakdown(self):
        for (path, location), time in list(self.values["time"].items()):
            busy = time - self.at("omp_idle_threads", path, location)
            groups = time_groups(path.region)
            for metric in ["execution"] + groups:
                self.add(metric, path, location, busy)
            management = self.at("omp_management", path, location)
            self.add("omp_time", path, location, management)
            if not ({"mpi", "omp_time", "pthread_time"} & set(groups)):
                self.add("blocked", path, location, location.blocked[path])
                self.add("comp", path, location, busy - management - location.blocked[path])

    def _one_sided_calls(self):
        for (path, location), visits in list(self.values["visits"].items()):
            name = path.region.name
            if name in ACTIVE_TARGET + PASSIVE_TARGET:
                self.add("syncs_rma_active" if name in ACTIVE_TARGET else "syncs_rma_passive", path, location, visits)
            if name in ACCESSES:
                self.add("comms_rma_" + ACCESSES[name], path, location, visits)

    def _imbalance(self):
        for path in self.trace.all_paths():
            is_inside = any(map(is_parallel, path.ancestors()))
            locations = self.trace.locations if is_inside else self.trace.masters
            spent = {location: self.at("comp", path, location) + self.at("blocked", path, location) for location in locations}
            average = sum(spent.values()) / len(locations)
            visitors = [location for location in locations if self.at("visits", path, location) > 0]
            for location in locations:
                difference = spent[location] - average
                self.add("imbalance", path, location, abs(difference))
                self.add("imbalance_above" if difference > 0 else "imbalance_below", path, location, abs(difference))
            if average == 0 or len(visitors) == len(locations) or (self.has_openmp and not is_inside):
                continue
            for location in set(locations) - set(visitors):
                self.add("imbalance_below_bypass", path, location, average)
                if len(visitors) == 1:
                    self.add("imbalance_below_singularity", path, location, average)
            if len(visitors) == 1:
                self.add("imbalance_above_single", path, visitors[0], average * (len(locations) - 1))

    def _critical_path_imbalance(self):
        visits, on_paths, time = map(self.inclusive, ("visits", "critical_path", "time"))
        waits = [self.inclusive(metric) for metric in NOT_WORKING]
        for path in self.trace.all_paths():
            visitors = [location for location in self.trace.locations if visits[path, location] > 0]
            on_path = sum(on_paths[path, location] for location in self.trace.locations)
            if not on_path > 0:
                continue
            working = sum(time[path, location] - sum(wait[path, location] for wait in waits)
                          for location in self.trace.locations)
            ratio = max(0.0, (on_path - working / len(visitors)) / on_path)
            for location in self.trace.locations:
                if on_paths[path, location] > 0:
                    value = ratio * self.at("critical_path", path, location)
                    self.add("critical_path_imbalance", path, location, value)

    def rows(self):
        """{metric: {(call path, rank, thread): value}}, times in seconds"""
        result = collections.defaultdict(dict)
        for metric, values in self.values.items():
            unit = 1 if COUNTS.match(metric) else self.trace.ticks_per_second
            for (path, location), value in values.items():
                if value:
                    result[metric][path.name, location.rank, location.thread] = value / unit
        return result


def is_parallel(path):
    return path.region.name.startswith("!$omp parallel")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("metric,callpath,rank,thread,value")
    for metric, values in sorted(Oracle(sys.argv[1]).rows().items()):
        for (path, rank, thread), value in sorted(values.items()):
            quoted = '"' + path.replace('"', '""') + '"' if re.search('[,"]', path) else path
            print(f"{metric},{quoted},{rank},{thread},{value:.17g}")


if __name__ == "__main__":
    main()
