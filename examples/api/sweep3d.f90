! Sweep3D from Fortran: one prediction, its parameters changed, and a batch over processor grids.
!
!   gfortran $(pkg-config --variable=fortran wave) sweep3d.f90 $(pkg-config --libs wave) -o sweep3d
!   ./sweep3d ../sweep3d/sweep3d.wave
program sweep3d
  use, intrinsic :: iso_fortran_env, only: error_unit
  use wave
  implicit none
  type(c_ptr) :: context, loaded, model, prediction, batch, error
  character(len=4096) :: file
  real(c_double), target :: total, iteration
  integer(c_int64_t), target :: n(4) = [2, 4, 8, 16], m(4) = [2, 4, 8, 16]
  real(c_double), target :: totals(4)
  character(kind=c_char), target :: n_name(2) = ['n', c_null_char], m_name(2) = ['m', c_null_char]
  character(kind=c_char), target :: total_name(6) = ['t', 'o', 't', 'a', 'l', c_null_char]
  type(wave_column) :: columns(2)
  type(wave_target) :: targets(1)
  integer(c_size_t), parameter :: rows = 4
  integer(c_size_t) :: failed
  integer :: row

  call get_command_argument(1, file)
  call check(wave_context_create(context, error))
  call check(wave_program_load(context, trim(file)//c_null_char, module_count=0_c_size_t, program=loaded, &
                               error=error))
  call check(wave_model_open(loaded, model=model, error=error))

  ! As it is written. Times are in seconds.
  call check(wave_model_run(model, prediction, error))
  call check(wave_result_value(prediction, 'total'//c_null_char, WAVE_REAL, c_loc(total), error))
  print '(a, es24.16e3)', 'total ', total
  row = wave_close(prediction)

  ! With other parameters: a number, and one of the machine by an expression.
  call check(wave_model_set_integer(model, 'n'//c_null_char, 8_c_int64_t, error))
  call check(wave_model_set(model, 'net.L'//c_null_char, '10 us'//c_null_char, error))
  call check(wave_model_run(model, prediction, error))
  call check(wave_result_value(prediction, 'iteration'//c_null_char, WAVE_REAL, c_loc(iteration), error))
  print '(a, es24.16e3)', 'iteration ', iteration
  row = wave_close(prediction)

  ! Many at once: columns in, columns out.
  columns(1) = wave_column(c_loc(n_name), c_loc(n), rows, WAVE_INTEGER, 0)
  columns(2) = wave_column(c_loc(m_name), c_loc(m), rows, WAVE_INTEGER, 0)
  targets(1) = wave_target(c_loc(total_name), c_loc(totals), rows, WAVE_REAL, 0, WAVE_SI)
  call check(wave_batch_create(model, batch, error))
  call check(wave_batch_run(batch, rows, columns, 2_c_size_t, targets, 1_c_size_t, failed_rows=failed, &
                            progress=c_null_funptr, data=c_null_ptr, error=error))
  do row = 1, 4
    print '(a, i0, es24.16e3)', 'batch ', n(row), totals(row)
  end do
  row = wave_close(batch)
  row = wave_close(model)
  row = wave_close(loaded)
  row = wave_close(context)

contains

  ! Prints what went wrong, and ends.
  subroutine check(status)
    integer(c_int), intent(in) :: status
    if (status == WAVE_OK) return
    write (error_unit, '(a)') wave_message(error)
    stop 1
  end subroutine
end program
