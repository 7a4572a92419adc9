// start_and_end.cpp -- MPI_Init and MPI_Finalize: where the recording of an MPI process begins and becomes complete.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "archive/names.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/mpi/clock_offsets.hpp"
#include "measure/mpi/comm_table.hpp"
#include "measure/mpi/fortran.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/mpi_entry.hpp"

namespace tarry::measure {
namespace {

constexpr int kMaxArchiveNumber = 100000;

// Process 0's decision, the same for all: they may not all have the environment.
struct Agreement {
  bool is_recorded = false;
  Settings settings;
};

bool is_supported_library() {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  if (std::string_view(version).find("Open MPI") != std::string_view::npos) return true;
  const std::string name(version, std::string_view(version).find_first_of("\n,"));
  say("'" + name + "' is not the MPI library tarry was built for (Open MPI): nothing is recorded");
  return false;
}

// For a program that runs without `tarry measure`: tarry-PROGRAM-N/ with the next free N.
bool make_archive(Settings& settings) {
  char folder[kMaxArchivePath];
  if (!::getcwd(folder, sizeof folder)) return false;
  for (int number = 1; number < kMaxArchiveNumber; ++number) {
    const std::string path = std::string(folder) + "/tarry-" + program_name() + "-" + std::to_string(number);
    if (path.size() >= kMaxArchivePath) return false;
    if (::mkdir(path.c_str(), 0777) != 0) {
      if (errno == EEXIST) continue;
      say(path + ": " + system_error() + " (set TARRY_ARCHIVE to a folder that can be written); nothing is recorded");
      return false;
    }
    std::memcpy(settings.archive, path.c_str(), path.size() + 1);
    return true;
  }
  return false;
}

// One archive holds one MPI job: the first one to leave its mark.
bool claim_archive(const Settings& settings) {
  const std::string folder = std::string(settings.archive) + "/" + names::kEvents;
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
    say(folder + ": " + system_error() + "; nothing is recorded");
    return false;
  }
  const std::string mark = std::string(settings.archive) + "/" + names::kJob;
  const File file(::open(mark.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.is_open()) return true;
  if (errno == EEXIST)
    say(std::string(settings.archive) + ": holds another MPI job already (measure one at a time); " + program_name() +
        " is not recorded");
  else
    say(mark + ": " + system_error() + "; nothing is recorded");
  return false;
}

bool is_spawned() {
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

Agreement agree(int rank) {
  Agreement agreement;
  if (rank == 0) {
    const std::string complaints = read_settings(agreement.settings);
    if (!complaints.empty()) say(complaints.substr(0, complaints.size() - 1));
    if (is_spawned())
      say(program_name() + " was spawned by another program: its processes are not recorded");
    else
      agreement.is_recorded = (agreement.settings.archive[0] || make_archive(agreement.settings)) && claim_archive(agreement.settings);
  }
  PMPI_Bcast(&agreement, sizeof agreement, MPI_BYTE, 0, MPI_COMM_WORLD);
  return agreement;
}

void start(MpiFunction function, const ClockReading& clock_start) {
  // Where MPI came in after the program had started, the addresses of its objects are not known here.
  if (!MPI_COMM_WORLD) return say("MPI was loaded while the program was running: nothing is recorded");
  if (!is_supported_library()) return;
  redirect_fortran_calls();
  ProcessFacts facts;
  int rank = 0, size = 1, thread_level = MPI_THREAD_SINGLE;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  PMPI_Query_thread(&thread_level);
  const Agreement agreement = agree(rank);
  if (!agreement.is_recorded) return;
  g_has_concurrent_calls = thread_level == MPI_THREAD_MULTIPLE;
  facts.rank = static_cast<std::uint32_t>(rank);
  facts.begin = clock_start.ticks;
  facts.clock_start = clock_start;
  start_recording(agreement.settings, facts);
  define_world(rank, size);
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  if (rank == 0) definitions().add_property("mpi_library", version);
  record_init(function, clock_start.ticks);
  measure_clock_offsets(clock_domain(), rank);
  if (Thread* thread = current_thread()) leave(*thread, now());
}

template <class Init>
int initialise(MpiFunction function, Init init) {
  if (is_recording()) return init();
  choose_clock();
  const ClockReading clock_start = read_clocks();
  const int outcome = init();
  if (outcome == MPI_SUCCESS) start(function, clock_start);
  return outcome;
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_MPI_ENTRY int MPI_Init(int* argc, char*** argv) {
  return initialise(MpiFunction::Init, [&] { return PMPI_Init(argc, argv); });
}

TARRY_MPI_ENTRY int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return initialise(MpiFunction::Init_thread, [&] { return PMPI_Init_thread(argc, argv, required, provided); });
}

TARRY_MPI_ENTRY int MPI_Finalize(void) {
  MpiCall call(MpiFunction::Finalize);
  if (!call.is_recorded()) return PMPI_Finalize();
  measure_clock_offsets(clock_domain(), find_comm(MPI_COMM_WORLD).rank);
  const int outcome = PMPI_Finalize();
  call.returned();
  if (outcome == MPI_SUCCESS) mark_complete();
  return outcome;
}

// The process may not get to its exit handlers: what it has goes into the archive first.
TARRY_MPI_ENTRY int MPI_Abort(MPI_Comm comm, int code) {
  tarry::Ticks time = 0;
  if (begin_mpi_call(MpiFunction::Abort, time)) finish_recording();
  return PMPI_Abort(comm, code);
}
