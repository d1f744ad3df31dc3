/* Goes on with whichever message has come, and sends something before it waits for the next. */
#include <mpi.h>

enum { others = 3, rounds = 20 };

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double out[64] = {0}, in[others][64], said[others], heard[others];
  for (int round = 0; round < rounds; ++round) {
    MPI_Request received[others], sent[2 * others];
    for (int d = 1; d <= others; ++d)
      MPI_Irecv(in[d - 1], 64, MPI_DOUBLE, (rank - d + ranks) % ranks, 0, MPI_COMM_WORLD, &received[d - 1]);
    for (int d = 1; d <= others; ++d)
      MPI_Isend(out, 16 * d, MPI_DOUBLE, (rank + d) % ranks, 0, MPI_COMM_WORLD, &sent[d - 1]);
    for (int k = 0; k < others; ++k) {
      int which;
      MPI_Waitany(others, received, &which, MPI_STATUS_IGNORE);
      said[k] = k;
      MPI_Isend(&said[k], 1, MPI_DOUBLE, (rank + 1) % ranks, 1, MPI_COMM_WORLD, &sent[others + k]);
      MPI_Recv(&heard[k], 1, MPI_DOUBLE, (rank - 1 + ranks) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(2 * others, sent, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
