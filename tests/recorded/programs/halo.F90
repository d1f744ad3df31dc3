! What halo.c does, by `use mpi`, or with WITH_TYPES by `use mpi_f08`.
program halo
#ifdef WITH_TYPES
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer :: rank, ranks, left, right, step, k, ierror
  double precision :: a(100), b(100), total, own
#ifdef WITH_TYPES
  type(MPI_Request) :: requests(4)
#else
  integer :: requests(4)
#endif
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  a = 0; b = 0; own = rank
  left = rank - 1; right = rank + 1
  if (rank == 0) left = MPI_PROC_NULL
  if (rank + 1 == ranks) right = MPI_PROC_NULL
  call MPI_Bcast(a, 3, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierror)
  do step = 1, 3
    call MPI_Irecv(a, 100, MPI_DOUBLE_PRECISION, left, 7, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Irecv(b, 100, MPI_DOUBLE_PRECISION, right, 7, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Isend(a, 50, MPI_DOUBLE_PRECISION, left, 7, MPI_COMM_WORLD, requests(3), ierror)
    call MPI_Isend(b, 50, MPI_DOUBLE_PRECISION, right, 7, MPI_COMM_WORLD, requests(4), ierror)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierror)
    call MPI_Sendrecv(a, 10, MPI_DOUBLE_PRECISION, right, 1, b, 100, MPI_DOUBLE_PRECISION, left, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call MPI_Allreduce(own, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  end do
  if (rank > 0) call MPI_Send(a, 20, MPI_DOUBLE_PRECISION, 0, 2, MPI_COMM_WORLD, ierror)
  if (rank == 0) then
    do k = 1, ranks - 1
      call MPI_Recv(a, 100, MPI_DOUBLE_PRECISION, k, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    end do
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Finalize(ierror)
end program
