/* poll_in_vain.c -- asks for what has not come yet, very often, with each function that can ask, and says how often it did.
 *
 * usage: poll_in_vain plain|between|timer|forever CALLS      (2 processes)
 *
 * Rank 0 asks CALLS times in vain, then lets rank 1 go and asks until the answer is yes. Prints: EXPECT 0 MPI_X=CALLS ...
 *
 * between  an (instrumented) function is called after each 100 calls
 * timer    one is called by the handler of a timer, whatever the program is doing
 * forever  never lets rank 1 go
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static const char* mode;
static long in_vain, asked;
static int rank;
static volatile long sum;

void between(void) { ++sum; }
void on_timer(int number) { sum += number; }

/* Rank 1 waits here for rank 0, then sends what rank 0 asks for. */
static void await_go(void) {
  if (rank == 1) MPI_Recv(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void go(void) { MPI_Send(NULL, 0, MPI_BYTE, 1, 1, MPI_COMM_WORLD); }

/* True as long as the program must ask again; `is_there`: the last answer. Not recorded itself, as it stands between calls. */
__attribute__((no_instrument_function)) static int asks_on(int is_there) {
  if (asked > 0 && asked < in_vain && is_there) fprintf(stderr, "something came before it was sent\n"), abort();
  if (!strcmp(mode, "between") && asked % 100 == 99) between();
  if (strcmp(mode, "forever") && asked == in_vain) go();
  if (is_there) return 0;
  ++asked;
  return 1;
}

static void report(const char* function) {
  printf(" %s=%ld", function, asked);
  asked = 0;
}

enum { MANY = 3 };
static int received[MANY];
static MPI_Request requests[MANY];

static void receive(int count) {
  for (int i = 0; i < count; ++i) MPI_Irecv(&received[i], 1, MPI_INT, 1, 2 + i, MPI_COMM_WORLD, &requests[i]);
}
static void send(int count) {
  for (int i = 0; i < count; ++i) MPI_Send(&i, 1, MPI_INT, 0, 2 + i, MPI_COMM_WORLD);
}

static void ask_for_requests(void) {
  int flag = 0, index = 0, done = 0, indices[MANY];
  MPI_Status status, statuses[MANY];
  receive(1);
  while (asks_on(flag)) MPI_Test(&requests[0], &flag, asked % 2 ? &status : MPI_STATUS_IGNORE);
  report("MPI_Test");
  receive(1);
  for (flag = 0; asks_on(flag);) MPI_Request_get_status(requests[0], &flag, &status);
  report("MPI_Request_get_status");
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  receive(1);
  for (flag = 0; asks_on(flag);) MPI_Testany(asked % 3 ? 1 : MANY, requests, &index, &flag, MPI_STATUS_IGNORE);
  report("MPI_Testany");
  if (index != 0 || requests[0] != MPI_REQUEST_NULL) abort();
  receive(2);
  for (flag = 0; asks_on(flag);) MPI_Testall(MANY, requests, &flag, asked % 2 ? statuses : MPI_STATUSES_IGNORE);
  report("MPI_Testall");
  receive(1);
  for (done = 0; asks_on(done);) MPI_Testsome(1, requests, &done, indices, statuses);
  report("MPI_Testsome");
  if (statuses[0].MPI_SOURCE != 1 || statuses[0].MPI_TAG != 2) abort();
}

static void answer_requests(void) {
  static const int messages[] = {1, 1, 1, 2, 1};
  for (int i = 0; i < 5; ++i) {
    await_go();
    send(messages[i]);
  }
}

static void ask_for_messages(void) {
  int flag = 0;
  MPI_Status status;
  MPI_Message message;
  while (asks_on(flag)) MPI_Iprobe(1, 2, MPI_COMM_WORLD, &flag, &status);
  report("MPI_Iprobe");
  if (status.MPI_SOURCE != 1 || status.MPI_TAG != 2) abort();
  MPI_Recv(received, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (flag = 0; asks_on(flag);) MPI_Improbe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
  report("MPI_Improbe");
  MPI_Mrecv(received, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
}

static void answer_messages(void) {
  for (int i = 0; i < 2; ++i) {
    await_go();
    send(1);
  }
}

static void use_window(void) {
  int flag = 0, other = 1 - rank, memory = 0;
  MPI_Win window;
  MPI_Group everybody, partner;
  MPI_Comm_group(MPI_COMM_WORLD, &everybody);
  MPI_Group_incl(everybody, 1, &other, &partner);
  MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  if (rank == 0) {
    MPI_Win_post(partner, 0, window);
    while (asks_on(flag)) MPI_Win_test(window, &flag);
    report("MPI_Win_test");
  } else {
    await_go();
    MPI_Win_start(partner, 0, window);
    MPI_Win_complete(window);
  }
  MPI_Win_free(&window);
  MPI_Group_free(&partner);
  MPI_Group_free(&everybody);
}

static void start_timer(void) {
  const struct itimerval period = {{0, 300}, {0, 300}};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_timer;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &period, NULL);
}

static void stop_timer(void) {
  const struct itimerval none = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &none, NULL);
}

int main(int argc, char** argv) {
  mode = argc > 1 ? argv[1] : "plain";
  in_vain = argc > 2 ? atol(argv[2]) : 1000;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < MANY; ++i) requests[i] = MPI_REQUEST_NULL;
  if (rank == 0) printf("EXPECT 0");
  if (rank == 0 && !strcmp(mode, "timer")) start_timer();
  rank == 0 ? ask_for_requests() : answer_requests();
  rank == 0 ? ask_for_messages() : answer_messages();
  stop_timer();
  use_window();
  if (rank == 0) printf("\n");
  MPI_Finalize();
  return 0;
}
