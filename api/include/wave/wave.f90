! Wave from Fortran: interfaces of the calls of wave.h that a code needs to load a model, set its parameters, and read
! what it predicts, one run, a batch or a study at a time. Handles are type(c_ptr). Texts are character arrays that end with
! c_null_char: trim(name) // c_null_char. wave.h says what each call does.
module wave
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: WAVE_OK = 0, WAVE_FAILED = 1, WAVE_MISUSE = 2, WAVE_LIMIT = 3, WAVE_STOPPED = 4
  integer(c_int), parameter :: WAVE_REAL = 0, WAVE_INTEGER = 1, WAVE_BOOLEAN = 2, WAVE_TEXT = 3
  integer(c_int), parameter :: WAVE_SI = 0, WAVE_ASKED = 1

  abstract interface
    ! What a batch or a study calls now and then; anything but 0 stops it. c_funloc() of one is what these take.
    integer(c_int) function wave_progress(done, all, data) bind(c)
      import
      integer(c_int64_t), value :: done, all
      type(c_ptr), value :: data
    end function
  end interface

  type, bind(c) :: wave_column
    type(c_ptr) :: name
    type(c_ptr) :: data
    integer(c_size_t) :: count
    integer(c_int) :: cell
    integer(c_ptrdiff_t) :: stride
  end type

  type, bind(c) :: wave_target
    type(c_ptr) :: name
    type(c_ptr) :: data
    integer(c_size_t) :: count
    integer(c_int) :: cell
    integer(c_ptrdiff_t) :: stride
    integer(c_int) :: unit
  end type

  interface
    integer(c_int) function wave_context_create(context, error) bind(c)
      import
      type(c_ptr), intent(out) :: context
      type(c_ptr), intent(out) :: error
    end function

    integer(c_int) function wave_program_load(context, file, program, error) bind(c)
      import
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: file(*)
      type(c_ptr), intent(out) :: program
      type(c_ptr), intent(out) :: error
    end function

    ! A null pointer for the name: the only model, or `main`.
    integer(c_int) function wave_model_open(program, name, model, error) bind(c)
      import
      type(c_ptr), value :: program
      type(c_ptr), value :: name
      type(c_ptr), intent(out) :: model
      type(c_ptr), intent(out) :: error
    end function

    integer(c_int) function wave_model_set(model, name, expression, error) bind(c)
      import
      type(c_ptr), value :: model
      character(kind=c_char), intent(in) :: name(*)
      character(kind=c_char), intent(in) :: expression(*)
      type(c_ptr), intent(out) :: error
    end function

    integer(c_int) function wave_model_set_real(model, name, number, error) bind(c)
      import
      type(c_ptr), value :: model
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), value :: number
      type(c_ptr), intent(out) :: error
    end function

    integer(c_int) function wave_model_set_integer(model, name, number, error) bind(c)
      import
      type(c_ptr), value :: model
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: number
      type(c_ptr), intent(out) :: error
    end function

    integer(c_int) function wave_model_run(model, result, error) bind(c)
      import
      type(c_ptr), value :: model
      type(c_ptr), intent(out) :: result
      type(c_ptr), intent(out) :: error
    end function

    integer(c_int) function wave_result_real(result, name, number, error) bind(c)
      import
      type(c_ptr), value :: result
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), intent(out) :: number
      type(c_ptr), intent(out) :: error
    end function

    ! The numbers stay until the result is closed. `unit` is WAVE_SI or WAVE_ASKED.
    integer(c_int) function wave_result_reals(result, output, column, unit, values, count, error) bind(c)
      import
      type(c_ptr), value :: result
      integer(c_size_t), value :: output, column
      integer(c_int), value :: unit
      type(c_ptr), intent(out) :: values
      integer(c_size_t), intent(out) :: count
      type(c_ptr), intent(out) :: error
    end function

    integer(c_int) function wave_batch_create(model, batch, error) bind(c)
      import
      type(c_ptr), value :: model
      type(c_ptr), intent(out) :: batch
      type(c_ptr), intent(out) :: error
    end function

    ! Ends the call that another thread is making on the model, as do the other functions whose names end so.
    integer(c_int) function wave_model_stop(model) bind(c)
      import
      type(c_ptr), value :: model
    end function

    ! `codes`, `progress` and `data` may be null pointers; `progress` is a wave_progress.
    integer(c_int) function wave_batch_run(batch, rows, columns, column_count, targets, target_count, codes, &
                                           failed_rows, progress, data, error) bind(c)
      import
      type(c_ptr), value :: batch
      integer(c_size_t), value :: rows
      type(wave_column), intent(in) :: columns(*)
      integer(c_size_t), value :: column_count
      type(wave_target), intent(in) :: targets(*)
      integer(c_size_t), value :: target_count
      type(c_ptr), value :: codes
      integer(c_size_t), intent(out) :: failed_rows
      type(c_funptr), value :: progress
      type(c_ptr), value :: data
      type(c_ptr), intent(out) :: error
    end function

    integer(c_int) function wave_batch_stop(batch) bind(c)
      import
      type(c_ptr), value :: batch
    end function

    ! Clauses are pointers to texts.
    integer(c_int) function wave_study_create(model, vary, vary_count, show, show_count, where, where_count, study, &
                                              error) bind(c)
      import
      type(c_ptr), value :: model
      type(c_ptr), intent(in) :: vary(*)
      integer(c_size_t), value :: vary_count
      type(c_ptr), intent(in) :: show(*)
      integer(c_size_t), value :: show_count
      type(c_ptr), intent(in) :: where(*)
      integer(c_size_t), value :: where_count
      type(c_ptr), intent(out) :: study
      type(c_ptr), intent(out) :: error
    end function

    integer(c_int) function wave_study_run(study, progress, data, result, error) bind(c)
      import
      type(c_ptr), value :: study
      type(c_funptr), value :: progress
      type(c_ptr), value :: data
      type(c_ptr), intent(out) :: result
      type(c_ptr), intent(out) :: error
    end function

    integer(c_int) function wave_study_run_part(study, begin, end, progress, data, result, error) bind(c)
      import
      type(c_ptr), value :: study
      integer(c_int64_t), value :: begin, end
      type(c_funptr), value :: progress
      type(c_ptr), value :: data
      type(c_ptr), intent(out) :: result
      type(c_ptr), intent(out) :: error
    end function

    integer(c_int) function wave_study_point_count(study, count, error) bind(c)
      import
      type(c_ptr), value :: study
      integer(c_int64_t), intent(out) :: count
      type(c_ptr), intent(out) :: error
    end function

    ! The text stays until the study is closed; wave_letters() has its letters.
    integer(c_int) function wave_study_id(study, id, error) bind(c)
      import
      type(c_ptr), value :: study
      type(c_ptr), intent(out) :: id
      type(c_ptr), intent(out) :: error
    end function

    ! A null pointer for the file: no journal.
    integer(c_int) function wave_study_set_journal(study, file, error) bind(c)
      import
      type(c_ptr), value :: study
      type(c_ptr), value :: file
      type(c_ptr), intent(out) :: error
    end function

    integer(c_int) function wave_study_stop(study) bind(c)
      import
      type(c_ptr), value :: study
    end function

    integer(c_int) function wave_study_close(study) bind(c)
      import
      type(c_ptr), value :: study
    end function

    integer(c_int) function wave_error_text(error, text) bind(c)
      import
      type(c_ptr), value :: error
      type(c_ptr), intent(out) :: text
    end function

    integer(c_int) function wave_context_close(context) bind(c)
      import
      type(c_ptr), value :: context
    end function

    integer(c_int) function wave_program_close(program) bind(c)
      import
      type(c_ptr), value :: program
    end function

    integer(c_int) function wave_model_close(model) bind(c)
      import
      type(c_ptr), value :: model
    end function

    integer(c_int) function wave_result_close(result) bind(c)
      import
      type(c_ptr), value :: result
    end function

    integer(c_int) function wave_batch_close(batch) bind(c)
      import
      type(c_ptr), value :: batch
    end function

    integer(c_int) function wave_error_close(error) bind(c)
      import
      type(c_ptr), value :: error
    end function
  end interface

contains

  ! A text that the library gave out.
  function wave_letters(text) result(copy)
    type(c_ptr), intent(in) :: text
    character(len=:), allocatable :: copy
    character(kind=c_char), pointer :: letters(:)
    integer :: length, i
    call c_f_pointer(text, letters, [huge(1)])
    length = 0
    do while (letters(length + 1) /= c_null_char)
      length = length + 1
    end do
    allocate (character(len=length) :: copy)
    do i = 1, length
      copy(i:i) = letters(i)
    end do
  end function

  ! What an error handle says.
  function wave_message(error) result(message)
    type(c_ptr), intent(in) :: error
    character(len=:), allocatable :: message
    type(c_ptr) :: text
    if (wave_error_text(error, text) == WAVE_OK) then
      message = wave_letters(text)
    else
      message = ''
    end if
  end function
end module
