/* Messages to itself whose sizes differ each time, and with an argument whose tags do, so that nothing is repeated. */
#include <mpi.h>
#include <stdlib.h>

static char data[5000], into[5000];

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  unsigned state = 1;
  for (int i = 0; i < 100000; ++i) {
    state = state * 1103515245u + 12345u;
    MPI_Request request;
    const int tag = count > 1 ? i : 0;
    MPI_Irecv(into, 5000, MPI_CHAR, 0, tag, MPI_COMM_SELF, &request);
    MPI_Send(data, (int)(state >> 16) % 5000, MPI_CHAR, 0, tag, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
