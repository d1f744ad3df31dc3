/* The process of bench/listing.wave as an MPI program, for SimGrid's SMPI. Usage: wavefront N M TILES SWEEPS, on N * M ranks.
   Rank 0 prints when the last rank was through, in simulated seconds. */
#include <mpi.h>
#include <smpi/smpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { bytes = 8 };
static const double work = 420e-6 * 1e9;   /* flops, of processors that do 10^9 a second */

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int n = atoi(arguments[1]), m = atoi(arguments[2]), blocks = atoi(arguments[3]) * atoi(arguments[4]);
  if (n * m != ranks) MPI_Abort(MPI_COMM_WORLD, 2);
  const int i = rank / m, j = rank % m;
  char message[bytes] = {0};
  for (int block = 0; block < blocks; ++block) {
    if (j > 0) MPI_Recv(message, bytes, MPI_CHAR, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (i > 0) MPI_Recv(message, bytes, MPI_CHAR, rank - m, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    smpi_execute_flops(work);
    if (j + 1 < m) MPI_Send(message, bytes, MPI_CHAR, rank + 1, 0, MPI_COMM_WORLD);
    if (i + 1 < n) MPI_Send(message, bytes, MPI_CHAR, rank + m, 0, MPI_COMM_WORLD);
  }
  const double through = MPI_Wtime();
  double last = through;
  MPI_Reduce(&through, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.9f\n", last);
  MPI_Finalize();
  return 0;
}
