/* Phases, matched probes, and calls that are only named or counted. */
#include "wave_record.h"

#include <mpi.h>

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  int rank, is_there = 0, counts[2] = {1, 1}, places[2] = {0, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank, extents[1] = {2}, wraps[1] = {1};
  char data[100] = {0}, into[100];
  MPI_Datatype types[2] = {MPI_CHAR, MPI_CHAR};
  for (int round = 0; round < 3; ++round) {
    WAVE_PHASE_BEGIN("send it all");
    for (int k = 0; k < 2; ++k) {
      WAVE_PHASE_BEGIN("one");
      MPI_Message message;
      MPI_Request request;
      MPI_Isend(data, 10 + k, MPI_CHAR, other, 4, MPI_COMM_WORLD, &request);
      if (k == 0) {
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(into, 100, MPI_CHAR, &message, MPI_STATUS_IGNORE);
      } else {
        MPI_Request receive;
        for (is_there = 0; !is_there;)
          MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &message, MPI_STATUS_IGNORE);
        MPI_Imrecv(into, 100, MPI_CHAR, &message, &receive);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
      }
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      WAVE_PHASE_END();
    }
    WAVE_PHASE_END();
    MPI_Alltoallw(data, counts, places, types, into, counts, places, types, MPI_COMM_WORLD);
  }
  MPI_Comm line;
  MPI_Cart_create(MPI_COMM_WORLD, 1, extents, wraps, 0, &line);
  MPI_Neighbor_alltoall(data, 4, MPI_CHAR, into, 4, MPI_CHAR, line);
  MPI_Win window;
  MPI_Win_create(into, 100, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(data, 8, MPI_CHAR, other, 0, 8, MPI_CHAR, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  WAVE_PHASE_END(); /* of none */
  MPI_Finalize();
  return 0;
}
