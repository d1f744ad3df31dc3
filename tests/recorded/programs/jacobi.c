/* Jacobi's method on nx x ny points, dealt to a grid of ranks: halos in each iteration, the change in each k-th.
 *
 *   mpirun -n 9 ./jacobi NX NY ITERATIONS K
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int part(int n, int p, int c) { return n / p + (c < n % p); }
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int nx = atoi(argv[1]), ny = atoi(argv[2]), iterations = atoi(argv[3]), k = atoi(argv[4]);
  int ranks, rank, dims[2] = {0, 0}, periods[2] = {0, 0}, at[2];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
  MPI_Comm_rank(cart, &rank);
  MPI_Cart_coords(cart, rank, 2, at);
  const int lx = part(nx, dims[0], at[0]), ly = part(ny, dims[1], at[1]), w = ly + 2;
  int low_x, high_x, low_y, high_y;
  MPI_Cart_shift(cart, 0, 1, &low_x, &high_x);
  MPI_Cart_shift(cart, 1, 1, &low_y, &high_y);
  double *u = calloc((size_t)(lx + 2) * (size_t)w, sizeof *u), *v = calloc((size_t)(lx + 2) * (size_t)w, sizeof *v);
  for (int i = 1; i <= lx; ++i)
    for (int j = 1; j <= ly; ++j) u[i * w + j] = (i * 7 + j * 3 + rank) % 11;
  MPI_Datatype column;
  MPI_Type_vector(lx, 1, w, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (int n = 1; n <= iterations; ++n) {
    MPI_Request r[8];
    MPI_Irecv(u + 1, ly, MPI_DOUBLE, low_x, 0, cart, r);
    MPI_Irecv(u + (lx + 1) * w + 1, ly, MPI_DOUBLE, high_x, 1, cart, r + 1);
    MPI_Irecv(u + w, 1, column, low_y, 2, cart, r + 2);
    MPI_Irecv(u + w + ly + 1, 1, column, high_y, 3, cart, r + 3);
    MPI_Isend(u + lx * w + 1, ly, MPI_DOUBLE, high_x, 0, cart, r + 4);
    MPI_Isend(u + w + 1, ly, MPI_DOUBLE, low_x, 1, cart, r + 5);
    MPI_Isend(u + w + ly, 1, column, high_y, 2, cart, r + 6);
    MPI_Isend(u + w + 1, 1, column, low_y, 3, cart, r + 7);
    MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
    double change = 0, all = 0;
    for (int i = 1; i <= lx; ++i)
      for (int j = 1; j <= ly; ++j) {
        const int c = i * w + j;
        v[c] = 0.25 * (u[c - 1] + u[c + 1] + u[c - w] + u[c + w]);
        change += (v[c] - u[c]) * (v[c] - u[c]);
      }
    double *t = u; u = v; v = t;
    if (n % k == 0) {
      MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, cart);
      if (rank == 0) printf("%d %g\n", n, all);
    }
  }
  MPI_Type_free(&column);
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
