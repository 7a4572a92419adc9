/* large_counts.c -- functions of MPI 4 with counts of type MPI_Count, and persistent collectives.
 *
 * Prints, per rank: EXPECT RANK KIND=COUNT KIND.FIELD=SUM ... Runs on 2 ranks, in a folder for a small file. Messages of
 * more than 2^31 bytes use one piece of memory that is mapped again and again. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const MPI_Count kLarge = (1LL << 31) + 4096, kHuge = 5000000000LL;
enum { kPiece = 1 << 24 };

static int rank, other;
static MPI_Status statuses[2];
static long long sent, received, isent, ireceived, collective_bytes, icollective_bytes; /* of collectives each way */
static int sends, isends, receives, ireceives, collectives, requests_started, rma_puts, rma_gets, atomics, files;

/* `size` bytes of addresses for few bytes of memory. */
static char* mapped_again_and_again(long long size) {
  const int file = memfd_create("piece", 0);
  char* all = mmap(NULL, size + kPiece, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (file < 0 || ftruncate(file, kPiece) != 0 || all == MAP_FAILED) abort();
  for (long long at = 0; at < size; at += kPiece)
    if (mmap(all + at, kPiece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) abort();
  return all;
}

static void messages(void) {
  char* buffer = mapped_again_and_again(kLarge);
  char small[64];
  MPI_Status status;
  MPI_Request list[2];
  MPI_Message message;
  MPI_Count count = 0;
  if (rank == 0) {
    MPI_Send_c(buffer, kLarge, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    ++sends, sent += kLarge;
  } else {
    MPI_Recv_c(buffer, kLarge, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count_c(&status, MPI_BYTE, &count);
    if (count != kLarge) printf("wrong count\n");
    ++receives, received += kLarge;
  }
  MPI_Irecv_c(small, 10, MPI_INT, other, 2, MPI_COMM_WORLD, &list[0]);
  MPI_Isend_c(buffer, 10, MPI_INT, other, 2, MPI_COMM_WORLD, &list[1]);
  MPI_Waitall(2, list, statuses);
  ++isends, ++ireceives, isent += 40, ireceived += 40;
  MPI_Sendrecv_c(buffer, 3, MPI_INT, other, 3, small, 3, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  ++sends, ++receives, sent += 12, received += 12;
  MPI_Isend_c(buffer, 4, MPI_INT, other, 4, MPI_COMM_WORLD, &list[0]);
  MPI_Mprobe(other, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv_c(small, 4, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&list[0], MPI_STATUS_IGNORE);
  ++isends, ++receives, isent += 16, received += 16;
  MPI_Isend_c(buffer, 5, MPI_INT, other, 5, MPI_COMM_WORLD, &list[0]);
  MPI_Mprobe(other, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Imrecv_c(small, 5, MPI_INT, &message, &list[1]);
  MPI_Waitall(2, list, statuses);
  ++isends, ++ireceives, isent += 20, ireceived += 20;
  MPI_Send_init_c(buffer, 6, MPI_INT, other, 6, MPI_COMM_WORLD, &list[0]);
  MPI_Recv_init_c(small, 6, MPI_INT, other, 6, MPI_COMM_WORLD, &list[1]);
  MPI_Startall(2, list);
  MPI_Waitall(2, list, statuses);
  MPI_Request_free(&list[0]);
  MPI_Request_free(&list[1]);
  ++isends, ++ireceives, isent += 24, ireceived += 24;
}

static void operations(void) {
  MPI_Request request;
  int in[4] = {0, 0, 0, 0}, out[4] = {1, 2, 3, 4}, old_counts[2] = {1, 1}, old_places[2] = {0, 1};
  MPI_Count counts[2] = {1, 2};
  MPI_Aint places[2] = {0, 1};
  char nothing;
  /* Alone, MPI has nothing to move. */
  MPI_Bcast_c(&nothing, kHuge, MPI_BYTE, 0, MPI_COMM_SELF);
  ++collectives, collective_bytes += kHuge;
  MPI_Allreduce_c(out, in, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  ++collectives, collective_bytes += 32;
  counts[other] = 2, counts[rank] = 1, places[0] = 0, places[1] = counts[0];
  MPI_Alltoallv_c(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
  ++collectives, collective_bytes += 12;
  MPI_Ialltoallv_c(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  ++requests_started, icollective_bytes += 12;

  /* Persistent ones: started three times each. */
  MPI_Bcast_init_c(&nothing, kHuge, MPI_BYTE, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request);
  for (int i = 0; i < 3; ++i) MPI_Start(&request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  requests_started += 3, icollective_bytes += 3 * kHuge;
  MPI_Alltoallv_init(out, old_counts, old_places, MPI_INT, in, old_counts, old_places, MPI_INT, MPI_COMM_WORLD,
                     MPI_INFO_NULL, &request);
  for (int i = 0; i < 3; ++i) MPI_Startall(1, &request), MPI_Waitall(1, &request, statuses);
  MPI_Request_free(&request);
  requests_started += 3, icollective_bytes += 3 * 8;
  MPI_Allreduce_init_c(out, in, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Request_free(&request);
}

static void windows_and_files(void) {
  int *memory, out[3] = {1, 2, 3}, in[3];
  MPI_Win window;
  MPI_File file;
  MPI_Request request;
  MPI_Win_allocate_c(3 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);
  MPI_Put_c(out, 1, MPI_INT, other, 0, 1, MPI_INT, window);
  MPI_Get_c(in, 1, MPI_INT, other, 1, 1, MPI_INT, window);
  MPI_Accumulate_c(out, 1, MPI_INT, other, 2, 1, MPI_INT, MPI_SUM, window);
  ++rma_puts, ++rma_gets, ++atomics;
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);

  MPI_File_open(MPI_COMM_WORLD, "large_counts.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_File_write_at_all_c(file, 12 * rank, out, 3, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_read_at_c(file, 12 * rank, in, 3, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_iread_at_c(file, 12 * rank, in, 2, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  files += 3;
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  messages();
  operations();
  windows_and_files();
  /* Opening and closing the file are collectives, too. */
  collectives += 2;
  printf("EXPECT %d MPI_SEND=%d MPI_SEND.bytes=%lld MPI_RECV=%d MPI_RECV.bytes=%lld", rank, sends, sent, receives,
         received);
  printf(" MPI_ISEND=%d MPI_ISEND.bytes=%lld MPI_ISEND_COMPLETE=%d MPI_IRECV=%d MPI_IRECV.bytes=%lld", isends,
         isent, isends, ireceives, ireceived);
  printf(" MPI_COLLECTIVE_END=%d MPI_COLLECTIVE_END.sent=%lld MPI_COLLECTIVE_END.received=%lld", collectives,
         collective_bytes, collective_bytes);
  printf(" NON_BLOCKING_COLLECTIVE_REQUEST=%d NON_BLOCKING_COLLECTIVE_COMPLETE=%d", requests_started, requests_started);
  printf(" NON_BLOCKING_COLLECTIVE_COMPLETE.sent=%lld NON_BLOCKING_COLLECTIVE_COMPLETE.received=%lld",
         icollective_bytes, icollective_bytes);
  printf(" RMA_PUT=%d RMA_GET=%d RMA_ATOMIC=%d IO_OPERATION_COMPLETE=%d IO_OPERATION_COMPLETE.bytes=32\n", rma_puts, rma_gets,
         atomics, files);
  MPI_Finalize();
  return 0;
}
