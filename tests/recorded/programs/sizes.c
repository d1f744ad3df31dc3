/* Messages to itself whose sizes and tags differ each time; with an argument also what is called, so that nothing is
 * repeated. */
#include <mpi.h>
#include <stdlib.h>

static char data[5000], into[5000];

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  unsigned state = 1;
  for (int i = 0; i < 100000; ++i) {
    state = state * 1103515245u + 12345u;
    MPI_Request request;
    const int tag = i % 30000;
    if (count > 1 && (state >> 20) % 2) MPI_Barrier(MPI_COMM_SELF);
    MPI_Irecv(into, 5000, MPI_CHAR, 0, tag, MPI_COMM_SELF, &request);
    MPI_Send(data, (int)(state >> 16) % 5000, MPI_CHAR, 0, tag, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
