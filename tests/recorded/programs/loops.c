/* Loops of loops between two ranks, with what makes rounds look different that are the same: requests that stay open from
 * one round to the next, tests that find nothing, and what was left out in between. */
#include <mpi.h>
#include <stdlib.h>

static double data[4096], into[2][4096];
static int other;

static void exchange(int count) {
  MPI_Request requests[2];
  MPI_Irecv(into[0], 4096, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(data, count, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
/* The next receive is posted before the one before has ended. */
static void exchange_ahead(int rounds) {
  MPI_Request next[2], sent;
  MPI_Irecv(into[0], 4096, MPI_DOUBLE, other, 2, MPI_COMM_WORLD, &next[0]);
  for (int k = 0; k < rounds; ++k) {
    if (k + 1 < rounds) MPI_Irecv(into[(k + 1) % 2], 4096, MPI_DOUBLE, other, 2, MPI_COMM_WORLD, &next[(k + 1) % 2]);
    MPI_Isend(data, 10, MPI_DOUBLE, other, 2, MPI_COMM_WORLD, &sent);
    for (int is_done = 0; !is_done;) MPI_Test(&next[k % 2], &is_done, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
  }
}
static void exchange_again(int rounds) {
  MPI_Request both[2];
  MPI_Recv_init(into[0], 4096, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, &both[0]);
  MPI_Send_init(data, 20, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, &both[1]);
  for (int k = 0; k < rounds; ++k) {
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
}

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  const int rounds = count > 1 ? atoi(arguments[1]) : 10;
  for (int round = 0; round < rounds; ++round) {
    for (int level = 0; level < 3; ++level) {
      for (int k = 0; k < 5; ++k) exchange(8 << level);
      double sum, own = level;
      MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    exchange_ahead(7);
    exchange_again(4);
    MPI_Request unseen, none;
    MPI_Irecv(into[0], 4096, MPI_DOUBLE, other, 4, MPI_COMM_WORLD, &unseen);
    MPI_Irecv(into[1], 4096, MPI_DOUBLE, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &none);
    MPI_Pcontrol(0);
    MPI_Send(data, 3, MPI_DOUBLE, other, 4, MPI_COMM_WORLD);
    MPI_Wait(&unseen, MPI_STATUS_IGNORE);
    MPI_Pcontrol(1);
    MPI_Wait(&none, MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Send(data, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
    else MPI_Recv(into[0], 4096, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
