! A study in Fortran, whose points are evaluated in two parts, as two processes would. Prints the number of the point and
! the time at each point.
program study_in_parts
  use, intrinsic :: iso_fortran_env, only: error_unit
  use wave
  implicit none
  type(c_ptr) :: context, loaded, model, first, second, other, error
  character(len=4096) :: file
  character(len=:), allocatable :: id
  type(wave_points_info) :: points
  integer(c_int64_t), pointer :: open(:)
  integer :: status

  call get_command_argument(1, file)
  call check(wave_context_create(context, error))
  call check(wave_program_load(context, trim(file)//c_null_char, module_count=0_c_size_t, program=loaded, error=error))
  call check(wave_model_open(loaded, model=model, error=error))
  first = study_of('n=[2, 4, 8, 16]')
  second = study_of('n=[2, 4, 8, 16]')
  other = study_of('n=[2, 4, 8]')
  points = points_of(second)
  id = wave_letters(points%id)
  points = points_of(other)
  if (id == wave_letters(points%id)) call give_up('studies of other clauses have another id')
  points = points_of(first)
  if (len(id) == 0 .or. id /= wave_letters(points%id)) call give_up('studies of the same clauses have the same id')
  if (points%count /= 4) call give_up('the study has four points')
  call give_part(second, first, 1_c_int64_t, points%count)
  points = points_of(first)
  if (points%open_count /= 1) call give_up('one range of points is open')
  call c_f_pointer(points%open, open, [2])
  if (any(open /= [0, 1])) call give_up('the first point is open')
  call give_part(first, first, 0_c_int64_t, 1_c_int64_t)
  points = points_of(first)
  if (points%open_count /= 0) call give_up('no point is open')
  call show(first)
  status = wave_close(first)
  status = wave_close(second)
  status = wave_close(other)
  status = wave_close(model)
  status = wave_close(loaded)
  status = wave_close(context)

contains

  type(c_ptr) function study_of(vary)
    character(len=*), intent(in) :: vary
    call check(wave_question_create(model, 'sweep'//c_null_char, study_of, error))
    call check(wave_set(study_of, 'vary'//c_null_char, vary//c_null_char, error))
    call check(wave_set(study_of, 'show'//c_null_char, 'total'//c_null_char, error))
  end function

  type(wave_points_info) function points_of(study)
    type(c_ptr), intent(in) :: study
    points_of%size = c_sizeof(points_of)
    call check(wave_question_points(study, points_of, error))
  end function

  ! One study computes the points begin <= i < end, and another takes them.
  subroutine give_part(from, to, begin, end)
    type(c_ptr), intent(in) :: from, to
    integer(c_int64_t), intent(in) :: begin, end
    type(c_ptr) :: part
    integer(c_size_t) :: size
    call check(wave_question_compute(from, begin, end, c_null_ptr, 0_c_size_t, c_null_funptr, c_null_ptr, part, size, &
                                     error))
    call check(wave_question_add(to, begin, end, part, size, error))
  end subroutine

  subroutine show(study)
    type(c_ptr), intent(in) :: study
    type(c_ptr) :: answer, cells
    integer(c_size_t) :: count
    real(c_double), pointer :: totals(:)
    integer :: row, closed
    call check(wave_question_run(study, c_null_funptr, c_null_ptr, answer, error))
    call check(wave_result_cells(answer, 0_c_size_t, 1_c_size_t, WAVE_REAL, WAVE_SI, cells, count, error))
    call c_f_pointer(cells, totals, [count])
    do row = 1, int(count)
      print '(a, i0, es24.16e3)', 'total ', row, totals(row)
    end do
    closed = wave_close(answer)
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
