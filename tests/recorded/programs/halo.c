/* Steps of a halo on a line of ranks, with most of what is recorded. */
#include <mpi.h>
#include <stdlib.h>

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double a[100] = {0}, b[100] = {0}, sum, own = rank;
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  MPI_Bcast(a, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int step = 0; step < 3; ++step) {
    MPI_Request requests[4];
    MPI_Irecv(a, 100, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(b, 100, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(a, 50, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(b, 50, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(a, 10, MPI_DOUBLE, right, 1, b, 100, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank > 0) MPI_Send(a, 20, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
  for (int k = 1; rank == 0 && k < ranks; ++k)
    MPI_Recv(a, 100, MPI_DOUBLE, k, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
