! What requests.c does.
program requests
  use mpi
  implicit none
  integer :: rank, other, k, some, done, copy, ierror
  integer :: a, b, c, none, both(2), indices(2), statuses(MPI_STATUS_SIZE, 2)
  character :: data(400), into(400)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  other = 1 - rank
  data = ' '
  call MPI_Isend(data, 4, MPI_CHARACTER, other, 0, MPI_COMM_WORLD, a, ierror)
  call MPI_Isend(data, 8, MPI_CHARACTER, other, 0, MPI_COMM_WORLD, b, ierror)
  call MPI_Irecv(into, 400, MPI_CHARACTER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, none, ierror)
  call MPI_Wait(none, MPI_STATUS_IGNORE, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Wait(a, MPI_STATUS_IGNORE, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Wait(b, MPI_STATUS_IGNORE, ierror)
  call MPI_Recv(into, 400, MPI_CHARACTER, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call MPI_Recv(into, 400, MPI_CHARACTER, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
  call MPI_Irecv(into, 400, MPI_CHARACTER, MPI_ANY_SOURCE, 3, copy, c, ierror)
  call MPI_Send(data, 12, MPI_CHARACTER, other, 3, copy, ierror)
  call MPI_Comm_free(copy, ierror)
  call MPI_Wait(c, MPI_STATUS_IGNORE, ierror)
  call MPI_Recv_init(into, 400, MPI_CHARACTER, other, 5, MPI_COMM_WORLD, both(1), ierror)
  call MPI_Send_init(data, 16, MPI_CHARACTER, other, 5, MPI_COMM_WORLD, both(2), ierror)
  do k = 1, 2
    call MPI_Startall(2, both, ierror)
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE, ierror)
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE, ierror)
  end do
  call MPI_Request_free(both(1), ierror)
  call MPI_Request_free(both(2), ierror)
  call MPI_Pcontrol(0)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Pcontrol(1)
  done = 0
  call MPI_Irecv(into, 400, MPI_CHARACTER, other, 6, MPI_COMM_WORLD, both(1), ierror)
  call MPI_Isend(data, 20, MPI_CHARACTER, other, 6, MPI_COMM_WORLD, both(2), ierror)
  do while (done < 2)
    call MPI_Waitsome(2, both, some, indices, statuses, ierror)
    done = done + some
  end do
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Finalize(ierror)
end program
