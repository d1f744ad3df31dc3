/* Requests that end one by one and in another order, from anybody, that are started again, or whose communicator is freed. */
#include <mpi.h>

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  char data[400] = {0}, into[400];
  /* Small sends may be over at once, and have nothing to tell them from each other. */
  MPI_Request a, b, c, none;
  MPI_Isend(data, 4, MPI_CHAR, other, 0, MPI_COMM_WORLD, &a);
  MPI_Isend(data, 8, MPI_CHAR, other, 0, MPI_COMM_WORLD, &b);
  MPI_Irecv(into, 400, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &none);
  MPI_Wait(&none, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&a, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&b, MPI_STATUS_IGNORE);
  MPI_Recv(into, 400, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(into, 400, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  /* From anybody, in a communicator that is freed before. */
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Irecv(into, 400, MPI_CHAR, MPI_ANY_SOURCE, 3, copy, &c);
  MPI_Send(data, 12, MPI_CHAR, other, 3, copy);
  MPI_Comm_free(&copy);
  MPI_Wait(&c, MPI_STATUS_IGNORE);
  /* Started again; what is not under way is not waited for. */
  MPI_Request both[2];
  MPI_Recv_init(into, 400, MPI_CHAR, other, 5, MPI_COMM_WORLD, &both[0]);
  MPI_Send_init(data, 16, MPI_CHAR, other, 5, MPI_COMM_WORLD, &both[1]);
  for (int k = 0; k < 2; ++k) {
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
  /* Of no part that is left out. */
  MPI_Pcontrol(0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(1);
  /* Some, until all. */
  int indices[2], some, done = 0;
  MPI_Irecv(into, 400, MPI_CHAR, other, 6, MPI_COMM_WORLD, &both[0]);
  MPI_Isend(data, 20, MPI_CHAR, other, 6, MPI_COMM_WORLD, &both[1]);
  while (done < 2) {
    MPI_Waitsome(2, both, &some, indices, MPI_STATUSES_IGNORE);
    done += some;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
