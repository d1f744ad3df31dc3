! A study in Fortran, whose points are evaluated in two parts, as two processes would. Prints the number of processors along
! i and the time at each point.
program study_in_parts
  use, intrinsic :: iso_fortran_env, only: error_unit
  use wave
  implicit none
  type(c_ptr) :: context, loaded, model, first, second, other, error
  character(len=4096) :: file
  character(len=:), allocatable :: id
  character(kind=c_char, len=16), target :: few = 'n=[2, 4, 8]'//c_null_char, more = 'n=[2, 4, 8, 16]'//c_null_char
  character(kind=c_char, len=6), target :: total = 'total'//c_null_char
  integer(c_int64_t) :: points
  integer :: status

  call get_command_argument(1, file)
  call check(wave_context_create(context, error))
  call check(wave_program_load(context, trim(file)//c_null_char, loaded, error))
  call check(wave_model_open(loaded, model=model, error=error))
  first = study_of(more)
  second = study_of(more)
  other = study_of(few)
  id = id_of(first)
  if (len(id) == 0 .or. id /= id_of(second)) call give_up('studies of the same clauses have the same id')
  if (id == id_of(other)) call give_up('studies of other clauses have another id')
  call check(wave_study_point_count(first, points, error))
  if (points /= 4) call give_up('the study has four points')
  call show_part(first, 0_c_int64_t, 1_c_int64_t)
  call show_part(second, 1_c_int64_t, points)
  status = wave_study_close(first)
  status = wave_study_close(second)
  status = wave_study_close(other)
  status = wave_model_close(model)
  status = wave_program_close(loaded)
  status = wave_context_close(context)

contains

  type(c_ptr) function study_of(vary)
    character(kind=c_char, len=16), target, intent(in) :: vary
    call check(wave_study_create(model, [c_loc(vary)], 1_c_size_t, [c_loc(total)], 1_c_size_t, [c_null_ptr], &
                                 0_c_size_t, study_of, error))
  end function

  function id_of(study) result(text)
    type(c_ptr), intent(in) :: study
    character(len=:), allocatable :: text
    type(c_ptr) :: id
    call check(wave_study_id(study, id, error))
    text = wave_letters(id)
  end function

  ! The points begin <= i < end.
  subroutine show_part(study, begin, end)
    type(c_ptr), intent(in) :: study
    integer(c_int64_t), intent(in) :: begin, end
    type(c_ptr) :: part, values
    integer(c_size_t) :: count
    real(c_double), pointer :: totals(:)
    integer :: row, closed
    call check(wave_study_run_part(study, begin, end, c_null_funptr, c_null_ptr, part, error))
    call check(wave_result_reals(part, 0_c_size_t, 1_c_size_t, WAVE_SI, values, count, error))
    if (count /= end - begin) call give_up('a part has its points')
    call c_f_pointer(values, totals, [count])
    do row = 1, int(count)
      print '(a, i0, es24.16e3)', 'total ', begin + row, totals(row)
    end do
    closed = wave_result_close(part)
  end subroutine

  subroutine check(status)
    integer(c_int), intent(in) :: status
    if (status /= WAVE_OK) call give_up(wave_message(error))
  end subroutine

  subroutine give_up(why)
    character(len=*), intent(in) :: why
    write (error_unit, '(a)') why
    stop 1
  end subroutine
end program
