/* partitioned_waits.c -- messages in parts, MPI_Isendrecv, and communicators from MPI_Comm_idup_with_info.
 *
 * A message in parts begins with its last MPI_Pready: until then its receiver waits. Prints, per rank: EXPECT RANK
 * KIND=COUNT KIND.FIELD=SUM ... and how often rank 1 has asked for a part. Runs on 4 ranks.
 *
 * expect: metric=mpi_latesender callpath=*MPI_Wait rank=1 seconds=4*0.08
 * expect: metric=mpi_latesender callpath=*MPI_Wait rank=0 seconds=0
 * expect: metric=mpi_latesender callpath=*MPI_Waitall rank=3 seconds=4*0.08
 * expect: metric=mpi_latesender callpath=*MPI_Waitall rank=2 seconds=0
 */
#include "scene.h"

enum { PARTS = 8, LENGTH = 100, QUESTIONS = 2000 };

static int out[PARTS][LENGTH], in[PARTS][LENGTH];
static int isends, ireceives, bytes_out, bytes_in;

static void sent(int bytes) { ++isends, bytes_out += bytes; }
static void received(int bytes) { ++ireceives, bytes_in += bytes; }

static void in_parts(int scene, MPI_Request* request) {
  int rest[2] = {5, 7};
  int is_there;
  MPI_Start(request);
  if (scene_rank == 0) {
    MPI_Pready(0, *request);
    MPI_Pready_range(1, 4, *request);
    MPI_Pready_list(2, rest, *request);
    scene_wait(scene, 0.08);
    MPI_Pready(6, *request);
    sent(sizeof out);
  } else {
    for (int i = 0; i < QUESTIONS; ++i) MPI_Parrived(*request, 6, &is_there);
    received(sizeof in);
  }
  MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void both_ways(int scene, MPI_Comm comm) {
  const int partner = scene_rank ^ 1;
  MPI_Request requests[3];
  MPI_Status statuses[3];
  if (scene_rank == 2) scene_wait(scene, 0.08);
  MPI_Isendrecv(out, 10, MPI_INT, partner, 1, in, 10, MPI_INT, partner, 1, comm, &requests[0]);
  MPI_Isendrecv_replace(out, 20, MPI_INT, partner, 2, partner, 2, comm, &requests[1]);
  MPI_Isendrecv(out, 30, MPI_INT, scene_rank == 2 ? partner : MPI_PROC_NULL, 3, in[1], 30, MPI_INT,
                scene_rank == 3 ? partner : MPI_PROC_NULL, 3, comm, &requests[2]);
  MPI_Waitall(3, requests, statuses);
  sent(40), sent(80), received(40), received(80);
  scene_rank == 2 ? sent(120) : received(120);
}

int main(int argc, char** argv) {
  MPI_Request request;
  MPI_Comm copy;
  MPI_Win window;
  MPI_Info info;
  int* memory;
  const int rank = scene_begin(&argc, &argv);
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 0)
    MPI_Psend_init(out, PARTS, LENGTH, MPI_INT, 1, 5, copy, MPI_INFO_NULL, &request);
  else if (rank == 1)
    MPI_Precv_init(in, PARTS, LENGTH, MPI_INT, 0, 5, copy, MPI_INFO_NULL, &request);
  for (int i = 0; i < PARTS * LENGTH; ++i) out[i / LENGTH][i % LENGTH] = i;
  for (int scene = 0; scene < SCENES; ++scene) {
    scene_wait(scene, 0);
    if (rank < 2)
      in_parts(scene, &request);
    else
      both_ways(scene, copy);
  }
  if (rank < 2) MPI_Request_free(&request);
  if (rank == 1 && in[PARTS - 1][LENGTH - 1] != PARTS * LENGTH - 1) printf("wrong data\n");

  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Win_allocate(sizeof(int), sizeof(int), info, copy, &memory, &window);
  MPI_Info_free(&info);
  MPI_Win_get_info(window, &info);
  MPI_Win_set_info(window, info);
  MPI_Info_free(&info);
  MPI_Win_free(&window);
  MPI_Comm_free(&copy);
  printf("EXPECT %d MPI_ISEND=%d MPI_ISEND.bytes=%d MPI_ISEND_COMPLETE=%d", rank, isends, bytes_out, isends);
  printf(" MPI_IRECV_REQUEST=%d MPI_IRECV=%d MPI_IRECV.bytes=%d", ireceives, ireceives, bytes_in);
  printf(" COMM_CREATE=1 COMM_DESTROY=1 RMA_WIN_CREATE=1 NON_BLOCKING_COLLECTIVE_COMPLETE=1\n");
  if (rank == 1) printf("MPI_Parrived=%d\n", SCENES * QUESTIONS);
  MPI_Finalize();
  return 0;
}
