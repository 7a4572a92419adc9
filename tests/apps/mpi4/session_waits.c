/* session_waits.c -- messages and collectives on communicators of sessions, with and without MPI_Init beside them.
 *
 * usage: session_waits [first|inside|last]   (4 ranks)
 *
 * Without an argument MPI_Init is never called. Else MPI_COMM_WORLD is there, too: from before the first session until
 * before its end, inside of it, or from inside of it until after its end. In each scene a session more comes and goes.
 *
 * expect: metric=mpi_latesender callpath=*MPI_Recv rank=1 seconds=4*0.08
 * expect: metric=mpi_latesender callpath=*MPI_Recv rank=0 seconds=0
 * expect: metric=mpi_wait_nxn callpath=*MPI_Allreduce rank=2 seconds=4*0.08
 * expect: metric=mpi_wait_nxn callpath=*MPI_Allreduce rank=3 seconds=0
 * expect: metric=mpi_latesender callpath=*MPI_Wait rank=3 seconds=4*0.06
 * expect: metric=mpi_latesender callpath=*MPI_Wait rank=1 seconds=0
 */
#include <string.h>

#include "scene.h"

static MPI_Session session;
static MPI_Group all;
static MPI_Comm world, half, bridge;

static MPI_Comm comm_of(MPI_Group group, const char* tag) {
  MPI_Comm comm;
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  return comm;
}

static void open(void) {
  const int parts[2][2] = {{0, 1}, {2, 3}};
  int rank;
  MPI_Group groups[2];
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
  MPI_Group_rank(all, &rank);
  world = comm_of(all, "world");
  for (int i = 0; i < 2; ++i) MPI_Group_incl(all, 2, parts[i], &groups[i]);
  half = comm_of(groups[rank / 2], "half");
  MPI_Intercomm_create_from_groups(groups[rank / 2], 0, groups[1 - rank / 2], 0, "bridge", MPI_INFO_NULL,
                                   MPI_ERRORS_ARE_FATAL, &bridge);
  for (int i = 0; i < 2; ++i) MPI_Group_free(&groups[i]);
}

static void close_all(void) {
  MPI_Comm_free(&bridge);
  MPI_Comm_free(&half);
  MPI_Comm_free(&world);
  MPI_Group_free(&all);
  MPI_Session_finalize(&session);
}

static void further_session(void) {
  MPI_Session further;
  MPI_Group group;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &further);
  MPI_Group_from_session_pset(further, "mpi://SELF", &group);
  MPI_Group_free(&group);
  MPI_Session_finalize(&further);
}

static void play(int rank) {
  const double start_of_rank[4] = {0.08, 0, 0, 0.08};
  int data = rank, sum = 0;
  MPI_Request request;
  for (int scene = 0; scene < SCENES; ++scene) {
    further_session();
    scene_wait(2 * scene, start_of_rank[rank]);
    if (rank == 0) MPI_Send(&data, 1, MPI_INT, 1, scene, world);
    if (rank == 1) MPI_Recv(&data, 1, MPI_INT, 0, scene, world, MPI_STATUS_IGNORE);
    if (rank >= 2) MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    /* Between the halves: from the second of the first one to the second of the other one. */
    scene_wait(2 * scene + 1, rank == 1 ? 0.06 : 0);
    if (rank == 1) MPI_Send(&data, 1, MPI_INT, 1, scene, bridge);
    if (rank == 3) {
      MPI_Irecv(&data, 1, MPI_INT, 1, scene, bridge, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
  if (rank >= 2 && sum != 5) printf("wrong sum\n");
}

int main(int argc, char** argv) {
  const char* const init = argc > 1 ? argv[1] : "never";
  if (strcmp(init, "first") == 0) MPI_Init(NULL, NULL);
  open();
  if (strcmp(init, "inside") == 0 || strcmp(init, "last") == 0) MPI_Init(NULL, NULL);
  scene_agree(world);
  if (strcmp(init, "never") != 0) MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(init, "first") == 0) MPI_Finalize();
  play(scene_rank);
  if (strcmp(init, "inside") == 0) MPI_Finalize();
  close_all();
  if (strcmp(init, "last") == 0) MPI_Finalize();
  if (scene_rank == 0) puts("done");
  return 0;
}
