// A module that is none for MPI.
extern "C" int wave_has_no_mpi() { return 0; }
